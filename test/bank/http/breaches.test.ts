/** A log line names the member and the rule that an answer of the core breaks. */
import { describe, expect, it } from 'vitest';
import { coreExamples } from '../../../src/bank/http/contract/examples.js';
import { json, somebody, useTestCore } from './raw-core.js';

const { core, adapter } = useTestCore();

type Id = keyof typeof coreExamples;
const accountId = 'GR-101-EUR';
const query = {
  accountId,
  from: '2026-08-17',
  to: '2026-11-15',
  status: 'booked',
  limit: 50,
  after: null,
  context: somebody,
} as const;

describe('an answer that breaks a rule', () => {
  const [transaction] = (coreExamples.listTransactions.answer as { transactions: object[] }).transactions;
  const { statement } = coreExamples.readStatement.answer as { statement: object };
  const [balance] = (coreExamples.readBalances.answer as { balances: object[] }).balances;
  const [held] = (coreExamples.findAccounts.answer as { accounts: object[] }).accounts;
  const balances = (changes: object) => ({
    balances: [balance, { ...balance, type: 'interimBooked', ...changes }],
  });
  const older = { ...transaction, id: 't2', bookingDate: '2026-11-01' };
  const asked: Partial<Record<Id, () => Promise<unknown>>> = {
    readBalances: () => adapter().bank.balances(accountId, { ...somebody, currency: 'EUR' }),
    listTransactions: () => adapter().bank.transactions(query),
    findAccounts: () => adapter().bank.accountsOf('customer-4711'),
    login: () => adapter().accountHolders.login('eleni', 'x'),
    readStatement: () => adapter().bank.statement(accountId, '2026-10', somebody),
    listStatements: () => adapter().bank.statements(accountId, '2026-10-02', '2026-10-31', somebody),
  };

  it.each<[Id, string, object]>([
    ['readBalances', '/balances/1/amount: text expected', balances({ amount: 12.5 })],
    ['readBalances', '/balances/1/amount: wrong pattern', balances({ amount: '12,50' })],
    [
      'readBalances',
      '/balances/1/amount: more decimals than the currency has',
      balances({ amount: '1.555' }),
    ],
    ['readBalances', '/balances/1/at: missing', balances({ at: undefined })],
    ['readBalances', '/balances/1/at: not a date-time', balances({ at: 'yesterday' })],
    ['readBalances', '/balances/1/type: none of the allowed values', balances({ type: 'secret' })],
    ['readBalances', '/balances/1/currency: not that of the account', balances({ currency: 'USD' })],
    ['readBalances', '/balances/1: has a member that is not described', balances({ GR9699900: 1 })],
    ['readBalances', '/balances/1/type: the same twice', balances({ type: 'interimAvailable' })],
    ['readBalances', '/balances: list expected', { balances: {} }],
    ['readBalances', '/accountId: not the one that was asked for', { accountId: 'GR-102-EUR' }],
    [
      'listTransactions',
      '/transactions/0/bookingDate: not a date',
      { transactions: [{ ...transaction, bookingDate: '2026-02-30' }] },
    ],
    [
      'listTransactions',
      '/transactions/1: newer than the one before',
      { transactions: [older, transaction] },
    ],
    [
      'listTransactions',
      '/transactions/1: outside from and to',
      { transactions: [transaction, { ...older, bookingDate: '2026-08-16' }] },
    ],
    [
      'listTransactions',
      '/transactions/0/exchange/amount: more decimals than the currency has',
      { transactions: [{ ...transaction, exchange: { currency: 'JPY', amount: '1.5', rate: 1 } }] },
    ],
    [
      'listTransactions',
      '/transactions/0/exchange/rate: number expected',
      { transactions: [{ ...transaction, exchange: { currency: 'JPY', amount: '1', rate: '1' } }] },
    ],
    ['listTransactions', '/next: text expected', { next: 5 }],
    ['listStatements', '/statements/0: outside from and to', {}],
    [
      'readStatement',
      '/statements/0: more than 366 days',
      { statement: { ...statement, from: '2025-10-30' } },
    ],
    ['readStatement', '/statement/number: too long', { statement: { ...statement, number: '1'.repeat(36) } }],
    ['findAccounts', '/accounts/1/id: the same twice', { accounts: [held, held] }],
    ['findAccounts', '/accounts/0/name: too long', { accounts: [{ ...held, name: 'x'.repeat(141) }] }],
    ['login', '/recognised: true or false expected', { recognised: 'yes' }],
  ])('integrator S7: of %s is told as %s', async (id, words, changes) => {
    core.behave = (_seen, response) => json(response, { ...coreExamples[id].answer, ...changes });
    await expect(asked[id]?.()).rejects.toMatchObject({ slug: 'dependency-unavailable' });
    const told = adapter().told.at(-1)?.fault;
    expect(told?.message).toContain(`(${words})`);
    // Counted without the numbers of rows.
    const [member, rule] = words.split(': ');
    expect(told?.breach).toEqual({ member: member?.replace(/\d+/g, '*'), rule });
  });

  it('of too many bytes is counted too', async () => {
    core.behave = (_seen, response) => json(response, { balances: ' '.repeat(1_000_000) });
    await expect(asked.readBalances?.()).rejects.toMatchObject({ slug: 'dependency-unavailable' });
    expect(adapter().told.at(-1)?.fault).toMatchObject({
      kind: 'too-large',
      breach: { member: '', rule: 'too large' },
    });
  });
});
