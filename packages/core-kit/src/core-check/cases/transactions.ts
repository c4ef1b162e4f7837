/** Cases about lists of transactions: order, pages, days. */
import type { AccountId } from 'trapeza/base';
import { askPage, check, demandRefusals, minor, pageOf, type Transaction, type Trial } from '../case.js';
import { NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

const idsOf = (list: readonly Transaction[]): readonly string[] => list.map(({ id }) => id);

/** Some of the newest, all in one page. */
const newest = async (
  trial: Trial<'accountId'>,
  limit: number,
  least: number,
): Promise<readonly Transaction[]> => {
  const { transactions } = await pageOf(trial, { accountId: trial.subject.accountId, limit });
  if (transactions.length < least)
    throw new Skip(`the account has fewer than ${least} transactions in these days`);
  return transactions;
};

export const walk = async (
  trial: Trial,
  accountId: AccountId,
  limit: number,
  most: number,
): Promise<readonly Transaction[]> => {
  const seen: Transaction[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < most; pages += 1) {
    const { transactions, next } = await pageOf(trial, { accountId, limit, after });
    seen.push(...transactions);
    if (next === null) return seen;
    after = next;
  }
  return seen;
};

const WALKED = 28;

export const transactionCases = [
  check({
    id: 'transactions-order',
    title: 'lists transactions newest first, each with the balance after it',
    operation: 'listTransactions',
    hint: 'Sort by booking date and then by the order of booking, both descending; never by value date.',
    needs: ['accountId'],
    run: async (trial) => {
      const list = await newest(trial, 200, 2);
      for (const [index, each] of list.entries()) {
        const older = list[index + 1];
        if (!older) continue;
        demand(
          (each.bookingDate ?? '') >= (older.bookingDate ?? ''),
          'the newest first',
          `${older.id} after ${each.id}`,
        );
        const of = (amount: string): bigint => minor(amount, each.currency, 'listTransactions');
        const before = of(each.balance ?? '0') - of(each.amount);
        demand(
          before === of(older.balance ?? '0'),
          'balances that follow from one another',
          `${each.id} does not follow from ${older.id}`,
        );
      }
    },
  }),
  check({
    id: 'transactions-limit',
    title: 'gives no more transactions than the limit',
    operation: 'listTransactions',
    hint: 'Honour "limit", and tell in "next" that there are more.',
    needs: ['accountId'],
    run: async (trial) => {
      await newest(trial, 3, 3);
      const { transactions, next } = await pageOf(trial, { accountId: trial.subject.accountId, limit: 2 });
      demand(transactions.length === 2, '2 transactions', String(transactions.length));
      demand(next !== null, 'a next page', 'none');
    },
  }),
  check({
    id: 'transactions-pages',
    title: 'neither repeats nor hides a transaction from page to page',
    operation: 'listTransactions',
    hint: 'Let "next" name the last transaction of the page (its date and number), never an offset; the next page begins after it.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const whole = idsOf(await newest(trial, WALKED, 8));
      const walked = idsOf(await walk(trial, accountId, 7, WALKED / 7));
      const repeated = walked.length - new Set(walked).size;
      demand(repeated === 0, 'each transaction once', `${repeated} repeated`);
      const wrong = whole.findIndex((id, index) => walked[index] !== id);
      demand(wrong === -1, 'the same transactions as in one large page', `another one in place ${wrong + 1}`);
    },
  }),
  check({
    id: 'transactions-end',
    title: 'says where the list ends',
    operation: 'listTransactions',
    hint: '"next" is null on the last page, and an empty page has no next one.',
    needs: ['accountId'],
    run: async (trial) => {
      const list = await newest(trial, 2, 2);
      const day = list[0]?.bookingDate ?? '';
      const wish = { accountId: trial.subject.accountId, from: day, to: day, limit: 1000 };
      const { transactions, next } = await pageOf(trial, wish);
      demand(
        next === null || transactions.length === 1000,
        'next null after everything was given',
        'a next page',
      );
    },
  }),
  check({
    id: 'transactions-days',
    title: 'gives the transactions of the wanted days, the first and the last included',
    operation: 'listTransactions',
    hint: 'The condition is "from <= bookingDate and bookingDate <= to"; a comparison with midnight of "to" loses its last day.',
    needs: ['accountId'],
    run: async (trial) => {
      const list = await newest(trial, 200, 3);
      const days = [...new Set(list.map(({ bookingDate }) => bookingDate ?? ''))];
      // The oldest day of the page may go on on the next one.
      const whole = days.length > 1 ? days.slice(0, -1) : days;
      const [to = '', from = ''] = [whole[0], whole.at(Math.min(4, whole.length) - 1)];
      const wish = { accountId: trial.subject.accountId, from, to, limit: 1000 };
      const { transactions } = await pageOf(trial, wish);
      const wanted = list.filter(
        ({ bookingDate }) => (bookingDate ?? '') >= from && (bookingDate ?? '') <= to,
      );
      const missing = wanted.filter(({ id }) => !transactions.some((each) => each.id === id));
      demand(missing.length === 0, `all of ${from} to ${to}`, `${missing.length} are missing`);
      demand(
        transactions.length === wanted.length,
        'none of other days',
        `${transactions.length - wanted.length} more`,
      );
    },
  }),
  check({
    id: 'transactions-none',
    title: 'gives an empty list where there is nothing',
    operation: 'listTransactions',
    hint: 'Days without transactions are no error: 200 with an empty list and next null.',
    needs: ['accountId'],
    run: async (trial) => {
      const wish = { accountId: trial.subject.accountId, from: '2999-01-01', to: '2999-12-31', limit: 10 };
      const { transactions, next } = await pageOf(trial, wish);
      demand(
        transactions.length === 0 && next === null,
        'an empty list and next null',
        `${transactions.length} transactions`,
      );
    },
  }),
  check({
    id: 'transactions-pending',
    title: 'tells what is booked from what is pending',
    operation: 'listTransactions',
    hint: 'Pending ones have no booking date and no balance; booked ones have both.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      for (const status of ['pending', 'booked'] as const) {
        const { transactions } = await pageOf(trial, { accountId, status, limit: 50 });
        for (const { id, bookingDate, balance, ...each } of transactions) {
          demand(each.status === status, `status ${status}`, `${each.status} at ${id}`);
          const isRight =
            status === 'booked'
              ? bookingDate !== null && balance !== null
              : bookingDate === null && balance === null;
          demand(
            isRight,
            status === 'booked' ? 'a booking date and a balance' : 'neither booking date nor balance',
            `another at ${id}`,
          );
        }
      }
    },
  }),
  check({
    id: 'transactions-currency',
    title: 'gives amounts in the currency of the account',
    operation: 'listTransactions',
    hint: 'What was paid in another currency goes into "exchange"; amount and balance are in the currency of the account.',
    needs: ['accountId'],
    run: async (trial) => {
      const list = await newest(trial, 50, 1);
      for (const { id, currency, amount } of list) {
        demand(currency === list[0]?.currency, 'one currency', `another one at ${id}`);
        demand(minor(amount, currency, 'listTransactions') !== 0n, 'an amount', `nothing at ${id}`);
      }
    },
  }),
  check({
    id: 'transactions-echo',
    title: 'says which account the transactions are of',
    operation: 'listTransactions',
    hint: 'Return the accountId of the path exactly as it was sent.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      const answer = await pageOf(trial, { accountId, limit: 1 });
      demand(answer.accountId === accountId, `accountId ${accountId}`, 'another accountId');
    },
  }),
  check({
    id: 'transactions-malformed',
    title: 'refuses a question that does not fit the contract',
    operation: 'listTransactions',
    hint: 'Check every query parameter and answer 400; a 500 counts as an outage of your core.',
    needs: ['accountId'],
    run: async (trial) => {
      const good = { accountId: trial.subject.accountId, limit: 10 };
      const wrong: readonly (readonly [string, object])[] = [
        ['limit 0', { limit: 0 }],
        ['limit 1001', { limit: 1001 }],
        ['a day that does not exist', { from: '2026-02-30' }],
        ['an unknown status', { status: 'all' }],
        ['a question without from', { from: undefined }],
      ];
      await demandRefusals(
        wrong.map(([name]) => name),
        (index) => askPage(trial, { ...good, ...wrong[index]?.[1] }),
      );
    },
  }),
  check({
    id: 'transactions-unknown-account',
    title: 'has no transactions of an account that it does not know',
    operation: 'listTransactions',
    hint: 'Answer with an error or with an empty list, never with transactions of another account.',
    run: async (trial) => {
      const { status, json } = await askPage(trial, { accountId: NOBODY, limit: 10 });
      const { transactions = [] } = (json ?? {}) as { readonly transactions?: readonly unknown[] };
      demand(
        status >= 400 || transactions.length === 0,
        'an error or an empty list',
        `${transactions.length} transactions`,
      );
    },
  }),
];
