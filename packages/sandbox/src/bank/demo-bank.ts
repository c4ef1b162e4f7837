/** The embedded bank of the sandbox: the port answered from tables in the same store. */

import {
  type AccountHistory,
  type BankAccount,
  type HeldBank,
  NoSuchAccount,
  type QueryContext,
} from 'trapeza/bank';
import {
  type AccountId,
  type BankTime,
  type Db,
  dateAt,
  dayBefore,
  endOfDay,
  type PsuId,
  SECOND,
} from 'trapeza/base';
import { readPage, readTransaction } from './ledger/pages.js';
import { readStatement, readStatements, type StatementQuestion, stateAt } from './ledger/statements.js';
import { createDemoPayments } from './payments/demo-payments.js';
import type { OrderWish } from './payments/reject.js';
import { demoTerms } from './payments/terms.js';
import { demoAccount, payingRules } from './people.js';

const AVAILABLE = `
  select case when a.status = 'enabled' then a.booked_minor - a.pending_minor + a.credit_minor else 0 end as available
  from demo_holders h join demo_accounts a on a.id = h.account_id
  where h.account_id = ? and h.psu_id = ? and a.currency = ?`;
const HOLDS = 'select 1 as one from demo_holders where account_id = ? and psu_id = ?';

const ACCOUNTS = `
  select a.id, a.iban, a.bban, a.msisdn, a.currency, a.name, a.product, a.type, a.status,
         a.booked_minor - a.pending_minor as "balanceMinor",
         (select string_agg(p.name, ', ' order by p.name) from demo_holders x join demo_psus p on p.id = x.psu_id
          where x.account_id = a.id) as "ownerName"
  from demo_accounts a join demo_holders h on h.account_id = a.id where h.psu_id = ? order by a.iban, a.bban, a.currency`;

const FIGURES = `
  select currency, booked_minor as "bookedMinor",
         case when status = 'enabled' then booked_minor - pending_minor + credit_minor else 0 end as "availableMinor",
         case when status = 'enabled' and credit_minor > 0 then 1 else 0 end as "isCreditIncluded", changed_at as "changedAt"
  from demo_accounts a join demo_holders h on h.account_id = a.id where a.id = ? and h.psu_id = ?`;

/** The account whose statements are of a quarter and have numbers. */
const QUARTERLY = demoAccount(1101).id;

interface Figures {
  readonly currency: string;
  readonly bookedMinor: number;
  readonly availableMinor: number;
  readonly isCreditIncluded: number;
  readonly changedAt: number;
}

export interface DemoBankTime {
  readonly bankTime: () => Promise<BankTime>;
  readonly timeZone: string;
}

/** On the embedded store a read that travels with others costs no less, and one alone does not wait for the end of a turn. */
const readsOf = (db: Db): Db['batchedReads'] => (db.engine === 'postgres' ? db.batchedReads : db);

const isHolder = async (db: Db, psuId: PsuId, accountId: AccountId): Promise<boolean> =>
  (await readsOf(db).one(HOLDS, [accountId, psuId])) !== undefined;

const createHistory = (db: Db, { bankTime, timeZone }: DemoBankTime): AccountHistory => {
  const figuresOf = async (accountId: AccountId, { psuId }: QueryContext): Promise<Figures> => {
    const row = await readsOf(db).one<Figures>(FIGURES, [accountId, psuId]);
    if (!row) throw new NoSuchAccount();
    return row;
  };
  const checkHolder = async (accountId: AccountId, { psuId }: QueryContext): Promise<void> => {
    if (!(await isHolder(db, psuId, accountId))) throw new NoSuchAccount();
  };
  const questionOf = async (accountId: AccountId, context: QueryContext): Promise<StatementQuestion> => {
    const [now, { currency }] = await Promise.all([bankTime(), figuresOf(accountId, context)]);
    const months = accountId === QUARTERLY ? 3 : 1;
    return { accountId, currency, today: dateAt(now, timeZone), timeZone, months };
  };
  return {
    async balances(accountId, context) {
      const [now, figures] = await Promise.all([bankTime(), figuresOf(accountId, context)]);
      const yesterday = dayBefore(dateAt(now, timeZone));
      const { balanceMinor } = await stateAt(readsOf(db), accountId, yesterday);
      const { currency, bookedMinor, availableMinor, isCreditIncluded, changedAt } = figures;
      const plain = { currency, includesCreditLine: false, at: changedAt };
      return [
        {
          ...plain,
          type: 'closingBooked',
          amountMinor: balanceMinor,
          at: endOfDay(yesterday, timeZone) - SECOND,
        },
        { ...plain, type: 'interimBooked', amountMinor: bookedMinor },
        {
          ...plain,
          type: 'interimAvailable',
          amountMinor: availableMinor,
          includesCreditLine: isCreditIncluded === 1,
        },
      ];
    },
    async transactions(query) {
      await checkHolder(query.accountId, query.context);
      return readPage(db, query);
    },
    async transaction(accountId, transactionId, context) {
      await checkHolder(accountId, context);
      return readTransaction(db, accountId, transactionId);
    },
    statements: async (accountId, from, to, context) =>
      readStatements(db, await questionOf(accountId, context), from, to),
    statement: async (accountId, id, context) => readStatement(db, await questionOf(accountId, context), id),
  };
};

export const createDemoBank = (
  db: Db,
  time: DemoBankTime,
  orderWish: () => OrderWish | undefined = () => undefined,
): HeldBank => ({
  ...createHistory(db, time),
  name: 'demo bank',
  async hasFunds({ accountId, currency, amountMinor, context }) {
    const row = await db.batchedReads.one<{ available: number }>(AVAILABLE, [
      accountId,
      context.psuId,
      currency,
    ]);
    if (!row) throw new NoSuchAccount();
    // A number and a bigint compare exactly, however large the amount.
    return row.available >= amountMinor;
  },
  holds: (psuId, accountId) => isHolder(db, psuId, accountId),
  accountsOf: async (psuId) =>
    (await readsOf(db).all<BankAccount>(ACCOUNTS, [psuId])).map((each) => ({
      ...each,
      ...payingRules(each.id),
    })),
  termsFor: (question) => demoTerms(db, time, question),
  payments: createDemoPayments(time.timeZone, orderWish),
  async ping() {
    await db.one('select 1 as one');
  },
});
