/** A core that keeps no running balance and knows no ISO codes: third parties get what there is, and no gaps. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Access, addAccess, read } from '../../api/ais/support.js';
import { type Service, startService } from '../../support/service.js';
import { behaves, json, RawCore } from './raw-core.js';

const core = new RawCore();
let service: Service;
let access: Access;
let today = '';

const rowOf = (id: string, amount: string) => ({
  ...{ id, status: 'booked', bookingDate: today, valueDate: today, at: `${today}T00:00:00Z` },
  ...{ currency: 'EUR', amount, counterpartyName: null, counterpartyIban: null },
  ...{ remittanceInformation: null, endToEndId: null, exchange: null },
});
const rows = () => [
  { ...rowOf('t3', '-20.00'), proprietaryCode: 'Ανάληψη ΑΤΜ', code: null, balance: null },
  rowOf('t2', '-5.00'),
  rowOf('t1', '100.00'),
];
/** Everything that a core may say of an entry. */
const fullRow = () => ({
  ...rowOf('t4', '-20.00'),
  bookedAt: `${today}T06:00:00+02:00`,
  counterpartyName: 'Tsubame Translations',
  counterpartyBban: '3310557',
  counterpartyCurrency: 'JPY',
  counterpartyAgent: { name: 'Hoshizora Bank', country: 'JP', bic: null },
  creditorReference: 'RF18539007547034',
  purposeCode: 'SALA',
  ultimateDebtor: 'Kite Payroll Ltd',
  ultimateCreditor: 'Haru Ito',
});
const statement = () => ({
  ...{ id: 's1', currency: 'EUR', from: today, to: today, createdAt: `${today}T00:00:00Z` },
  ...{ opening: '7.11', closing: '82.11', credits: '100.00', debits: '-25.00' },
  ...{ creditCount: 1, debitCount: 2 },
});

beforeAll(async () => {
  await core.up();
  core.behave = (seen, response) => {
    const [, , kind, accountId, list, id, document] = (seen.path.split('?')[0] ?? '').split('/');
    if (kind !== 'accounts' || document || (list !== 'transactions' && list !== 'statements'))
      return behaves(seen, response);
    if (list === 'statements') return json(response, { accountId, statement: statement() });
    if (id)
      return json(response, {
        accountId,
        transaction: [...rows(), fullRow()].find((each) => each.id === id),
      });
    return json(response, { accountId, transactions: rows(), next: null });
  };
  service = await startService({ env: { TRAPEZA_CORE_URL: core.url } });
  today = new Date(service.clock.now()).toISOString().slice(0, 10);
  access = await addAccess(service);
});
afterAll(async () => {
  await service.close();
  await core.down();
});

const pathOf = (rest: string): string => `/ais/psd2/v1/accounts/${access.first}/${rest}`;

describe('integrator S10: a core without running balances and ISO codes', () => {
  it('is read by third parties, who see its own codes and no member without a value', async () => {
    const { status, json: list } = await read(service, access, pathOf('transactions'));
    expect(status).toBe(200);
    const money = (amount: number) => ({ currency: 'EUR', amount });
    const plain = { bookingDate: today, valueDate: today };
    const own = { proprietaryBankTransactionCode: 'Ανάληψη ΑΤΜ' };
    const booked = [
      { transactionId: 't3', ...plain, transactionAmount: money(-20), ...own },
      { transactionId: 't2', ...plain, transactionAmount: money(-5) },
      { transactionId: 't1', ...plain, transactionAmount: money(100) },
    ];
    expect((list as { transactions: object }).transactions).toEqual({ booked });
    const { json: one } = await read(service, access, pathOf('transactions/t3'));
    expect(one).toEqual({ transactionsDetails: booked[0] });
  });

  it('and what another core says of the other side and the purpose reaches them member by member', async () => {
    const { json: one } = await read(service, access, pathOf('transactions/t4'));
    expect(one).toEqual({
      transactionsDetails: {
        ...{ transactionId: 't4', bookingDate: today, valueDate: today },
        bookingDateTime: `${today}T04:00:00.000Z`,
        transactionAmount: { currency: 'EUR', amount: -20 },
        creditorName: 'Tsubame Translations',
        creditorAccount: { bban: '3310557', currency: 'JPY' },
        creditorAgent: { name: 'Hoshizora Bank', country: 'JP' },
        creditorReference: 'RF18539007547034',
        purposeCode: 'SALA',
        ultimateDebtor: 'Kite Payroll Ltd',
        ultimateCreditor: 'Haru Ito',
      },
    });
  });

  it('and in a statement they are told the same', async () => {
    const { json: list } = await read(service, access, pathOf('transactions'));
    const { booked } = (list as { transactions: { booked: object[] } }).transactions;
    const { json: one } = await read(service, access, pathOf('statements/s1'));
    expect(one).toMatchObject({ statement: { transactions: booked } });
  });
});
