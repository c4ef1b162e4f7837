/** Lists of transactions: which, in which order, how many on a page, and how the next page is reached. */
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/lib/clock.js';
import { PAGE_LINK_MINUTES } from '../../../src/lib/page-link.js';
import { Vault } from '../../../src/lib/vault.js';
import { type Answer, slugOf } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { account, moveBankClock, resetSandbox } from '../../support/operations.js';
import { testSecret } from '../../support/service.js';
import { type Use, useService } from '../../support/use-service.js';
import { daysAgo, historyBank, toSameDay } from './history-bank.js';
import { type Access, addAccess, pathOf, read, readUnattended, recordsOf } from './support.js';

interface Page {
  readonly transactions: Readonly<Partial<Record<'booked' | 'pending', { transactionId: string }[]>>>;
  readonly _links: { readonly next?: { readonly href: string } };
}

const pageOf = ({ json }: Answer): Page => json as Page;
const idsOf = (answer: Answer, list: 'booked' | 'pending' = 'booked'): string[] | undefined =>
  pageOf(answer).transactions[list]?.map(({ transactionId }) => transactionId);
const days = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `t1-${from + index}`);

/** The address of the next page, as it was given. */
const nextOf = (answer: Answer): string => {
  const { next } = pageOf(answer)._links;
  if (!next) throw new Error('there is no next page');
  const { pathname, search } = new URL(next.href);
  return pathname + search;
};

const lists = (service: Use): void => {
  it.each([
    ['', ['booked']],
    ['bookingStatus=booked', ['booked']],
    ['bookingStatus=pending', ['pending']],
    ['bookingStatus=both', ['booked', 'pending']],
  ])('%s gives %s', async (query, expected) => {
    const access = await addAccess(service());
    const answer = await read(service(), access, `${pathOf('getTransactions', access.first)}?${query}`);
    expect(Object.keys(pageOf(answer).transactions).sort()).toEqual(expected);
    if (expected.includes('pending')) expect(idsOf(answer, 'pending')).toEqual(['p1']);
    if (expected.includes('booked')) expect(idsOf(answer)).toEqual(days(0, 49));
  });

  it.each(['bookingStatus=all', 'limit=0', 'limit=501', 'limit=1e2', 'limit=-1', 'limit=50.0'])(
    'refuses %s by its name',
    async (query) => {
      const access = await addAccess(service());
      const answer = await read(service(), access, `${pathOf('getTransactions', access.first)}?${query}`);
      expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-query']);
      const [name = ''] = query.split('=');
      expect(Object.keys((answer.json as { errors: object }).errors)).toEqual([`query.${name}`]);
    },
  );
};

const paging = (service: Use): void => {
  it('every transaction comes once, newest first, and pending ones on the first page only', async () => {
    const access = await addAccess(service());
    const path = `${pathOf('getTransactions', access.first)}?bookingStatus=both&limit=40`;
    const first = await read(service(), access, path);
    const second = await read(service(), access, nextOf(first));
    const third = await read(service(), access, nextOf(second));
    expect([first, second, third].map((each) => idsOf(each))).toEqual([
      days(0, 39),
      days(40, 79),
      days(80, 90),
    ]);
    expect([first, second, third].map((each) => idsOf(each, 'pending'))).toEqual([
      ['p1'],
      undefined,
      undefined,
    ]);
    expect(pageOf(third)._links).not.toHaveProperty('next');
  });

  it('the following pages are free, and are recorded as pages of their read', async () => {
    const access = await addAccess(service());
    const path = `${pathOf('getTransactions', access.first)}?limit=20`;
    const first = await readUnattended(service(), access, path);
    let answer = first;
    for (let page = 2; page <= 5; page += 1) {
      answer = await readUnattended(service(), access, nextOf(answer));
      expect([answer.status, answer.headers.ratelimit]).toEqual([200, undefined]);
    }
    const again = await readUnattended(service(), access, path);
    expect(again.headers.ratelimit).toMatch(/^"unattended";r=2;/);
    const rows = await recordsOf(service(), access.id);
    expect(rows.map(({ page }) => page).sort()).toEqual([1, 1, 2, 3, 4, 5]);
    for (let rest = 2; rest > 0; rest -= 1) await readUnattended(service(), access, path);
    expect((await readUnattended(service(), access, path)).status).toBe(429);
    expect((await readUnattended(service(), access, nextOf(first))).status).toBe(200);
  });

  it('the other parameters may be repeated beside a cursor, but not changed', async () => {
    const access = await addAccess(service());
    const query = `dateFrom=${daysAgo(80)}&dateTo=${daysAgo(2)}&bookingStatus=booked&limit=10`;
    const next = nextOf(await read(service(), access, `${pathOf('getTransactions', access.first)}?${query}`));
    expect(idsOf(await read(service(), access, `${next}&${query}`))).toEqual(days(12, 21));
    for (const changed of ['limit=11', `dateFrom=${daysAgo(79)}`, 'bookingStatus=both']) {
      const answer = await read(service(), access, `${next}&${changed}`);
      expect([changed, answer.status, slugOf(answer)]).toEqual([changed, 400, 'invalid-query']);
    }
  });
};

