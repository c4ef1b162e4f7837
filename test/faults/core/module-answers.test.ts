/** A bank's module that answers something else than it was asked: refused as a fault of the bank, whatever the method. */
import { describe, expect, it } from 'vitest';
import type { Bank } from '../../../src/bank/bank.js';
import { accountsFor } from '../../../src/bank/guard/held-accounts.js';
import { forHolders } from '../../../src/bank/guard/memberships.js';
import { dependableBank } from '../../../src/bank/guard/module.js';
import { bankWith } from '../../bank/banks.js';
import { ManualClock } from '../../lib/manual-clock.js';
import { account, psuId } from '../../support/operations.js';

const context = { psuId: psuId('eleni') };
const { id: accountId } = account('eleni', 101);
const query = {
  accountId,
  from: '2026-10-01',
  to: '2026-10-31',
  status: 'booked',
  after: null,
  limit: 2,
  context,
} as const;
const transfer = {
  product: 'domestic',
  bearer: 'sha',
  creditAccount: {},
  currency: 'EUR',
  amountMinor: 100,
} as const;

const transaction = {
  id: 't1',
  status: 'booked',
  bookingDate: '2026-10-20',
  valueDate: '2026-10-20',
  at: 1,
  currency: 'EUR',
  amountMinor: -100,
  code: 'PMNT-ICDT-ESCT',
  balanceMinor: 5,
  details: {},
};
const older = { ...transaction, id: 't2', bookingDate: '2026-10-19' };
const statement = {
  ...{ id: 's1', currency: 'EUR', from: '2026-10-01', to: '2026-10-31', createdAt: 1 },
  ...{ openingMinor: 0, closingMinor: 0, creditsMinor: 0, debitsMinor: 0, creditCount: 0, debitCount: 0 },
};
const half = { ...statement, id: 's2', number: '20/2026', from: '2026-10-16' };
const balance = { type: 'interimBooked', currency: 'EUR', amountMinor: 1, includesCreditLine: false, at: 1 };
const terms = { faults: {}, charge: { currency: 'EUR', amountMinor: 0 }, quote: null };

const ask = {
  hasFunds: (bank) => bank.hasFunds({ accountId, currency: 'EUR', amountMinor: 1n, context }),
  accountsOf: (bank) => bank.accountsOf(context.psuId),
  termsFor: (bank) => bank.termsFor(transfer),
  balances: (bank) => bank.balances(accountId, context),
  transactions: (bank) => bank.transactions(query),
  transaction: (bank) => bank.transaction(accountId, 't1', context),
  statements: (bank) => bank.statements(accountId, query.from, query.to, context),
  statement: (bank) => bank.statement(accountId, 's1', context),
  statementDocument: async (bank) => bank.statementDocument?.(accountId, 's1', context),
} satisfies Partial<Record<keyof Bank, (bank: Bank) => Promise<unknown>>>;
type Asked = keyof typeof ask;

const answering = (method: Asked, answer: unknown): Bank =>
  forHolders(dependableBank(bankWith({ [method]: async () => answer }), 1000), new ManualClock());

const page = (...items: object[]) => ({ items, next: null });

const right: readonly (readonly [Asked, unknown])[] = [
  ['hasFunds', true],
  ['termsFor', terms],
  ['balances', [balance]],
  ['transactions', page(transaction, older)],
  ['transaction', transaction],
  ['transaction', { ...transaction, code: undefined, balanceMinor: undefined, proprietaryCode: 'Ανάληψη' }],
  ['transaction', undefined],
  ['statements', [statement]],
  ['statements', [half, statement, { ...statement, id: 's3', to: '2026-10-15' }]],
  ['statement', statement],
  ['statementDocument', Buffer.from('%PDF-1.7')],
  ['statementDocument', undefined],
];

