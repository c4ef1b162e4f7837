/** The ports in front of a core over HTTP: what is sent, and what is taken for an answer. */
import { beforeEach, describe, expect, it } from 'vitest';
import { NoSuchAccount } from '../../../src/bank/bank.js';
import { coreExamples } from '../../../src/bank/http/contract/examples.js';
import { coreOperations } from '../../../src/bank/http/contract/operations.js';
import { decimalOf, minorIn } from '../../../src/bank/http/conversions.js';
import type { PaymentInstruction } from '../../../src/bank/payments.js';
import { breachFinder } from '../../../src/http/validate.js';
import { MINUTE } from '../../../src/lib/clock.js';
import { json, NOW, somebody, useTestCore } from './raw-core.js';

const { core, adapter } = useTestCore();
beforeEach(() => {
  core.seen.length = 0;
});

type Id = keyof typeof coreOperations;
/** The core answers with the example, changed. */
const says = (id: Id, changes: object = {}): void => {
  core.behave = (_seen, response) => json(response, { ...coreExamples[id].answer, ...changes });
};
const status = (code: number): void => {
  core.behave = (_seen, response) => response.writeHead(code).end();
};
const last = () => core.seen.at(-1);
const fault = async (asked: Promise<unknown>): Promise<string> => {
  await expect(asked).rejects.toMatchObject({ slug: 'dependency-unavailable' });
  return adapter().told.at(-1)?.outcome ?? '';
};

const accountId = 'GR-101-EUR';
const days = { from: '2026-08-17', to: '2026-11-15' };
const query = { accountId, ...days, status: 'booked', limit: 50, after: null, context: somebody } as const;

describe('the history of an account', () => {
  const [transaction] = (coreExamples.listTransactions.answer as { transactions: object[] }).transactions;
  const page = (...items: object[]) => ({ transactions: items, next: null });

  it('is read page by page, in minor units', async () => {
    says('listTransactions');
    const { items, next } = await adapter().bank.transactions({ ...query, after: '20261101-000290' });
    expect(last()?.path).toBe(
      '/core/accounts/GR-101-EUR/transactions?from=2026-08-17&to=2026-11-15&status=booked&limit=50&after=20261101-000290',
    );
    expect(items[0]).toMatchObject({
      amountMinor: -1250,
      balanceMinor: 183025,
      at: Date.UTC(2026, 10, 13, 10, 15),
    });
    expect(next).toBe('20261113-000317');
  });

  it.each([
    ['a day before the first', 'wrong-echo', page({ ...transaction, bookingDate: '2026-08-16' })],
    ['a day after the last', 'wrong-echo', page({ ...transaction, bookingDate: '2026-11-16' })],
    [
      'a pending one',
      'wrong-echo',
      page({ ...transaction, status: 'pending', bookingDate: null, balance: null }),
    ],
    [
      'more than were asked for',
      'wrong-echo',
      page(...Array.from({ length: 51 }, (_, i) => ({ ...transaction, id: `t${i}` }))),
    ],
    ['another account', 'wrong-echo', { accountId: 'other' }],
    [
      'two currencies',
      'wrong-currency',
      page(transaction ?? {}, { ...transaction, id: 't2', currency: 'USD' }),
    ],
    ['a currency that there is not', 'wrong-currency', page({ ...transaction, currency: 'XYZ' })],
    ['too many decimals', 'garbage', page({ ...transaction, amount: '-12.505' })],
    ['an amount beyond whole numbers', 'garbage', page({ ...transaction, amount: '-999999999999999.99' })],
    ['a booked one without its day', 'garbage', page({ ...transaction, bookingDate: null })],
    ['a code of its own that is empty', 'garbage', page({ ...transaction, proprietaryCode: '' })],
    ['one that is too long', 'garbage', page({ ...transaction, proprietaryCode: 'x'.repeat(36) })],
    ['one with a line break', 'garbage', page({ ...transaction, proprietaryCode: 'POS\nATM' })],
    ['the same twice', 'garbage', page(transaction ?? {}, transaction ?? {})],
    ['a day that there is not', 'garbage', page({ ...transaction, valueDate: '2026-02-30' })],
    ['an empty page that goes on', 'garbage', { transactions: [], next: 'again' }],
  ])('is refused with %s', async (_what, kind, changes) => {
    says('listTransactions', changes);
    expect(await fault(adapter().bank.transactions(query))).toBe(kind);
  });

  it('is refused with a balance after what is pending', async () => {
    says('listTransactions', page({ ...transaction, status: 'pending', bookingDate: null }));
    expect(await fault(adapter().bank.transactions({ ...query, status: 'pending' }))).toBe('garbage');
    expect(adapter().told.at(-1)).toMatchObject({ fault: { breach: { member: '/transactions/*/balance' } } });
  });

  it('knows a bad cursor, and takes 400 without one for a fault', async () => {
    status(400);
    await expect(adapter().bank.transactions({ ...query, after: 'x' })).rejects.toThrow('not a cursor');
    expect(await fault(adapter().bank.transactions(query))).toBe('status');
  });

  it('has what is absent as undefined, names the person, and knows an account that is not theirs', async () => {
    status(404);
    expect(await adapter().bank.transaction(accountId, 'T-1', somebody)).toBeUndefined();
    expect(await adapter().bank.statement(accountId, '2026-10', somebody)).toBeUndefined();
    const lists = [
      () => adapter().bank.balances(accountId, somebody),
      () => adapter().bank.transactions(query),
      () => adapter().bank.transactions({ ...query, after: 'x' }),
      () => adapter().bank.statements(accountId, days.from, days.to, somebody),
      () => adapter().bank.hasFunds({ accountId, currency: 'EUR', amountMinor: 1n, context: somebody }),
    ];
    for (const list of lists) await expect(list()).rejects.toBeInstanceOf(NoSuchAccount);
    expect(core.seen.map(({ headers }) => headers['psu-id'])).toEqual(core.seen.map(() => somebody.psuId));
    expect(await fault(adapter().bank.accountsOf('p'))).toBe('status');
    says('readTransaction');
    expect(await fault(adapter().bank.transaction(accountId, 'T-1', somebody))).toBe('wrong-echo');
    expect(await adapter().bank.transaction(accountId, 'T-2026-000317', somebody)).toMatchObject({
      amountMinor: -1250,
    });
  });

  it('is not asked for what can be no id, or would lead elsewhere', async () => {
    for (const id of ['..', '.', 'no such id', '', 'ä', 'x'.repeat(129)]) {
      expect(await adapter().bank.transaction(accountId, id, somebody)).toBeUndefined();
      expect(await adapter().bank.statement(accountId, id, somebody)).toBeUndefined();
      expect(await adapter().bank.accountsOf(id)).toEqual([]);
    }
    expect(core.seen).toEqual([]);
    status(404);
    await adapter().bank.transaction('a/b?c', '../funds', somebody);
    expect(last()?.path).toBe('/core/accounts/a%2Fb%3Fc/transactions/..%2Ffunds');
  });

  it('has statements within the days, and balances of each type once', async () => {
    says('listStatements');
    const [statement] = await adapter().bank.statements(accountId, '2026-10-01', '2026-10-31', somebody);
    expect(statement).toMatchObject({ openingMinor: 150000, debitsMinor: 105725, debitCount: 31 });
    expect(await fault(adapter().bank.statements(accountId, '2026-10-02', '2026-10-31', somebody))).toBe(
      'wrong-echo',
    );
    const [balance] = (coreExamples.readBalances.answer as { balances: object[] }).balances;
    says('readBalances', { balances: [balance, balance] });
    expect(await fault(adapter().bank.balances(accountId, somebody))).toBe('garbage');
  });
});

