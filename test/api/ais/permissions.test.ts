/** Which permission opens which read and which member of its answer: every set of permissions, every read, every member. */
import { describe, expect, it } from 'vitest';
import { type Permission, permissions } from '../../../src/consent/record.js';
import { type Answer, slugOf } from '../../support/client.js';
import type { Service } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { historyBank } from './history-bank.js';
import {
  type Access,
  addAccess,
  addAccesses,
  codeOf,
  pathOf,
  type ReadId,
  read,
  readIds,
} from './support.js';

/** The sets of permissions: all 64, the empty one included, which no third party can ask for. */
const sets: readonly (readonly Permission[])[] = Array.from({ length: 2 ** permissions.length }, (_, bits) =>
  permissions.filter((_permission, index) => (bits >> index) % 2 === 1),
);

const accesses = new Map<readonly Permission[], Access>();
const service = useService({ bank: historyBank() }, async (started) => {
  const added = await addAccesses(
    started,
    sets.map((held) => ({ permissions: held })),
  );
  for (const [index, access] of added.entries()) accesses.set(sets[index] ?? [], access);
});

/** Any one of these opens the read. */
const opens: Readonly<Record<ReadId, readonly Permission[]>> = {
  getAccounts: ['AccountsBasic', 'AccountsDetail'],
  getAccount: ['AccountsBasic', 'AccountsDetail'],
  getBalances: ['Balances'],
  getTransactions: ['TransactionsBasic', 'TransactionsDetail'],
  getTransaction: ['TransactionsBasic', 'TransactionsDetail'],
  getStatements: ['Statements'],
  getStatement: ['Statements'],
};

/** What each member needs beyond the read itself; every member of every answer is here. */
const members: Readonly<
  Record<'account' | 'transaction' | 'statement', Readonly<Record<string, Permission | null>>>
> = {
  account: {
    resourceId: null,
    iban: null,
    currency: null,
    name: null,
    product: null,
    cashAccountType: null,
    status: null,
    _links: null,
    ownerName: 'AccountsDetail',
  },
  transaction: {
    transactionId: null,
    paymentId: null,
    bookingDate: null,
    bookingDateTime: null,
    valueDate: null,
    transactionAmount: null,
    bankTransactionCode: null,
    proprietaryBankTransactionCode: null,
    balanceAfterTransaction: 'Balances',
    creditorName: 'TransactionsDetail',
    creditorAccount: 'TransactionsDetail',
    creditorAgent: 'TransactionsDetail',
    ultimateDebtor: 'TransactionsDetail',
    ultimateCreditor: 'TransactionsDetail',
    creditorReference: 'TransactionsDetail',
    purposeCode: 'TransactionsDetail',
    remittanceInformationUnstructured: 'TransactionsDetail',
    endToEndId: 'TransactionsDetail',
    mandateId: 'TransactionsDetail',
    creditorId: 'TransactionsDetail',
    merchantCategoryCode: 'TransactionsDetail',
    currencyExchange: 'TransactionsDetail',
  },
  statement: {
    statementId: null,
    statementNumber: null,
    dateFrom: null,
    dateTo: null,
    currency: null,
    openingBalance: null,
    closingBalance: null,
    totalCredits: null,
    totalDebits: null,
    createdDateTime: null,
    _links: null,
  },
};

const membersOf = (thing: keyof typeof members, held: readonly Permission[]): string[] =>
  Object.entries(members[thing])
    .filter(([, needed]) => needed === null || held.includes(needed))
    .map(([name]) => name)
    .sort();

type Json = Readonly<Record<string, unknown>>;
const first = (list: unknown): Json => (list as readonly Json[])[0] ?? {};
const keys = (thing: unknown): string[] => Object.keys(thing as Json).sort();

