/**
 * Forgets what must not be kept any longer: records of uses first, then consents whose end is long past, then events. In
 * batches, so that no run holds the store for long; two nodes that pick the same rows remove them once.
 */
import { DAY, HOUR } from '../lib/clock.js';
import type { Db, Queries } from '../store/db.js';
import type { Job } from './jobs.js';

export interface PurgeParts {
  readonly db: Db;
  readonly bankTime: () => Promise<number>;
  readonly retentionConsentYears: number;
  readonly retentionRecordMonths: number;
  readonly retentionEventDays: number;
}

const BATCH = 200;
const MAX_BATCHES = 50;

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
const OLD_FUNDS = {
  sqlite: `
  delete from funds_confirmations where asked_at <= ? and position in
    (select position from funds_confirmations order by position limit ?)`,
  postgres: `
  delete from funds_confirmations where id in
    (select id from funds_confirmations where asked_at <= ? order by asked_at, id limit ?)`,
} as const;
const OLD_ACCESSES = `
  delete from data_accesses where id in
    (select id from data_accesses where accessed_at <= ? order by accessed_at, id limit ?)`;

/**
 * A consent ends with the last step of its history. One with a record that must still be kept is kept with it; such a one exists only
 * where records are kept longer than consents, and is looked for only then.
 */
const OLD_CONSENTS = `
  select c.id from consents c
  where c.created_at <= ? and c.status in ('Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp')
    and coalesce((select max(h.changed_at) from consent_history h where h.consent_id = c.id), c.created_at) <= ?
    and (cast(? as bigint) >= cast(? as bigint) or not exists (
      select 1 from funds_confirmations_by_psu f where f.psu_id = c.psu_id and f.consent_id = c.id and f.asked_at > ?))
    and not exists (select 1 from data_accesses d where d.consent_id = c.id and d.accessed_at > ?)
  order by c.id limit ?`;

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
  select e.id from events e
  where e.occurred_at <= ? and not exists (select 1 from deliveries d where d.event_id = e.id and d.due_at is not null)
  order by e.occurred_at, e.id limit ?`;
const OF_EVENT = ['delete from deliveries where event_id = ?', 'delete from events where id = ?'] as const;

/** Runs batches until one is not full; how many things they removed. */
const inBatches = async (removeBatch: () => Promise<number>): Promise<number> => {
  let done = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
    const removed = await removeBatch();
    done += removed;
    if (removed < BATCH) break;
  }
  return done;
};

/** Each with what belongs to it, one after the other in the order of their ids: two nodes never wait for each other in a circle. */
const removeWith = async (
  tx: Queries,
  ids: readonly string[],
  statements: readonly string[],
): Promise<void> => {
  for (const id of ids) for (const sql of statements) await tx.run(sql, [id]);
};

const removeFound = (
  db: Db,
  find: () => Promise<{ readonly id: string }[]>,
  statements: readonly string[],
): Promise<number> =>
  inBatches(async () => {
    const ids = (await find()).map(({ id }) => id).toSorted();
    if (ids.length > 0) await db.transaction((tx) => removeWith(tx, ids, statements));
    return ids.length;
  });

export const purge = (parts: PurgeParts): Job => ({
  name: 'purge',
  everyMs: HOUR,
  async run() {
    const { db } = parts;
    const bankNow = await parts.bankTime();
    const records = monthsBefore(bankNow, parts.retentionRecordMonths);
    const consents = monthsBefore(bankNow, parts.retentionConsentYears * 12);
    const events = bankNow - parts.retentionEventDays * DAY;
    let done = 0;
    for (const sql of [OLD_FUNDS[db.engine], OLD_ACCESSES])
      done += await inBatches(() => db.run(sql, [records, BATCH]));
    const ends = [consents, consents, records, consents, records, records];
    const findConsents = () => db.all<{ id: string }>(OLD_CONSENTS, [...ends, BATCH]);
    done += await removeFound(db, findConsents, OF_CONSENT);
    const findEvents = () => db.all<{ id: string }>(OLD_EVENTS, [events, BATCH]);
    done += await removeFound(db, findEvents, OF_EVENT);
    return done;
  },
});
