/**
 * Forgets what must not be kept any longer: records of uses, consents whose end is long past, events. Each is a job of small steps; two
 * nodes that pick the same rows remove them once.
 */
import { DAY, HOUR } from '../lib/clock.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';

export interface RetentionParts {
  readonly db: Db;
  readonly bankTime: () => Promise<number>;
  readonly retentionConsentYears: number;
  readonly retentionRecordMonths: number;
  readonly retentionEventDays: number;
}

const BATCH = 200;

/** The same day so many months before; where that month is shorter, its last day. */
const monthsBefore = (ms: number, months: number): number => {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, days));
  return date.getTime();
};

/** On the embedded engine they lie in the order of their time. */
const FUNDS = {
  sqlite: {
    remove: `
  delete from funds_confirmations where asked_at <= ? and position in
    (select position from funds_confirmations order by position limit ?)`,
    oldest: 'select asked_at as "at" from funds_confirmations order by position limit 1',
  },
  postgres: {
    remove: `
  delete from funds_confirmations where id in
    (select id from funds_confirmations where asked_at <= ? order by asked_at, id limit ?)`,
    oldest: 'select asked_at as "at" from funds_confirmations order by asked_at limit 1',
  },
} as const;
const ACCESSES = {
  remove: `
  delete from data_accesses where id in
    (select id from data_accesses where accessed_at <= ? order by accessed_at, id limit ?)`,
  oldest: 'select accessed_at as "at" from data_accesses order by accessed_at limit 1',
} as const;

/**
 * A consent ends with the last step of its history. One with a record that must still be kept is kept with it; such a one exists only
 * where records are kept longer than consents, and is looked for only then. A run goes through the consents by their age once.
 */
const OLD_CONSENTS = `
  select c.id, c.created_at as "createdAt",
    coalesce((select max(h.changed_at) from consent_history h where h.consent_id = c.id), c.created_at) as "at"
  from consents c
  where c.created_at >= ? and c.created_at <= ? and c.status in ('Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp')
    and coalesce((select max(h.changed_at) from consent_history h where h.consent_id = c.id), c.created_at) <= ?
    and (cast(? as bigint) >= cast(? as bigint) or not exists (
      select 1 from funds_confirmations_by_psu f where f.psu_id = c.psu_id and f.consent_id = c.id and f.asked_at > ?))
    and not exists (select 1 from data_accesses d where d.consent_id = c.id and d.accessed_at > ?)
  order by c.created_at limit ?`;

/** Everything that points at a consent, before it. Funds records do not: they go when they are old. */
const OF_CONSENT = [
  'delete from deliveries where event_id in (select id from events where consent_id = ?)',
  'delete from events where consent_id = ?',
  'delete from data_accesses where consent_id = ?',
  'delete from payment_order_history where order_id in (select id from payment_orders where consent_id = ?)',
  'delete from payment_orders where consent_id = ?',
  'delete from consent_history where consent_id = ?',
  'delete from consent_accounts where consent_id = ?',
  'delete from consents where id = ?',
] as const;

/** What is still to be delivered is not old, however far the bank's time was moved. */
const OLD_EVENTS = `
  select e.id, e.occurred_at as "at" from events e
  where e.occurred_at <= ? and not exists (select 1 from deliveries d where d.event_id = e.id and d.due_at is not null)
  order by e.occurred_at, e.id limit ?`;
const OF_EVENT = ['delete from deliveries where event_id = ?', 'delete from events where id = ?'] as const;

interface Found {
  readonly id: string;
  readonly at: number;
}

/** Each with what belongs to it, one after the other in the order of their ids: two nodes never wait for each other in a circle. */
const removeWith = (db: Db, found: readonly Found[], statements: readonly string[]): Promise<void> =>
  db.transaction(async (tx) => {
    for (const id of found.map((each) => each.id).toSorted())
      for (const sql of statements) await tx.run(sql, [id]);
  });

const overdue = (until: number, oldest: { readonly at: number } | undefined): number =>
  Math.max(0, until - (oldest?.at ?? Number.POSITIVE_INFINITY));

type Until = () => Promise<number>;

const forgetRecords = (
  db: Db,
  name: string,
  { remove, oldest }: { readonly remove: string; readonly oldest: string },
  until: Until,
): Job => ({
  name,
  everyMs: HOUR,
  step: async () => db.run(remove, [await until(), BATCH]),
  overdueMs: async () => overdue(await until(), await db.one<Found>(oldest)),
});

const forgetConsents = (db: Db, consentsUntil: Until, recordsUntil: Until): Job => {
  let from = 0;
  const find = async (after: number, limit: number) => {
    const [consents, records] = await Promise.all([consentsUntil(), recordsUntil()]);
    const ends = [after, consents, consents, records, consents, records, records];
    return db.all<Found & { readonly createdAt: number }>(OLD_CONSENTS, [...ends, limit]);
  };
  return {
    name: 'forget consents',
    everyMs: HOUR,
    async step() {
      const found = await find(from, BATCH);
      if (found.length > 0) await removeWith(db, found, OF_CONSENT);
      from = found.at(-1)?.createdAt ?? 0;
      return found.length;
    },
    overdueMs: async () => overdue(await consentsUntil(), (await find(0, 1))[0]),
  };
};

const forgetEvents = (db: Db, until: Until): Job => {
  const find = async (limit: number) => db.all<Found>(OLD_EVENTS, [await until(), limit]);
  return {
    name: 'forget events',
    everyMs: HOUR,
    async step() {
      const found = await find(BATCH);
      if (found.length > 0) await removeWith(db, found, OF_EVENT);
      return found.length;
    },
    overdueMs: async () => overdue(await until(), (await find(1))[0]),
  };
};

export const retention = (parts: RetentionParts): Job[] => {
  const { db, bankTime } = parts;
  const records = async () => monthsBefore(await bankTime(), parts.retentionRecordMonths);
  const consents = async () => monthsBefore(await bankTime(), parts.retentionConsentYears * 12);
  const events = async () => (await bankTime()) - parts.retentionEventDays * DAY;
  return [
    forgetRecords(db, 'forget funds answers', FUNDS[db.engine], records),
    forgetRecords(db, 'forget accesses', ACCESSES, records),
    forgetConsents(db, consents, records),
    forgetEvents(db, events),
  ];
};
