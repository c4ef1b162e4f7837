/** Operation 1: the answer itself, the amounts it compares, the record it leaves, and every status it can have. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, slugOf } from '../support/client.js';
import { countFundsRecords, fundsRecords } from '../support/consents.js';
import { engines } from '../support/engines.js';
import { account, FINANCE, FUNDS, type FundsBody, fundsBody, ibanOf, psuId } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { type Use, useService, withStore } from '../support/use-service.js';
import { commonStatuses } from './common-statuses.js';

const ask = (service: Service, body: object | string, psu = 'eleni', requestId?: string): Promise<Answer> =>
  service.call({
    method: 'POST',
    path: FUNDS,
    body,
    as: { psu },
    headers: {
      'Content-Type': 'application/json-patch+json',
      ...(requestId && { 'X-Request-ID': requestId }),
    },
  });

const about = (
  psu: string,
  number: number,
  amount: number,
  currency: string | null = 'EUR',
): readonly [FundsBody, string] => [
  fundsBody({ account: { iban: ibanOf(psu, number) }, instructedAmount: { currency, amount } }),
  psu,
];

const errorsOf = (answer: Answer): Record<string, string[]> =>
  (answer.json as { errors?: Record<string, string[]> }).errors ?? {};

/** Booked − pending + credit line, to the last minor unit. */
const boundaries: readonly [string, string, number, number, string, boolean][] = [
  ['all that is available', 'eleni', 101, 2330.25, 'EUR', true],
  ['one cent more than is available', 'eleni', 101, 2330.26, 'EUR', false],
  ['a pending debit is not available', 'eleni', 101, 2450.75, 'EUR', false],
  ['the last cent', 'giorgos', 401, 0.01, 'EUR', true],
  ['a cent after the last', 'giorgos', 401, 0.02, 'EUR', false],
  ['an overdrawn account up to its credit line', 'katerina', 501, 600.1, 'EUR', true],
  ['an overdrawn account beyond its credit line', 'katerina', 501, 600.11, 'EUR', false],
  ['a large balance with its credit line', 'vasilis', 1101, 99_265_432.1, 'EUR', true],
  ['a cent beyond a large balance', 'vasilis', 1101, 99_265_432.11, 'EUR', false],
  ['whole yen', 'maria', 301, 180_000, 'JPY', true],
  ['one yen more', 'maria', 301, 180_001, 'JPY', false],
  ['dinars to the fils', 'maria', 302, 4500.125, 'KWD', true],
  ['one fils more', 'maria', 302, 4500.126, 'KWD', false],
  ['a blocked account has no funds', 'ioanna', 1001, 0.01, 'EUR', false],
  ['a closed account has no funds', 'dimitris', 602, 0.01, 'EUR', false],
  ['15 digits', 'vasilis', 1101, 999_999_999_999_999, 'EUR', false],
  ['an amount beyond every balance', 'vasilis', 1101, 1e300, 'EUR', false],
  ['the largest power of ten', 'maria', 301, 1e308, 'JPY', false],
];

const amounts = (service: Use): void => {
  it.each(boundaries)('%s', async (_what, psu, number, amount, currency, expected) => {
    const [body] = about(psu, number, amount, currency);
    const answer = await ask(service(), body, psu);
    expect([answer.status, answer.text]).toEqual([200, `{"fundsAvailable":${expected}}`]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('decides as exact arithmetic does, for any amount of cents', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 500_000 }), async (cents) => {
        const answer = await ask(service(), ...about('eleni', 101, Number(`${cents}e-2`)));
        expect(answer.json).toEqual({ fundsAvailable: cents <= 233_025 });
      }),
      { numRuns: 100 },
    );
  });

  it.each(['2330.25', '2330.250', '2.33025e3', '233025e-2', '0.233025E+4'])(
    'reads %s as the same amount',
    async (written) => {
      const text = JSON.stringify(fundsBody()).replace('25.5', written);
      expect((await ask(service(), text)).json).toEqual({ fundsAvailable: true });
    },
  );

  it('takes a null currency for the currency of the account', async () => {
    const answers = await Promise.all([
      ask(service(), ...about('eleni', 101, 2330.25, null)),
      ask(service(), ...about('maria', 301, 180_001, null)),
      ask(service(), ...about('maria', 302, 4500.125, null)),
    ]);
    expect(answers.map(({ text }) => text)).toEqual([
      '{"fundsAvailable":true}',
      '{"fundsAvailable":false}',
      '{"fundsAvailable":true}',
    ]);
  });

  it('counts the payee in characters as people see them: 70 emoji pass', async () => {
    for (const payee of ['🏦'.repeat(70), 'Ω'.repeat(70), 'x', null])
      expect((await ask(service(), fundsBody({ payee }))).status).toBe(200);
    expect((await ask(service(), fundsBody({ payee: '' }))).status).toBe(400);
  });
};

