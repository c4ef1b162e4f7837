/**
 * Balances and statements. Every entry keeps what its account came to, so the state at the end of any day is one
 * look at the last entry up to it, and a statement is the difference of two such states.
 */

import type { Statement } from 'trapeza/bank';
import { type AccountId, type Db, dayBefore, derivedId, endOfDay, type Queries } from 'trapeza/base';

/** An account at the end of a day. */
export interface State {
  readonly seq: number;
  readonly balanceMinor: number;
  readonly paidMinor: number;
  readonly paidCount: number;
}

export const LAST_ENTRY = `
  select * from (
    select debit_seq as seq, debit_balance as "balanceMinor", debit_paid as "paidMinor", debit_paid_count as "paidCount"
    from demo_transfers where debit_account = ? and booking_date <= ?
    order by booking_date desc, debit_seq desc limit 1) as paid
  union all
  select * from (
    select credit_seq as seq, credit_balance as "balanceMinor", credit_paid as "paidMinor", credit_paid_count as "paidCount"
    from demo_transfers where credit_account = ? and booking_date <= ?
    order by booking_date desc, credit_seq desc limit 1) as received
  order by seq desc limit 1`;

const OPENING =
  'select opening_minor as "openingMinor", opened_on as "openedOn" from demo_accounts where id = ?';

interface Opening {
  readonly openingMinor: number;
  readonly openedOn: string | null;
}

/** Before its first entry an account has what it was opened with. */
export const stateAt = async (db: Db['batchedReads'], accountId: AccountId, day: string): Promise<State> => {
  const last = await db.one<State>(LAST_ENTRY, [accountId, day, accountId, day]);
  if (last) return last;
  const opening = await db.one<Opening>(OPENING, [accountId]);
  return { seq: 0, balanceMinor: opening?.openingMinor ?? 0, paidMinor: 0, paidCount: 0 };
};

interface Period {
  readonly from: string;
  readonly to: string;
  /** Within its year; months have none. */
  readonly number?: string;
}

/** The one with this day, if each has so many months. */
const periodOf = (day: string, months: number): Period => {
  const [year = 0, month = 1] = day.split('-').map(Number);
  const index = Math.ceil(month / months);
  const last = new Date(0);
  last.setUTCFullYear(year, index * months, 0);
  const first = String((index - 1) * months + 1).padStart(2, '0');
  return {
    ...(months === 1 ? {} : { number: `${index}/${year}` }),
    from: `${day.slice(0, 5)}${first}-01`,
    to: last.toISOString().slice(0, 10),
  };
};

/** The clock of a sandbox can be moved by centuries; twenty years of statements are enough. */
const MOST_MONTHS = 240;

/** Those that are over before `today`, newest first, down to the one with the day `first`. */
const periodsOver = (first: string, today: string, months: number): readonly Period[] => {
  const periods: Period[] = [];
  let period = periodOf(dayBefore(periodOf(today, months).from), months);
  while (period.to >= first && periods.length * months < MOST_MONTHS) {
    periods.push(period);
    period = periodOf(dayBefore(period.from), months);
  }
  return periods;
};

const idOf = (accountId: AccountId, { from }: Period): string => derivedId(`statement:${accountId}:${from}`);

export interface StatementQuestion {
  readonly accountId: AccountId;
  readonly currency: string;
  readonly today: string;
  readonly timeZone: string;
  /** How many a statement of this account covers. */
  readonly months: number;
}

const statementOf = async (
  db: Queries,
  { accountId, currency, timeZone }: StatementQuestion,
  period: Period,
): Promise<Statement> => {
  const [before, after] = await Promise.all([
    stateAt(db, accountId, dayBefore(period.from)),
    stateAt(db, accountId, period.to),
  ]);
  const debitsMinor = after.paidMinor - before.paidMinor;
  const debitCount = after.paidCount - before.paidCount;
  return {
    id: idOf(accountId, period),
    currency,
    ...period,
    openingMinor: before.balanceMinor,
    closingMinor: after.balanceMinor,
    creditsMinor: after.balanceMinor - before.balanceMinor + debitsMinor,
    debitsMinor,
    creditCount: after.seq - before.seq - debitCount,
    debitCount,
    createdAt: endOfDay(period.to, timeZone),
  };
};

const periodsWithStatement = async (
  db: Queries,
  { accountId, today, months }: StatementQuestion,
): Promise<readonly Period[]> => {
  const { openedOn = null } = (await db.one<Opening>(OPENING, [accountId])) ?? {};
  return openedOn === null ? [] : periodsOver(openedOn, today, months);
};

export const readStatements = async (
  db: Queries,
  question: StatementQuestion,
  from: string,
  to: string,
): Promise<readonly Statement[]> => {
  const periods = await periodsWithStatement(db, question);
  const wanted = periods.filter((period) => period.from >= from && period.to <= to);
  return Promise.all(wanted.map((period) => statementOf(db, question, period)));
};

export const readStatement = async (
  db: Queries,
  question: StatementQuestion,
  id: string,
): Promise<Statement | undefined> => {
  const periods = await periodsWithStatement(db, question);
  const period = periods.find((each) => idOf(question.accountId, each) === id);
  return period && statementOf(db, question, period);
};