describe('amounts', () => {
  it.each([
    ['12.50', 'EUR', 1250, '12.50'],
    ['-0.05', 'EUR', -5, '-0.05'],
    ['-0.00', 'EUR', 0, '0.00'],
    ['7', 'EUR', 700, '7.00'],
    ['1200', 'JPY', 1200, '1200'],
    ['1.5', 'KWD', 1500, '1.500'],
  ])('%s %s is %d and back', (text, currency, minor, back) => {
    expect(minorIn({ currency, amount: text }, 'amount')).toBe(minor);
    expect(decimalOf(minor, currency)).toBe(back);
  });
});

describe('payments', () => {
  const books = () => {
    const { payments } = adapter().bank;
    if (payments?.kind !== 'remote') throw new Error('no remote books');
    return payments;
  };
  const paymentId = coreExamples.executePayment.params?.paymentId ?? '';
  const charge = { currency: 'EUR', amountMinor: 1200 };
  const quote = {
    currency: 'USD',
    amountMinor: 10000,
    payCurrency: 'EUR',
    payMinor: 9213,
    rateMicros: 921_300,
    chargeMinor: 1303,
  };
  const instruction = {
    ...{
      id: paymentId,
      product: 'international',
      bearer: 'sha',
      currency: 'USD',
      amountMinor: 10000,
      charge,
      quote,
    },
    payer: { id: accountId },
    creditAccount: { iban: 'gr16 0110 1250 0000 0001 2300 695' },
    creditorAgent: { bic: 'ethngraa', name: null, country: 'GR' },
    ...{ creditorName: 'Γιώργος Νικολάου', endToEndId: null, remittance: 'Rent', at: NOW },
    consent: { id: 'c', clientId: 'x', bankData: null },
  } as unknown as PaymentInstruction;

  it('are sent as they were approved, once', async () => {
    status(502);
    await expect(books().execute(instruction)).rejects.toThrow('dependency-unavailable');
    expect(core.seen).toHaveLength(1);
    const { method, path, body, headers } = core.seen[0] ?? expect.unreachable();
    expect(`${method} ${path}`).toBe(`PUT /core/payments/${paymentId}`);
    expect(headers['consent-id']).toBe('c');
    expect(breachFinder(coreOperations.executePayment.body)(body)).toBeUndefined();
    expect(body).toMatchObject({
      amount: { currency: 'USD', amount: '100.00' },
      creditAccount: { iban: 'GR1601101250000000012300695' },
      creditorAgent: { bic: 'ETHNGRAA', country: 'GR' },
      quote: {
        pay: { currency: 'EUR', amount: '92.13' },
        rate: '0.921300',
        charge: { currency: 'USD', amount: '13.03' },
      },
      approvedAt: '2026-11-15T09:30:00.000Z',
    });
  });

  it.each([
    ['a time to come', '2026-11-15T09:31:00Z', NOW + MINUTE],
    ['a past time', '2026-11-15T09:29:00Z', NOW - MINUTE],
    ['no time', null, 0],
  ])('under way with %s are asked about then, or soon', async (_what, lookAgainAt, expected) => {
    says('executePayment', { lookAgainAt });
    expect(await books().execute(instruction)).toEqual({ status: 'ACSP', lookAgainAt: expected });
  });

  it('end with what the core says, and a reason where they were rejected', async () => {
    const reason = { code: 'AM04', text: 'Not enough money.' };
    says('readPayment', { status: 'RJCT', reason });
    expect(await books().find(paymentId)).toEqual({ status: 'RJCT', reason });
    says('readPayment');
    expect(await books().find(paymentId)).toEqual({ status: 'ACSC' });
    for (const changes of [
      { status: 'RJCT' },
      { reason },
      { paymentId: '5b0a4c1e-9a43-4b47-9f0f-9b3d6c0f1e25' },
    ]) {
      says('readPayment', changes);
      await expect(books().find(paymentId)).rejects.toThrow('dependency-unavailable');
    }
    status(404);
    expect(await books().find(paymentId)).toBeUndefined();
    await expect(books().execute(instruction)).rejects.toThrow('dependency-unavailable');
  });

  it('are called back as the core says, if it knows them and has that operation', async () => {
    says('cancelPayment');
    expect(await books().cancel?.(paymentId)).toMatchObject({ status: 'CANC', reason: { code: 'CUST' } });
    expect(`${last()?.method} ${last()?.path}`).toBe(`POST /core/payments/${paymentId}/cancellation`);
    says('readPayment');
    expect(await books().cancel?.(paymentId)).toEqual({ status: 'ACSC' });
    status(404);
    expect(await books().cancel?.(paymentId)).toBeUndefined();
    for (const code of [405, 501]) {
      status(code);
      expect(await books().cancel?.(paymentId)).toBe('not-offered');
    }
    for (const code of [400, 401, 409, 500, 503]) {
      status(code);
      await expect(books().cancel?.(paymentId)).rejects.toThrow('dependency-unavailable');
    }
    says('cancelPayment', { paymentId: '5b0a4c1e-9a43-4b47-9f0f-9b3d6c0f1e25' });
    await expect(books().cancel?.(paymentId)).rejects.toThrow('dependency-unavailable');
  });

  it('have terms in the right currencies', async () => {
    const transfer = { ...instruction, creditAccount: { bban: '01-23' } };
    const wire = {
      pay: { currency: 'EUR', amount: '92.13' },
      rate: '0.9213',
      charge: { currency: 'USD', amount: '13.03' },
    };
    const fee = { charge: { currency: 'EUR', amount: '12.00' } };
    says('quoteTransfer', {
      limit: undefined,
      ...fee,
      quote: wire,
      faults: [{ member: 'chargeBearer', message: 'must be sha' }],
    });
    expect(await adapter().bank.termsFor(transfer)).toMatchObject({
      faults: { chargeBearer: ['must be sha'] },
      charge,
      quote,
    });
    expect(breachFinder(coreOperations.quoteTransfer.body)(last()?.body)).toBeUndefined();
    for (const [changes, kind] of [
      [{ ...fee, quote: { ...wire, charge: wire.pay } }, 'wrong-currency'],
      [{ charge: { currency: 'GBP', amount: '1.00' }, quote: wire }, 'wrong-currency'],
      [{ ...fee, quote: { ...wire, rate: '0' } }, 'garbage'],
      [{ charge: { currency: 'EUR', amount: '-1.00' } }, 'garbage'],
    ] as const) {
      says('quoteTransfer', { limit: undefined, ...changes });
      expect(await fault(adapter().bank.termsFor(transfer))).toBe(kind);
    }
  });
});