const wrong: readonly (readonly [string, Asked, unknown])[] = [
  ['text for a boolean', 'hasFunds', 'false'],
  ['a promise of nothing', 'hasFunds', undefined],
  ['the same account twice', 'accountsOf', [account('eleni', 101), account('eleni', 101)]],
  ['no list', 'accountsOf', {}],
  ['another currency', 'balances', [{ ...balance, currency: 'USD' }]],
  ['text for an amount', 'balances', [{ ...balance, amountMinor: '1' }]],
  ['a fraction of a cent', 'balances', [{ ...balance, amountMinor: 1.5 }]],
  ['a type twice', 'balances', [balance, balance]],
  ['another currency', 'transactions', page({ ...transaction, currency: 'USD' })],
  ['a day outside', 'transactions', page({ ...transaction, bookingDate: '2026-11-01' })],
  [
    'another status',
    'transactions',
    page({ ...transaction, status: 'pending', bookingDate: null, balanceMinor: null }),
  ],
  ['a code with a line break', 'transactions', page({ ...transaction, proprietaryCode: 'a\nb' })],
  ['the oldest first', 'transactions', page(older, transaction)],
  ['the same twice', 'transactions', page(transaction, transaction)],
  ['too many', 'transactions', page(transaction, older, { ...older, id: 't3' })],
  ['a page that leads nowhere', 'transactions', { items: [], next: 'x' }],
  ['another one', 'transaction', older],
  ['another currency', 'transaction', { ...transaction, currency: 'USD' }],
  ['another currency', 'statements', [{ ...statement, currency: 'USD' }]],
  ['a month outside', 'statements', [{ ...statement, from: '2026-09-01', to: '2026-09-30' }]],
  ['the oldest first', 'statements', [{ ...statement, to: '2026-10-15' }, half]],
  ['a number of 36 letters', 'statement', { ...statement, number: '1'.repeat(36) }],
  ['more than a year', 'statement', { ...statement, from: '2025-10-30' }],
  ['an end before its beginning', 'statement', { ...statement, from: '2026-11-01' }],
  ['another one', 'statement', { ...statement, id: 's2' }],
  ['another currency', 'statement', { ...statement, currency: 'USD' }],
  ['a text', 'statementDocument', '%PDF-1.7'],
  ['a page', 'statementDocument', Buffer.from('<!doctype html>')],
  ['no bytes', 'statementDocument', Buffer.of()],
  ['a charge nobody can pay', 'termsFor', { ...terms, charge: { currency: 'USD', amountMinor: 30 } }],
  ['a negative charge', 'termsFor', { ...terms, charge: { currency: 'EUR', amountMinor: -1 } }],
];

describe('a module that answers', () => {
  it.each(right)('%s as it should is passed on', async (method, answer) => {
    expect(await ask[method](answering(method, answer))).toEqual(answer);
  });

  it.each(wrong)('integrator S1: %s to %s is unavailable', async (_what, method, answer) => {
    await expect(ask[method](answering(method, answer))).rejects.toMatchObject({
      slug: 'dependency-unavailable',
    });
  });

  it('integrator S1: the first page again, whichever was asked for, is unavailable', async () => {
    const bank = answering('transactions', { items: [transaction, older], next: 'after-t2' });
    const following = { ...query, after: 'after-t4', last: { id: 't4', day: '2026-10-15' } };
    await expect(bank.transactions(following)).rejects.toMatchObject({ slug: 'dependency-unavailable' });
  });

  it('integrator S1: an account in another currency than was approved is unavailable', async () => {
    const bank = answering('accountsOf', [
      { ...account('eleni', 101), ownerName: 'E', balanceMinor: 0, currency: 'USD' },
    ]);
    const fault = { slug: 'dependency-unavailable' };
    await expect(bank.balances(accountId, { ...context, currency: 'EUR' })).rejects.toMatchObject(fault);
    await expect(ask.hasFunds(bank)).rejects.toMatchObject(fault);
    await expect(accountsFor(bank, context.psuId, [{ accountId, currency: 'EUR' }])).rejects.toMatchObject(
      fault,
    );
  });
});
