/** Which consents are to be reported to the bank: those with an event that it does not know yet. */
import { type BankTime, MINUTE, type RealTime } from '../lib/clock.js';
import type { ClientId, ConsentId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { overAt } from '../store/deadline.js';

export interface UnreportedConsent {
  readonly consentId: ConsentId;
  readonly clientId: ClientId;
  /** When the oldest change happened that the bank does not know. */
  readonly since: BankTime;
}

/** The longest that a report waits after an attempt in vain. */
export const REPORT_MOST_MS = 15 * MINUTE;

/** The inner query is bounded, however much is due after an outage. */
const DUE = `
  select consent_id as "consentId", client_id as "clientId", min(occurred_at) as since
  from (
    select * from (select consent_id, client_id, occurred_at from events where kind = 'consent' and bank_due_at <= ?
      order by bank_due_at limit ?) as past
    union all
    select * from (select consent_id, client_id, occurred_at from events where kind = 'consent' and bank_due_at > ? limit ?) as far
  ) as due
  group by consent_id, client_id order by min(occurred_at)`;
const NOTE_REPORTED = `
  update events set bank_due_at = null
  where consent_id = ? and kind = 'consent' and position <= ? and bank_due_at is not null`;
const POSTPONE_REPORT = `
  update events set bank_due_at = ?
  where consent_id = ? and kind = 'consent' and (bank_due_at <= ? or bank_due_at > ?)`;
const OLDEST = `
  select occurred_at as "at" from events where kind = 'consent' and bank_due_at is not null order by bank_due_at limit 1`;

export const unreportedConsents = (
  db: Queries,
  now: RealTime,
  limit: number,
): Promise<UnreportedConsent[]> => {
  const [past, far] = overAt(now, REPORT_MOST_MS);
  return db.all<UnreportedConsent>(DUE, [past, limit, far, limit]);
};

/** The bank knows the state that this event led to, and all before it. */
export const noteReported = async (db: Queries, consentId: ConsentId, position: number): Promise<void> => {
  await db.run(NOTE_REPORTED, [consentId, position]);
};

export const reportLater = async (
  db: Queries,
  consentId: ConsentId,
  { now, dueAt }: { readonly now: RealTime; readonly dueAt: RealTime },
): Promise<void> => {
  await db.run(POSTPONE_REPORT, [dueAt, consentId, ...overAt(now, REPORT_MOST_MS)]);
};

/** Undefined if the bank knows everything. */
export const oldestUnreported = async (db: Queries): Promise<BankTime | undefined> =>
  (await db.one<{ at: BankTime }>(OLDEST))?.at;
