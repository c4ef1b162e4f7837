/** Which days may be read: explicit ones within the consent, defaults clamped, old ones after a fresh authentication only. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPeriodOf } from '../../../src/api/ais/reads/read-period.js';
import { HOUR, MINUTE } from '../../../src/lib/clock.js';
import { Problem } from '../../../src/problem/problem.js';
import { type Answer, slugOf } from '../../support/client.js';
import { moveBankClock, resetSandbox } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';
import { daysAgo, historyBank, today, toSameDay } from './history-bank.js';
import { type Access, addAccess, codeOf, pathOf, read, type WantedAccess } from './support.js';

const service = useService({ bank: historyBank() }, toSameDay);

const STALE = 2 * HOUR;

const transactions = (access: Access, query = ''): Promise<Answer> =>
  read(service(), access, `${pathOf('getTransactions', access.first)}?limit=500${query && `&${query}`}`);

/** The first and the last day of the answer, as days ago. */
const spanOf = ({ json }: Answer): readonly [number, number] => {
  const { booked } = (json as { transactions: { booked: { bookingDate: string }[] } }).transactions;
  const ago = (date: string | undefined): number =>
    Math.round((Date.parse(today()) - Date.parse(date ?? '')) / 86_400_000);
  return [ago(booked.at(-1)?.bookingDate), ago(booked[0]?.bookingDate)];
};

describe('without dates', () => {
  it.each<[string, WantedAccess, readonly [number, number]]>([
    ['the last 90 days', {}, [90, 0]],
    ['no more after a fresh authentication', { scaAgeMs: MINUTE }, [90, 0]],
    ['from the first day of the consent', { transactionFrom: daysAgo(30) }, [30, 0]],
    ['90 days of a consent that reaches further', { transactionFrom: daysAgo(300) }, [90, 0]],
    ['to the last day of the consent', { transactionTo: daysAgo(10) }, [90, 10]],
    ['to today, where the consent goes on', { transactionTo: daysAgo(-30) }, [90, 0]],
  ])('it is %s', async (_what, wanted, span) => {
    const access = await addAccess(service(), { scaAgeMs: STALE, ...wanted });
    const answer = await transactions(access);
    expect([answer.status, spanOf(answer)]).toEqual([200, span]);
  });

  it.each<[string, WantedAccess]>([
    ['all more than 90 days ago', { transactionFrom: daysAgo(300), transactionTo: daysAgo(200) }],
    ['still to come', { transactionFrom: daysAgo(-5) }],
  ])('it is no day where those of the consent are %s', async (_what, wanted) => {
    const access = await addAccess(service(), wanted);
    expect((await transactions(access, 'bookingStatus=both')).json).toMatchObject({
      transactions: { booked: [], pending: [] },
    });
    const statements = await read(service(), access, pathOf('getStatements', access.first));
    expect(statements.json).toEqual({ statements: [] });
  });
});

const consented = { transactionFrom: daysAgo(60), transactionTo: daysAgo(20) };

describe('explicit dates', () => {
  it.each([
    [`dateFrom=${daysAgo(60)}`, [60, 20]],
    [`dateTo=${daysAgo(30)}`, [60, 30]],
    [`dateFrom=${daysAgo(40)}&dateTo=${daysAgo(40)}`, [40, 40]],
  ] as const)('within the consent: %s', async (query, span) => {
    const access = await addAccess(service(), consented);
    const answer = await transactions(access, query);
    expect([answer.status, spanOf(answer)]).toEqual([200, span]);
  });

  it.each([
    [`dateFrom=${daysAgo(61)}`, ['query.dateFrom']],
    [`dateFrom=${daysAgo(19)}`, ['query.dateFrom']],
    [`dateTo=${daysAgo(19)}`, ['query.dateTo']],
    [`dateTo=${daysAgo(61)}`, ['query.dateTo']],
    [`dateFrom=${daysAgo(61)}&dateTo=${daysAgo(0)}`, ['query.dateFrom', 'query.dateTo']],
    [`dateFrom=${daysAgo(30)}&dateTo=${daysAgo(31)}`, ['query.dateFrom']],
  ])('outside the consent or backwards are PERIOD_INVALID: %s', async (query, names) => {
    const access = await addAccess(service(), consented);
    for (const id of ['getTransactions', 'getStatements'] as const) {
      const answer = await read(service(), access, `${pathOf(id, access.first)}?${query}`);
      expect([answer.status, slugOf(answer), codeOf(answer)]).toEqual([
        400,
        'invalid-query',
        'PERIOD_INVALID',
      ]);
      expect(Object.keys((answer.json as { errors: object }).errors)).toEqual(names);
    }
  });

  it.each(['dateFrom=2026-02-30', 'dateTo=yesterday', 'dateFrom=2026-01-01T00:00:00Z'])(
    'that are none are FORMAT_ERROR: %s',
    async (query) => {
      const answer = await transactions(await addAccess(service()), query);
      expect([answer.status, slugOf(answer), codeOf(answer)]).toEqual([400, 'invalid-query', 'FORMAT_ERROR']);
    },
  );

  it('an end more than 90 days ago needs a beginning', async () => {
    const answer = await transactions(await addAccess(service()), `dateTo=${daysAgo(91)}`);
    expect([answer.status, codeOf(answer)]).toEqual([400, 'PERIOD_INVALID']);
  });
});

