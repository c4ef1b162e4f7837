/** The embedded bank of the sandbox: the port answered from tables in the same store. */
import { SECOND } from '../../lib/clock.js';
import { dateAt, endOfDay } from '../../lib/day.js';
import type { Db } from '../../store/db.js';
import type { Bank, BankAccount } from '../bank.js';
import type { AccountHistory } from '../history.js';
import { readPage, readTransaction } from './ledger/pages.js';
import {
  dayBefore,
  readStatement,
  readStatements,
  type StatementQuestion,
  stateAt,
} from './ledger/statements.js';
import { createDemoPayments, demoTerms } from './payments/demo-payments.js';

const AVAILABLE = 'select available from accounts_here where account_id = ? and currency = ?';

const ACCOUNTS = `
  select a.id, a.iban, a.bban, a.msisdn, a.currency, a.name, a.product, a.type, a.status,
         a.booked_minor - a.pending_minor as "balanceMinor",
         (select string_agg(p.name, ', ' order by p.name) from demo_holders x join demo_psus p on p.id = x.psu_id
          where x.account_id = a.id) as "ownerName"
  from demo_accounts a join demo_holders h on h.account_id = a.id where h.psu_id = ? order by a.iban, a.bban, a.currency`;

const FIGURES = `
  select currency, booked_minor as "bookedMinor",
         case when status = 'enabled' then booked_minor - pending_minor + credit_minor else 0 end as "availableMinor",
         case when status = 'enabled' and credit_minor > 0 then 1 else 0 end as "isCreditIncluded"
  from demo_accounts where id = ?`;

interface Figures {
  readonly currency: string;
  readonly bookedMinor: number;
  readonly availableMinor: number;
  readonly isCreditIncluded: number;
}

const UNKNOWN = 'a consent names an account that the demo bank does not have';

export interface DemoBankTime {
  readonly bankTime: () => number | Promise<number>;
  readonly timeZone: string;
}

const createHistory = (db: Db, { bankTime, timeZone }: DemoBankTime): AccountHistory => {
  const figuresOf = async (accountId: string): Promise<Figures> => {
    const row = await db.one<Figures>(FIGURES, [accountId]);
    if (!row) throw new Error(UNKNOWN);
    return row;
  };
  const questionOf = async (accountId: string): Promise<StatementQuestion> => {
    const [now, { currency }] = await Promise.all([bankTime(), figuresOf(accountId)]);
    return { accountId, currency, today: dateAt(now, timeZone), timeZone };
  };
  return {
    async balances(accountId) {
      const [now, figures] = await Promise.all([bankTime(), figuresOf(accountId)]);
      const yesterday = dayBefore(dateAt(now, timeZone));
      const { balanceMinor } = await stateAt(db, accountId, yesterday);
      const { currency, bookedMinor, availableMinor, isCreditIncluded } = figures;
      const plain = { currency, includesCreditLine: false, at: now };
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
    transactions: (query) => readPage(db, query),
    transaction: (accountId, transactionId) => readTransaction(db, accountId, transactionId),
    statements: async (accountId, from, to) => readStatements(db, await questionOf(accountId), from, to),
    statement: async (accountId, id) => readStatement(db, await questionOf(accountId), id),
  };
};

export const createDemoBank = (db: Db, time: DemoBankTime): Bank => ({
  ...createHistory(db, time),
  name: 'demo bank',
  async hasFunds({ accountId, currency, amountMinor, found }) {
    const row =
      found == null
        ? await db.together.one<{ available: number }>(AVAILABLE, [accountId, currency])
        : { available: found };
    if (!row) throw new Error(UNKNOWN);
    // A number and a bigint compare exactly, however large the amount.
    return row.available >= amountMinor;
  },
  accountsOf: (psuId) => db.all<BankAccount>(ACCOUNTS, [psuId]),
  termsFor: async (transfer) => demoTerms(transfer),
  payments: createDemoPayments(time.timeZone),
  async ping() {
    await db.one('select 1 as one');
  },
});
