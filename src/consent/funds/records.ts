/**
 * The durable record of every funds answer in the store: who asked, when, for how much, and what was answered. Each is written together
 * with the claim of its request id, in one transaction.
 */
import type { BankTime } from '../../lib/clock.js';
import type { AccountId, ClientId, ConsentId, PsuId } from '../../model/ids.js';
import type { Db, Queries, Write } from '../../store/db.js';
import { addMonths, dropMonth, monthsIn } from '../../store/months.js';

export interface FundsRecord {
  /** In the order of their time. */
  readonly id: string;
  readonly consentId: ConsentId;
  readonly clientId: ClientId;
  readonly psuId: PsuId;
  readonly accountId: AccountId;
  readonly payee: string | null;
  /** In its shortest decimal form. */
  readonly amount: string;
  readonly currency: string;
  readonly available: boolean;
  readonly requestId: string;
  readonly sessionConsentId: string | null;
  readonly askedAt: BankTime;
}

const COLUMNS =
  'id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, session_consent_id, asked_at';

/** SQLite: the statement before has claimed the request id. */
const INSERT_IF_CLAIMED = `
  insert into funds_confirmations (${COLUMNS}) select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? where changes() = 1`;

export const insertIfClaimed = (record: FundsRecord): Write => ({
  sql: INSERT_IF_CLAIMED,
  params: [
    record.id,
    record.consentId,
    record.clientId,
    record.psuId,
    record.accountId,
    record.payee,
    record.amount,
    record.currency,
    record.available ? 1 : 0,
    record.requestId,
    record.sessionConsentId,
    record.askedAt,
  ],
});

const INSERT_FUNDS_RECORD = `insert into funds_confirmations (${COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** One from before this store, with a request id that is not claimed. */
export const addFundsRecord = async (tx: Queries, record: FundsRecord): Promise<void> => {
  await tx.run(INSERT_FUNDS_RECORD, insertIfClaimed(record).params);
};

/**
 * PostgreSQL: the claims and records of a whole batch in one statement, which is its own transaction. Between these two comes
 * `claimed as (…)`, which claims the request ids of `entry` and returns those it got.
 */
export const WITH_ENTRIES = `
  with entry as (
    select * from json_to_recordset(cast(cast(? as text) as json)) as each (id text, "consentId" text, "clientId" text, "psuId" text,
      "accountId" text, payee text, amount text, currency text, available boolean, "requestId" text, "sessionConsentId" text,
      "askedAt" bigint, fingerprint text))`;
export const INSERT_CLAIMED = `
  insert into funds_confirmations (${COLUMNS})
  select id, "consentId", "clientId", "psuId", "accountId", payee, amount, currency, cast(available as int), "requestId", "sessionConsentId", "askedAt"
  from entry join claimed on claimed.client_id = entry."clientId" and claimed.request_id = entry."requestId"
  returning id`;

/** On PostgreSQL, what has no month of its own: records of before there were months, and of times that were not foreseen. */
const WITHOUT_MONTH = ['funds_confirmations_first', 'funds_confirmations_other'] as const;

/** Up to the youngest of the oldest: on the embedded engine a record is not found by its id. */
const removal = (TABLE: string): string => `
  delete from ${TABLE} where asked_at <= ? and asked_at <=
    (select max(at) from (select asked_at as at from ${TABLE} order by asked_at limit ?) oldest)`;
const REMOVALS = {
  sqlite: ['funds_confirmations'].map(removal),
  postgres: WITHOUT_MONTH.map(removal),
} as const;

/**
 * Returns how many were removed: `limit`, or a few more of the same millisecond. On PostgreSQL a month of records counts as one; it goes when
 * all of them must.
 */
export const removeFundsRecords = async (db: Db, until: number, limit: number): Promise<number> => {
  let removed = db.engine === 'postgres' ? await dropMonth(db, until) : 0;
  for (const sql of REMOVALS[db.engine]) removed += await db.run(sql, [until, limit]);
  return removed;
};

const OLDEST = {
  sqlite: 'select min(asked_at) as "at" from funds_confirmations',
  postgres: `
    select least((select min(asked_at) from funds_confirmations_first),
      (select min(asked_at) from funds_confirmations_other)) as "at"`,
} as const;

/** The oldest that is removed by itself, or the last moment of the oldest month. */
export const oldestFundsRecord = async (db: Db): Promise<{ readonly at: number } | undefined> => {
  const months = db.engine === 'postgres' ? await monthsIn(db) : [];
  const single = (await db.one<{ at: number | null }>(OLDEST[db.engine]))?.at;
  const at = Math.min(single ?? Number.POSITIVE_INFINITY, (months[0]?.end ?? Number.POSITIVE_INFINITY) - 1);
  return Number.isFinite(at) ? { at } : undefined;
};

/** Before the records of a month come. Returns how many months were made. */
export const addFundsMonths = async (db: Db, now: BankTime): Promise<number> =>
  db.engine === 'postgres' ? addMonths(db, now) : 0;

export const clearFundsRecords = async (tx: Queries): Promise<void> => {
  await tx.run('delete from funds_confirmations');
};
