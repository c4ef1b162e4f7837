/** Transactions and their pages: every row once, of this account alone, in the asked days. */
import { isDeepStrictEqual } from 'node:util';
import {
  accountId,
  bookedIn,
  goodRead,
  nextIn,
  otherAccountId,
  readData,
  transactionsPath,
  wholeHistory,
} from '../bank/access.js';
import type { Bank } from '../bank/bank.js';
import { newId } from '../bank/operations.js';
import { casesOf, complaint, document, profile, type Sketch } from '../case.js';
import { altered, DAY, demandStatus, isObject, type Members } from '../shapes.js';
import { demand, need } from '../verdict.js';

const amountOf = ({ transactionAmount }: Members): unknown =>
  isObject(transactionAmount) ? transactionAmount.amount : undefined;

const idsOf = (rows: readonly Members[]): readonly unknown[] =>
  rows.map(({ transactionId }) => transactionId);

/** A third of the history, so that there are several pages and a last one that is not full. */
const pageSize = async (bank: Bank): Promise<number> => Math.ceil((await wholeHistory(bank)).length / 3);

const firstPage = async (bank: Bank): Promise<Members> => {
  const limit = String(await pageSize(bank));
  return goodRead(bank, transactionsPath(await accountId(bank), { bookingStatus: 'booked', limit }));
};

const firstNext = async (bank: Bank): Promise<URL> => {
  const next = nextIn(await firstPage(bank));
  need(next !== undefined, 'the first of several pages has no _links.next');
  return bank.http.urlOf(next ?? '');
};

const MOST_PAGES = 20;

const walk = (bank: Bank): Promise<readonly Members[]> =>
  bank.once('all pages', async () => {
    const pages: Members[] = [];
    for (let page = await firstPage(bank); ; ) {
      pages.push(page);
      const next = nextIn(page);
      need(pages.length < MOST_PAGES, `there are more than ${MOST_PAGES} pages`);
      if (next === undefined) return pages;
      page = await goodRead(bank, next);
    }
  });

const rows: readonly Sketch[] = [
  [
    'members',
    'every booked transaction has its id, day and amount',
    complaint('#68, #85 (required members missing)'),
    async (bank) => {
      const bad = (await wholeHistory(bank)).filter(
        ({ transactionId, bookingDate, transactionAmount }) =>
          typeof transactionId !== 'string' || !DAY.test(String(bookingDate)) || !isObject(transactionAmount),
      );
      demand(
        bad.length === 0,
        'transactionId, bookingDate and transactionAmount',
        `${bad.length} rows without`,
      );
    },
  ],
  [
    'amounts',
    'every amount is a number',
    document('Resources, amount (number)'),
    async (bank) => {
      const bad = (await wholeHistory(bank)).filter((row) => typeof amountOf(row) !== 'number');
      demand(bad.length === 0, 'numbers', `${bad.length} of another type`);
    },
  ],
  [
    'ids-differ',
    'no transaction id is there twice',
    complaint('#134 (rows missing or twice)'),
    async (bank) => {
      const ids = idsOf(await wholeHistory(bank));
      demand(new Set(ids).size === ids.length, 'different ids', `${ids.length - new Set(ids).size} twice`);
    },
  ],
  [
    'signs',
    'money that leaves is negative, money that comes is not: the balances after each row say so',
    complaint('#29 (wrong sign)'),
    async (bank) => {
      const balances = (await wholeHistory(bank)).map((row) => {
        const after = isObject(row.balanceAfterTransaction)
          ? row.balanceAfterTransaction.balanceAmount
          : undefined;
        return { amount: Number(amountOf(row)), after: isObject(after) ? Number(after.amount) : Number.NaN };
      });
      need(
        balances.every(({ after }) => !Number.isNaN(after)),
        'rows have no balanceAfterTransaction',
      );
      const bad = balances.slice(0, -1).filter(({ amount, after }, index) => {
        const before = balances[index + 1]?.after ?? 0;
        return Math.abs(after - before - amount) > 0.005;
      });
      demand(bad.length === 0, 'balances that follow from the amounts', `${bad.length} that do not`);
    },
  ],
  [
    'own-rows',
    'no row of another account is among them',
    complaint("#119 (another account's rows)"),
    async (bank) => {
      const mine = new Set(idsOf(await wholeHistory(bank)));
      const path = transactionsPath(await otherAccountId(bank), { bookingStatus: 'booked', limit: '500' });
      const shared = idsOf(bookedIn(await goodRead(bank, path))).filter((id) => mine.has(id));
      demand(shared.length === 0, 'none in common', `${shared.length} in common`);
    },
  ],
  [
    'one',
    'a transaction alone is the same as in the list',
    complaint('#85 (members missing in one of two answers)'),
    async (bank) => {
      const [listed] = await wholeHistory(bank);
      const path = `${transactionsPath(await accountId(bank))}/${listed?.transactionId}`;
      const { transactionsDetails } = await goodRead(bank, path);
      const amounts = [transactionsDetails, listed].map((row) => isObject(row) && row.transactionAmount);
      demand(isDeepStrictEqual(amounts[0], amounts[1]), 'the same amount', 'another one');
    },
  ],
  [
    'unknown',
    'a transaction that never was is not found',
    document('Errors (404)'),
    async (bank) =>
      demandStatus(await readData(bank, `${transactionsPath(await accountId(bank))}/${newId()}`), 404),
  ],
];

