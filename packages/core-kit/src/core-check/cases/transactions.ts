/** Cases about lists of transactions: order, pages, days. */
import { DAY } from 'trapeza/base';
import {
  askPage,
  check,
  currencyOf,
  dayOf,
  demandRefusals,
  minor,
  type PageWish,
  pageOf,
  type Transaction,
  type Trial,
} from '../case.js';
import { NOBODY } from '../client.js';
import { demand, Skip } from '../verdict.js';

const idsOf = (list: readonly Transaction[]): readonly string[] => list.map(({ id }) => id);

/** Some of the newest, in pages as large as the core makes them. */
const newest = async (
  trial: Trial<'accountId'>,
  limit: number,
  least: number,
): Promise<readonly Transaction[]> => {
  const { list } = await walk(trial, { accountId: trial.subject.accountId, limit }, limit);
  if (list.length < least) throw new Skip(`the account has fewer than ${least} transactions in these days`);
  return list;
};

/** Page by page, until there are `most` or the list ends: a page may be shorter than its limit. */
export const walk = async (
  trial: Trial,
  wish: PageWish,
  most: number,
): Promise<{ readonly list: readonly Transaction[]; readonly hasEnded: boolean }> => {
  const list: Transaction[] = [];
  let after: string | undefined;
  while (list.length < most) {
    const { transactions, next } = await pageOf(trial, { ...wish, after });
    list.push(...transactions);
    if (next === null || transactions.length === 0) return { list, hasEnded: next === null };
    after = next;
  }
  return { list: list.slice(0, most), hasEnded: false };
};

const WALKED = 28;
/** More than a page: a list that never ends repeats itself until then. */
const LONGEST_DAY = 1000;

export const transactionCases = [
  check({
    id: 'transactions-order',
    title: 'lists transactions newest first, with balances that follow from one another',
    operation: 'listTransactions',
    hint: 'Sort by booking date and then by the order of booking, both descending; never by value date. "balance" is what each booking left; leave it out if you keep none.',
    needs: ['accountId'],
    run: async (trial) => {
      const list = await newest(trial, 200, 2);
      // What the bookings before it must have left, also over those without a balance.
      let left: bigint | undefined;
      for (const [index, each] of list.entries()) {
        const newer = list[index - 1] ?? each;
        demand(
          (newer.bookingDate ?? '') >= (each.bookingDate ?? ''),
          'the newest first',
          `${each.id} after ${newer.id}`,
        );
        const of = (amount: string): bigint => minor(amount, each.currency, 'listTransactions');
        const balance = each.balance == null ? left : of(each.balance);
        demand(
          left === undefined || balance === left,
          'balances that follow from one another',
          `${newer.id} does not follow from ${each.id}`,
        );
        left = balance === undefined ? undefined : balance - of(each.amount);
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
      demand(transactions.length <= 2, 'at most 2 transactions', String(transactions.length));
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
      const walked = idsOf((await walk(trial, { accountId, limit: 7 }, WALKED)).list);
      const repeated = walked.length - new Set(walked).size;
      demand(repeated === 0, 'each transaction once', `${repeated} repeated`);
      const wrong = whole.findIndex((id, index) => walked[index] !== id);
      demand(wrong === -1, 'the same transactions as in larger pages', `another one in place ${wrong + 1}`);
    },
  }),
  check({
    id: 'transactions-end',
    title: 'says where the list ends',
    operation: 'listTransactions',
    hint: '"next" is null at the end of the list, and an empty page has no next one.',
    needs: ['accountId'],
    run: async (trial) => {
      const list = await newest(trial, 2, 2);
      const day = list[0]?.bookingDate ?? '';
      const wish = { accountId: trial.subject.accountId, from: day, to: day, limit: 100 };
      const { list: all, hasEnded } = await walk(trial, wish, LONGEST_DAY);
      const repeated = all.length - new Set(idsOf(all)).size;
      demand(
        hasEnded || (all.length === LONGEST_DAY && repeated === 0),
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
      const { accountId } = trial.subject;
      const { list, hasEnded } = await walk(trial, { accountId, limit: 200 }, 200);
      const days = [...new Set(list.map(({ bookingDate }) => bookingDate ?? ''))];
      // The oldest day may go on on the next page, and to the newest one more may come.
      const whole = days.slice(days.length > 2 ? 1 : 0, hasEnded ? undefined : -1);
      const [to, from] = [whole[0], whole.at(Math.min(4, whole.length) - 1)];
      if (to === undefined || from === undefined)
        throw new Skip('the account has no day with all of its transactions among the newest 200');
      const wish = { accountId, from, to, limit: 1000 };
      const { list: transactions } = await walk(trial, wish, 1000);
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
      const [from, to] = [dayOf(trial.now() + 40 * DAY), dayOf(trial.now() + 60 * DAY)];
      const wish = { accountId: trial.subject.accountId, from, to, limit: 10 };
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
    hint: 'Pending ones have no booking date and no balance; booked ones have a booking date, and a balance if you keep one.',
    needs: ['accountId'],
    run: async (trial) => {
      const { accountId } = trial.subject;
      for (const status of ['pending', 'booked'] as const) {
        const { transactions } = await pageOf(trial, { accountId, status, limit: 50 });
        for (const { id, bookingDate, balance, ...each } of transactions) {
          demand(each.status === status, `status ${status}`, `${each.status} at ${id}`);
          if (status === 'booked') demand(bookingDate !== null, 'a booking date', `none at ${id}`);
          else
            demand(
              bookingDate === null && balance == null,
              'neither booking date nor balance',
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
      const known = (await currencyOf(trial, trial.subject.accountId)) ?? list[0]?.currency;
      for (const { id, currency, amount } of list) {
        demand(currency === known, `currency ${known}`, `another one at ${id}`);
        minor(amount, currency, 'listTransactions');
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
      const ask = (wrong: object) => () => askPage(trial, { ...good, ...wrong });
      await demandRefusals({
        'limit 0': ask({ limit: 0 }),
        'limit 1001': ask({ limit: 1001 }),
        'a day that does not exist': ask({ from: '2026-02-30' }),
        'an unknown status': ask({ status: 'all' }),
        'a question without from': ask({ from: undefined }),
      });
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
