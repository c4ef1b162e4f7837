/**
 * Forgets what must not be kept any longer: records of uses, consents whose end is long past, events. Each is a job of small steps; two
 * nodes that pick the same rows remove them once.
 */

import { addFundsMonths, oldestFundsRecord, removeFundsRecords } from '../consent/funds/records.js';
import { findOldConsents, oldestAccess, removeAccesses, removeConsent } from '../consent/retention.js';
import { findOldEvents, removeEvent, removeEventsOfConsent } from '../events/retention.js';
import { type BankTime, DAY, HOUR } from '../lib/clock.js';
import type { ConsentId } from '../model/ids.js';
import { removeOrderOfConsent } from '../payment/orders.js';
import type { Db, Queries } from '../store/db.js';
import type { Job } from './jobs.js';

export interface RetentionParts {
  readonly db: Db;
  readonly bankTime: () => Promise<BankTime>;
  readonly retentionConsentYears: number;
  readonly retentionRecordMonths: number;
  readonly retentionEventDays: number;
}

const BATCH = 200;

/** The same day so many months before; the last day if that month is shorter. */
const monthsBefore = (ms: number, months: number): number => {
  const date = new Date(ms);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, days));
  return date.getTime();
};

interface Found {
  readonly id: string;
  readonly at: number;
}

/** One after the other in the order of their ids: two nodes never wait for each other in a circle. */
const removeEach = (
  db: Db,
  found: readonly Found[],
  remove: (tx: Queries, id: string) => Promise<void>,
): Promise<void> =>
  db.transaction(async (tx) => {
    for (const id of found.map((each) => each.id).toSorted()) await remove(tx, id);
  });

/** Everything that points at a consent, before it. */
const removeWhole = async (tx: Queries, consentId: ConsentId): Promise<void> => {
  await removeEventsOfConsent(tx, consentId);
  await removeOrderOfConsent(tx, consentId);
  await removeConsent(tx, consentId);
};

const overdue = (until: number, oldest: { readonly at: number } | undefined): number =>
  Math.max(0, until - (oldest?.at ?? Number.POSITIVE_INFINITY));

type Until = () => Promise<number>;

interface Records {
  readonly remove: (db: Db, until: number, limit: number) => Promise<number>;
  readonly oldest: (db: Db) => Promise<{ readonly at: number } | undefined>;
}
const fundsRecords: Records = { remove: removeFundsRecords, oldest: oldestFundsRecord };
const accesses: Records = { remove: removeAccesses, oldest: oldestAccess };

const forgetRecords = (db: Db, name: string, { remove, oldest }: Records, until: Until): Job => ({
  name,
  everyMs: HOUR,
  step: async () => remove(db, await until(), BATCH),
  overdueMs: async () => overdue(await until(), await oldest(db)),
});

/** So that each month of them can be forgotten as a whole. */
const prepareMonths = (db: Db, bankTime: () => Promise<BankTime>): Job => ({
  name: 'prepare months of funds answers',
  endsNothing: true,
  everyMs: HOUR,
  step: async () => addFundsMonths(db, await bankTime()),
});

/** A run goes through the consents by their age once. */
const forgetConsents = (db: Db, consentsUntil: Until, recordsUntil: Until): Job => {
  let from = 0;
  const find = async (after: number, limit: number) => {
    const [endedUntil, until] = await Promise.all([consentsUntil(), recordsUntil()]);
    return findOldConsents(db, { from: after, endedUntil, recordsUntil: until, limit });
  };
  return {
    name: 'forget consents',
    everyMs: HOUR,
    async step() {
      const found = await find(from, BATCH);
      if (found.length > 0) await removeEach(db, found, removeWhole);
      from = found.at(-1)?.createdAt ?? 0;
      return found.length;
    },
    overdueMs: async () => overdue(await consentsUntil(), (await find(0, 1))[0]),
  };
};

const forgetEvents = (db: Db, until: Until): Job => {
  const find = async (limit: number) => findOldEvents(db, await until(), limit);
  return {
    name: 'forget events',
    everyMs: HOUR,
    async step() {
      const found = await find(BATCH);
      if (found.length > 0) await removeEach(db, found, removeEvent);
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
    forgetRecords(db, 'forget funds answers', fundsRecords, records),
    prepareMonths(db, bankTime),
    forgetRecords(db, 'forget accesses', accesses, records),
    forgetConsents(db, consents, records),
    forgetEvents(db, events),
  ];
};