const cursors = (service: Use): void => {
  const forged = (changes: object, place: string): string =>
    new Vault('another-secret-of-at-least-32-characters!').seal(JSON.stringify(changes), place);

  it('are of one consent, one account, and nobody can make them', async () => {
    const accounts = [account('eleni', 101), account('eleni', 102)];
    const own = await addAccess(service(), { accounts });
    const other = await addAccess(service(), { accounts });
    const next = nextOf(await read(service(), own, `${pathOf('getTransactions', own.first)}?limit=5`));
    const cursor = new URLSearchParams(next.split('?')[1]).get('page') ?? '';
    const tries: [Access, string, string][] = [
      [other, other.first, cursor],
      [own, own.resourceIds[1] ?? '', cursor],
      [own, own.first, `${cursor.slice(0, -2)}AA`],
      [
        own,
        own.first,
        forged(
          { consentId: own.id, resourceId: own.first, after: 't1-4', limit: 500, page: 2 },
          `cursor:${own.id}:${own.first}`,
        ),
      ],
      [own, own.first, new Vault(testSecret).seal('{}', `cursor:${own.id}:${own.first}`)],
      [own, own.first, 'v1.x.y.z'],
      [own, own.first, 'null'],
    ];
    for (const [access, resourceId, page] of tries) {
      const path = `${pathOf('getTransactions', resourceId)}?page=${encodeURIComponent(page)}`;
      const answer = await read(service(), access, path);
      expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-query']);
      expect(Object.keys((answer.json as { errors: object }).errors)).toEqual(['query.page']);
    }
    expect((await read(service(), own, next)).status).toBe(200);
  });

  it('work for an hour', async () => {
    const access = await addAccess(service());
    const next = nextOf(await read(service(), access, `${pathOf('getTransactions', access.first)}?limit=5`));
    await moveBankClock(service(), `PT${PAGE_LINK_MINUTES - 2}M`);
    expect((await read(service(), access, next)).status).toBe(200);
    await moveBankClock(service(), 'PT3M');
    const late = await read(service(), access, next);
    expect([late.status, slugOf(late)]).toEqual([400, 'page-expired']);
    expect(late.json).toMatchObject({
      extensions: { error: { retryable: false, advice: 'start-over' } },
    });
    await resetSandbox(service());
  });

  it('do not lengthen the 60 minutes of old history', async () => {
    const access = await addAccess(service(), { scaAgeMs: HOUR / 2 });
    const path = `${pathOf('getTransactions', access.first)}?dateFrom=${daysAgo(120)}&limit=5`;
    const next = nextOf(await read(service(), access, path));
    await moveBankClock(service(), 'PT31M');
    expect(slugOf(await read(service(), access, next))).toBe('history-needs-authentication');
    await resetSandbox(service());
  });
};

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine, bank: historyBank() }, toSameDay);
  describe('the list', () => lists(service));
  describe('pages', () => paging(service));
  describe('cursors', () => cursors(service));
});

describe('more pending ones than a page has', () => {
  const service = useService({ bank: historyBank(1201) }, toSameDay);

  it.each([
    ['pending', [undefined, undefined, undefined]],
    ['both&limit=40', [days(0, 39), days(40, 79), days(80, 90)]],
    ['both&limit=90', [days(0, 89), days(90, 90), undefined]],
  ])('go on on the following pages of %s, each once', async (query, booked) => {
    const access = await addAccess(service());
    const first = await read(
      service(),
      access,
      `${pathOf('getTransactions', access.first)}?bookingStatus=${query}`,
    );
    const second = await read(service(), access, nextOf(first));
    const third = await read(service(), access, nextOf(second));
    const pages = [first, second, third];
    expect(pages.map((each) => idsOf(each, 'pending')?.length)).toEqual([500, 500, 201]);
    expect(new Set(pages.flatMap((each) => idsOf(each, 'pending'))).size).toBe(1201);
    expect(pages.map((each) => idsOf(each))).toEqual(booked);
    expect(pageOf(third)._links).not.toHaveProperty('next');
  });
});

describe('a statement', () => {
  const service = useService({ bank: historyBank() }, toSameDay);

  it('has all transactions of its month and no other', async () => {
    const access = await addAccess(service());
    const { json } = await read(service(), access, pathOf('getStatement', access.first));
    const { statement } = json as {
      statement: { dateFrom: string; dateTo: string; transactions: { bookingDate: string }[] };
    };
    const booked = statement.transactions.map(({ bookingDate }) => bookingDate);
    expect(booked).toEqual(booked.toSorted().reverse());
    expect([booked.at(-1), booked[0]]).toEqual([statement.dateFrom, statement.dateTo]);
    expect(new Set(booked).size).toBe(Number(statement.dateTo.slice(8)));
  });
});