const records = (service: Use): void => {
  it('is written before the answer leaves: who asked, when, for how much, and what was answered', async () => {
    const requestId = randomUUID();
    const session = randomUUID();
    const askedAt = service().clock.now();
    const answer = await service().call({
      method: 'POST',
      path: FUNDS,
      body: fundsBody({ payee: 'Βιβλιοπωλείο', instructedAmount: { currency: 'EUR', amount: 2330.26 } }),
      headers: { 'X-Request-ID': requestId.toUpperCase(), 'Consent-ID': session },
    });
    expect(answer.json).toEqual({ fundsAvailable: false });
    const [record, ...more] = await fundsRecords(service(), requestId);
    expect(more).toEqual([]);
    expect(record).toMatchObject({
      consent_id: service().consent('ConfirmationOfFunds', 'Valid', { psu: 'eleni' }).id,
      client_id: FINANCE,
      psu_id: psuId('eleni'),
      account_id: account('eleni', 101).id,
      payee: 'Βιβλιοπωλείο',
      amount: '2330.26',
      currency: 'EUR',
      available: 0,
      session_consent_id: session,
    });
    expect(record?.asked_at).toBeGreaterThanOrEqual(askedAt);
    expect(record?.asked_at).toBeLessThanOrEqual(service().clock.now());
  });

  it.each(["'); drop table consents; --", '<b onload=x>', 'a\r\nSet-Cookie: b', '{{7*7}} #{x}', '%00%27'])(
    'holds the payee as it was written, and nothing else: %s',
    async (payee) => {
      const requestId = randomUUID();
      expect((await ask(service(), fundsBody({ payee }), 'eleni', requestId)).status).toBe(200);
      const [record] = await fundsRecords(service(), requestId);
      expect([record?.payee, record?.session_consent_id]).toEqual([payee, null]);
    },
  );

  it('is not written for a refused question', async () => {
    const before = await countFundsRecords(service());
    const refused = [
      await ask(service(), '{'),
      await ask(service(), fundsBody({ payee: 'x'.repeat(71) })),
      await ask(service(), ...about('nikos', 202, 1)),
      await ask(service(), fundsBody({ account: { iban: ibanOf('nikos', 201) } })),
      await ask(service(), ...about('eleni', 101, 1, 'USD')),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 403, 403, 400]);
    expect(await countFundsRecords(service())).toBe(before);
  });
};

const noRecordNoAnswer = (service: Use): void => {
  it('gives no answer that cannot be recorded', async () => {
    expect((await ask(service(), fundsBody())).status).toBe(200);
    await withStore(service(), (db) => db.script('alter table funds_confirmations rename to gone'));
    const answer = await ask(service(), fundsBody());
    expect(answer.status).toBe(500);
    expect(answer.text).not.toContain('fundsAvailable');
  });
};

const cases: readonly [string, unknown][] = [
  ['instructedAmount.amount', { instructedAmount: { currency: 'EUR', amount: 0 } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'EUR', amount: -1 } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'EUR', amount: 0.001 } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'JPY', amount: 1.5 } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'KWD', amount: 1.0001 } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'EUR', amount: 1_234_567_890_123_456 } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'EUR', amount: 0.1 + 0.2 } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'EUR', amount: '1' } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'EUR', amount: null } }],
  ['instructedAmount.amount', { instructedAmount: { currency: 'EUR' } }],
  ['instructedAmount.currency', { instructedAmount: { amount: 1 } }],
  ['instructedAmount.currency', { instructedAmount: { currency: 'eur', amount: 1 } }],
  ['instructedAmount.currency', { instructedAmount: { currency: 'XXX', amount: 1 } }],
  ['instructedAmount', { instructedAmount: null }],
  ['account', { account: null }],
  ['account', { account: [] }],
  ['account.iban', { account: { iban: 'GR9699900010000000000000102' } }],
  ['account.iban', { account: { iban: '' } }],
  ['account.bban', { account: { bban: 'ΩΩ' } }],
  ['account.msisdn', { account: { msisdn: '12' } }],
  ['account.currency', { account: { iban: ibanOf('eleni', 101), currency: 'EURO' } }],
  ['cardNumber', { cardNumber: '123' }],
  ['cardNumber', { cardNumber: 99_990_000 }],
  ['payee', { payee: 'x'.repeat(71) }],
  ['payee', { payee: '🏦'.repeat(71) }],
];

const badRequests = (service: Use): void => {
  it.each(cases)('names %s in %o', async (field, change) => {
    const answer = await ask(service(), { ...fundsBody(), ...(change as object) });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'validation-failed']);
    expect(Object.keys(errorsOf(answer))).toContain(field);
  });

  it('reports all faults of the body together', async () => {
    const answer = await ask(service(), { account: { iban: 'x' }, payee: 'x'.repeat(71), extra: 1 });
    expect(Object.keys(errorsOf(answer)).sort()).toEqual([
      'account.iban',
      'extra',
      'instructedAmount',
      'payee',
    ]);
  });

  it('checks the decimals of a null currency against the account', async () => {
    for (const [psu, number, amount] of [
      ['eleni', 101, 0.001],
      ['maria', 301, 0.5],
      ['maria', 302, 0.0001],
    ] as const) {
      const answer = await ask(service(), ...about(psu, number, amount, null));
      expect([answer.status, Object.keys(errorsOf(answer))]).toEqual([400, ['instructedAmount.amount']]);
    }
  });

  it('confirms funds only in the currency of the account', async () => {
    const answer = await ask(service(), ...about('eleni', 101, 1, 'USD'));
    expect([answer.status, slugOf(answer)]).toEqual([400, 'currency-mismatch']);
  });

  it.each(['not-a-uuid', '99391c7e-ad88-49ec-a2ad', '{99391c7e-ad88-49ec-a2ad-99ddcb1f7721}'])(
    'refuses the ids %s in X-Request-ID and Consent-ID',
    async (id) => {
      const headers = { 'X-Request-ID': id, 'Consent-ID': id };
      const answer = await service().call({ method: 'POST', path: FUNDS, body: fundsBody(), headers });
      expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
      expect(errorsOf(answer)).toEqual({
        'header.Consent-ID': ['must be a UUID'],
        'header.X-Request-ID': ['must be a UUID'],
      });
    },
  );
};

describe.each(engines)('confirm funds on %s', (engine) => {
  const service = useService({ engine });
  describe('200 OK: amounts', () => amounts(service));
  describe('200 OK: the durable record', () => records(service));
  describe('400 Bad Request', () => badRequests(service));
  describe('500 without a record', () => noRecordNoAnswer(useService({ engine })));
  commonStatuses('confirmFunds', engine, service);
});