/** What is expected of an answer that was opened. */
const check: Readonly<Record<ReadId, (body: Json, held: readonly Permission[]) => void>> = {
  getAccounts: ({ accounts }, held) => expect(keys(first(accounts))).toEqual(membersOf('account', held)),
  getAccount: ({ account }, held) => expect(keys(account)).toEqual(membersOf('account', held)),
  getBalances: ({ balances }) =>
    expect(first(balances).balanceAmount).toEqual({ currency: 'EUR', amount: 2330.25 }),
  getTransactions: ({ transactions }, held) =>
    expect(keys((transactions as { booked: Json[] }).booked[1])).toEqual(membersOf('transaction', held)),
  getTransaction: ({ transactionsDetails }, held) =>
    expect(keys(transactionsDetails)).toEqual(membersOf('transaction', held)),
  getStatements: ({ statements }, held) =>
    expect(keys(first(statements))).toEqual(membersOf('statement', held)),
  getStatement: ({ statement }, held) => {
    const { transactions, ...rest } = statement as Json & { transactions: Json[] };
    expect(keys(rest)).toEqual(membersOf('statement', held));
    const debit = transactions.find(
      ({ transactionAmount }) => (transactionAmount as { amount: number }).amount < 0,
    );
    expect(keys(debit)).toEqual(membersOf('transaction', held));
  },
};

const readAll = async (world: Service, held: readonly Permission[]): Promise<readonly [ReadId, Answer][]> => {
  const access = accesses.get(held);
  if (!access) throw new Error('no consent with these permissions');
  return Promise.all(
    readIds.map(async (id) => [id, await read(world, access, pathOf(id, access.first))] as [ReadId, Answer]),
  );
};

describe('a consent with the permissions', () => {
  it.each(sets.map((held) => [held.join(', ') || 'none', held] as const))(
    '%s opens what they name and not one member more',
    async (_names, held) => {
      for (const [id, answer] of await readAll(service(), held)) {
        if (opens[id].some((each) => held.includes(each))) {
          expect([id, answer.status]).toEqual([id, 200]);
          check[id](answer.json as Json, held);
        } else {
          expect([id, answer.status, slugOf(answer), codeOf(answer)]).toEqual([
            id,
            403,
            'consent-required',
            'CONSENT_INVALID',
          ]);
          expect((answer.json as { detail: string }).detail).toContain(opens[id].join(' or '));
          expect(answer.json).toMatchObject({ extensions: { consent: { missingPermissions: opens[id] } } });
        }
      }
    },
  );
});

describe('balances inside the accounts', () => {
  it.each([
    [['AccountsBasic', 'Balances'], 200],
    [['AccountsDetail'], 403],
  ] as const)('with %s: %d', async (held, status) => {
    const access = await addAccess(service(), { permissions: held });
    for (const id of ['getAccounts', 'getAccount'] as const) {
      const answer = await read(service(), access, `${pathOf(id, access.first)}?withBalance=true`);
      expect(answer.status).toBe(status);
      if (status === 403) expect(answer.text).toContain('Balances');
      else expect(answer.text).toContain('"balances":[{"balanceType":"interimAvailable"');
      const without = await read(service(), access, `${pathOf(id, access.first)}?withBalance=false`);
      expect([without.status, without.text.includes('balanceType')]).toEqual([200, false]);
    }
  });
});

describe('the other party', () => {
  it('is the creditor of what is paid and the debtor of what is received', async () => {
    const access = await addAccess(service());
    const at = (id: string): Promise<Answer> =>
      read(service(), access, `${pathOf('getTransactions', access.first)}/${id}`);
    const party = { iban: 'DE89370400440532013000' };
    expect((await at('t1-5')).json).toMatchObject({
      transactionsDetails: {
        transactionAmount: { currency: 'EUR', amount: -10.05 },
        creditorName: 'Βιβλιοπωλείο Αθηνά',
        creditorAccount: party,
        currencyExchange: [{ sourceCurrency: 'USD', exchangeRate: 0.91, instructedAmount: { amount: -11 } }],
      },
    });
    const received = (await at('t1-6')).json as { transactionsDetails: Json };
    expect(received.transactionsDetails).toMatchObject({
      debtorName: 'Βιβλιοπωλείο Αθηνά',
      debtorAccount: party,
      currencyExchange: [{ instructedAmount: { amount: 11 } }],
    });
    expect(received.transactionsDetails).not.toHaveProperty('creditorName');
  });
});