describe('more than 90 days ago', () => {
  const old = `dateFrom=${daysAgo(91)}`;

  it('is given within 60 minutes of an authentication, and then no more', async () => {
    const access = await addAccess(service(), { scaAgeMs: 0 });
    expect(spanOf(await transactions(access, old))).toEqual([91, 0]);
    await moveBankClock(service(), 'PT58M');
    expect((await transactions(access, old)).status).toBe(200);
    await moveBankClock(service(), 'PT3M');
    const late = await transactions(access, old);
    expect([late.status, slugOf(late), codeOf(late)]).toEqual([
      403,
      'history-needs-authentication',
      'HISTORY_NEEDS_AUTHENTICATION',
    ]);
    const startAuthorisation = {
      href: `${service().url}/ais/psd2/v1/consents/${access.id}/authorisations`,
    };
    const { extensions } = late.json as { extensions: { history: { dateFrom: string } } };
    expect(extensions).toMatchObject({
      error: { advice: 'ask-for-less', retryable: false },
      history: { dateFrom: daysAgo(90) },
      _links: { startAuthorisation },
    });
    // What it names is what can be read.
    expect((await transactions(access, `dateFrom=${extensions.history.dateFrom}`)).status).toBe(200);
    expect((await transactions(access)).status).toBe(200);
    await resetSandbox(service());
  });

  it('names a first open day within the consent, and none if all its days are old', async () => {
    const begins = await addAccess(service(), { scaAgeMs: STALE, transactionFrom: daysAgo(120) });
    const narrow = await addAccess(service(), {
      scaAgeMs: STALE,
      transactionFrom: daysAgo(200),
      transactionTo: daysAgo(100),
    });
    const first = await transactions(begins, `dateFrom=${daysAgo(100)}`);
    expect(first.json).toMatchObject({ extensions: { history: { dateFrom: daysAgo(90) } } });
    const none = await transactions(narrow, `dateFrom=${daysAgo(150)}`);
    expect(none.json).toMatchObject({ extensions: { history: {}, error: { advice: 'renew-consent' } } });
  });

  it.each([
    [STALE, 403],
    [MINUTE, 200],
  ])(
    'holds for single transactions and statements, %d ms after an authentication',
    async (scaAgeMs, status) => {
      const access = await addAccess(service(), { scaAgeMs });
      const paths = ['transactions/t1-91', 'statements/s1-5', `statements?${old}`];
      for (const path of paths) {
        const answer = await read(service(), access, `${pathOf('getAccount', access.first)}/${path}`);
        expect([path, answer.status]).toEqual([path, status]);
        if (status === 403) expect(slugOf(answer)).toBe('history-needs-authentication');
      }
      expect((await read(service(), access, `${pathOf('getTransactions', access.first)}/t1-90`)).status).toBe(
        200,
      );
    },
  );
});

describe('one transaction or statement outside the consented days', () => {
  it('is not found', async () => {
    const access = await addAccess(service(), { transactionFrom: daysAgo(60), transactionTo: daysAgo(20) });
    const at = async (path: string): Promise<number> =>
      (await read(service(), access, `${pathOf('getAccount', access.first)}/${path}`)).status;
    expect(await at('transactions/t1-60')).toBe(200);
    expect(await at('transactions/t1-20')).toBe(200);
    expect(await at('transactions/t1-61')).toBe(404);
    expect(await at('transactions/t1-19')).toBe(404);
    expect(await at('transactions/p1')).toBe(404);
    expect(await at('statements/s1-12')).toBe(404);
  });
});

describe('for all dates', () => {
  const day = fc.integer({ min: -40, max: 400 }).map(daysAgo);
  const maybe = fc.option(day, { nil: undefined });

  it('what is read lies within what is consented, and only what was asked for explicitly is old', () => {
    fc.assert(
      fc.property(maybe, maybe, maybe, maybe, (dateFrom, dateTo, first, last) => {
        const limits = {
          ...(first ? { transactionFrom: first } : {}),
          ...(last ? { transactionTo: last } : {}),
        };
        try {
          const { from, to, isOld } = readPeriodOf({ dateFrom, dateTo }, limits, today());
          expect(isOld).toBe(from < daysAgo(90));
          if (isOld) expect(dateFrom).toBe(from);
          if (from > to) expect([dateFrom, dateTo]).toEqual([undefined, undefined]);
          if (from <= to && first) expect(from >= first).toBe(true);
          if (from <= to && last) expect(to <= last).toBe(true);
          if (dateFrom) expect(from).toBe(dateFrom);
          if (dateTo) expect(to).toBe(dateTo);
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          expect(error.slug).toBe('invalid-query');
          expect(dateFrom ?? dateTo).toBeDefined();
        }
      }),
      { numRuns: 2000 },
    );
  });
});