const pages: readonly Sketch[] = [
  [
    'limit',
    'a page has no more rows than were asked for',
    profile('Account information, Pages'),
    async (bank) => {
      const most = await pageSize(bank);
      const { length } = bookedIn(await firstPage(bank));
      demand(length <= most, `at most ${most} rows`, `${length} rows`);
    },
  ],
  [
    'next',
    'a page that is not the last leads to the next one',
    profile('Account information, Pages'),
    async (bank) => demand(nextIn(await firstPage(bank)) !== undefined, '_links.next', 'none'),
  ],
  [
    'next-differs',
    'the next page is another one than the page itself',
    complaint('#122 (next is self)'),
    async (bank) => {
      const limit = String(await pageSize(bank));
      const own = bank.http.urlOf(
        transactionsPath(await accountId(bank), { bookingStatus: 'booked', limit }),
      );
      const next = await firstNext(bank);
      demand(
        `${next.pathname}${next.search}` !== `${own.pathname}${own.search}`,
        'another address',
        'its own',
      );
    },
  ],
  [
    'next-here',
    'the next page is at the same bank and of the same account',
    complaint('#174 (next leads elsewhere)'),
    async (bank) => {
      const next = await firstNext(bank);
      const own = bank.http.urlOf(transactionsPath(await accountId(bank)));
      demand(
        next.origin === own.origin && next.pathname === own.pathname,
        'the path of the account',
        'another one',
      );
    },
  ],
  [
    'all-rows',
    'the pages together have every row once',
    complaint('#134 (rows missing)'),
    async (bank) => {
      const paged = idsOf((await walk(bank)).flatMap(bookedIn));
      const whole = idsOf(await wholeHistory(bank));
      demand(
        isDeepStrictEqual(paged, whole),
        `${whole.length} rows in order`,
        `${paged.length} rows, or another order`,
      );
    },
  ],
  [
    'end',
    'the last page leads nowhere, and has rows',
    complaint('#122 (pages without end)'),
    async (bank) => {
      const last = (await walk(bank)).at(-1) ?? {};
      demand(bookedIn(last).length > 0, 'rows', 'an empty last page');
    },
  ],
  [
    'cursor-altered',
    'an address of a page that was altered is refused',
    profile('Account information, Pages'),
    async (bank) => {
      const next = await firstNext(bank);
      const page = next.searchParams.get('page') ?? '';
      need(page !== '', 'the next page has no parameter page');
      const path = transactionsPath(await accountId(bank), { page: altered(page) });
      demandStatus(await readData(bank, path), 400);
    },
  ],
  [
    'cursor-elsewhere',
    'a page of one account is none of another',
    complaint("#119 (another account's rows)"),
    async (bank) => {
      const page = (await firstNext(bank)).searchParams.get('page');
      need(page !== null, 'the next page has no parameter page');
      const path = transactionsPath(await otherAccountId(bank), { page: page ?? '' });
      demandStatus(await readData(bank, path), 400, 403, 404);
    },
  ],
];

const dayOf = ({ bookingDate }: Members): string => String(bookingDate);

const days: readonly Sketch[] = [
  [
    'days',
    'rows of the asked days are given, both days included',
    profile('Account information, Days'),
    async (bank) => {
      const whole = await wholeHistory(bank);
      const day = dayOf(whole[Math.floor(whole.length / 2)] ?? {});
      const query = { bookingStatus: 'booked', limit: '500', dateFrom: day, dateTo: day };
      const got = bookedIn(await goodRead(bank, transactionsPath(await accountId(bank), query)));
      const expected = whole.filter((row) => dayOf(row) === day);
      demand(
        isDeepStrictEqual(idsOf(got), idsOf(expected)),
        `${expected.length} rows`,
        `${got.length} rows, or others`,
      );
    },
  ],
  ...(
    [
      ['days-backwards', 'days backwards are refused', { dateFrom: '2026-02-01', dateTo: '2026-01-01' }],
      ['day-malformed', 'a day that is none is refused', { dateFrom: '2026-02-30' }],
      ['limit-malformed', 'a limit that is no number is refused', { limit: 'many' }],
      ['limit-zero', 'a limit of zero is refused', { limit: '0' }],
      ['booking-malformed', 'a bookingStatus that is none is refused', { bookingStatus: 'maybe' }],
    ] as const
  ).map(
    ([name, title, query]): Sketch => [
      name,
      title,
      profile('Account information, Days and Pages'),
      async (bank) => demandStatus(await readData(bank, transactionsPath(await accountId(bank), query)), 400),
    ],
  ),
  [
    'pending',
    'pending rows alone have no booked ones among them',
    profile('Account information'),
    async (bank) => {
      const body = await goodRead(
        bank,
        transactionsPath(await accountId(bank), { bookingStatus: 'pending' }),
      );
      demand(bookedIn(body).length === 0, 'no booked rows', `${bookedIn(body).length} of them`);
    },
  ],
];

export const pagingCases = casesOf('paging', [...rows, ...pages, ...days]);
