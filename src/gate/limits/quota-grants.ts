/**
 * Grants of quotas in PostgreSQL. One statement grants calls of the minute and the day together, for as long as both last by the clock of
 * the database: windows begin with a first call, and no node's clock counts.
 */
import { type Clock, DAY } from '../../lib/clock.js';
import { type Db, type Queries, StoreUnavailable, type Write } from '../../store/db.js';

/** Calls that a node was granted and has not used, and the windows they were taken from. */
export interface Unused {
  readonly calls: number;
  readonly minuteEndsAt: number;
  readonly dayEndsAt: number;
}

export interface Wanted {
  readonly subject: string;
  readonly perMinute: number;
  readonly perDay: number;
  /** Callers that wait for this grant: their calls are used at once, so they may be more than the share of a node. */
  readonly waiting: number;
  readonly unused: Unused;
}

export interface Grant {
  readonly calls: number;
  readonly minuteEndsAt: number;
  readonly minuteMs: number;
  readonly dayEndsAt: number;
  readonly dayMs: number;
  readonly isDayUsedUp: boolean;
}

interface GrantRow extends Omit<Grant, 'isDayUsedUp'> {
  readonly dayLeft: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longer than a statement waits for the row: only a clock of the database that was set back leaves a window that ends later. */
const MINUTE_AHEAD_MS = 120_000;
const DAY_AHEAD_MS = 172_800_000;
/** Nodes beat twice a second, each by its own clock. */
const LIVING_MS = 10_000;

/**
 * The row is locked before its figures are read, so two nodes never grant the same calls. The time is read before that: a grant is never
 * thought to last longer than it does. A node gets a tenth of the quota at most, and less as the rest shrinks, so that no caller is refused
 * while another node holds what is left.
 */
const GRANT = `
  with asked as (
    select cast(? as text) as subject, cast(? as bigint) as per_minute, cast(? as bigint) as per_day, cast(? as bigint) as waiting,
      cast(? as bigint) as unused, cast(? as bigint) as unused_minute, cast(? as bigint) as unused_day,
      cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint) + cast(? as bigint) as now
  ), nodes as (
    select 2 * greatest(1, count(*)) as shares from store_pulses, asked where beaten_at > asked.now - ${LIVING_MS}
  ), held as (
    select quota_grants.subject,
      case when minute_ends_at <= now then 0
        when minute_ends_at = unused_minute then minute_granted - unused else minute_granted end as minute_granted,
      case when minute_ends_at <= now or minute_ends_at > now + ${MINUTE_AHEAD_MS} then now + ${MINUTE_MS}
        else minute_ends_at end as minute_ends_at,
      case when day_ends_at <= now then 0
        when day_ends_at = unused_day then day_granted - unused else day_granted end as day_granted,
      case when day_ends_at <= now or day_ends_at > now + ${DAY_AHEAD_MS} then now + ${DAY_MS}
        else day_ends_at end as day_ends_at
    from quota_grants join asked on quota_grants.subject = asked.subject for update of quota_grants
  ), shared as (
    select held.*, now, greatest(0, least(per_minute - minute_granted, per_day - day_granted,
      greatest(1, waiting, least(
        per_minute / 10, (per_minute - minute_granted) / shares, per_day / 10, (per_day - day_granted) / shares)))) as calls,
      per_day - day_granted as day_left
    from held cross join asked cross join nodes
  )
  update quota_grants set
    minute_granted = shared.minute_granted + shared.calls, minute_ends_at = shared.minute_ends_at,
    day_granted = shared.day_granted + shared.calls, day_ends_at = shared.day_ends_at
  from shared where quota_grants.subject = shared.subject
  returning shared.calls as calls, shared.day_left as "dayLeft",
    shared.minute_ends_at as "minuteEndsAt", least(shared.minute_ends_at - shared.now, ${MINUTE_MS}) as "minuteMs",
    shared.day_ends_at as "dayEndsAt", least(shared.day_ends_at - shared.now, ${DAY_MS}) as "dayMs"`;

const BEGIN = `
  insert into quota_grants (subject, minute_granted, minute_ends_at, day_granted, day_ends_at) values (?, 0, 0, 0, 0)
  on conflict (subject) do nothing`;

const GIVE_BACK = `
  update quota_grants set
    minute_granted = case when minute_ends_at = ? then minute_granted - ? else minute_granted end,
    day_granted = case when day_ends_at = ? then day_granted - ? else day_granted end
  where subject = ?`;

const SWEEP = `
  delete from quota_grants where subject in (select subject from quota_grants where day_ends_at <= ? limit 500)`;

/** Of a failure by which nothing of the caller's own has happened: whether calls were granted is no outcome of his. */
const asAbsent = (error: unknown): unknown =>
  error instanceof StoreUnavailable && error.outcomeUnknown ? new StoreUnavailable(error.cause) : error;

/** Grants from one call to many, or none if a window is used up. If the answer is lost, what it granted counts as used. */
export const askForGrant = async (
  db: Queries,
  { subject, perMinute, perDay, waiting, unused }: Wanted,
  clock: Clock,
): Promise<Grant> => {
  const { calls, minuteEndsAt, dayEndsAt } = unused;
  const ask = (): Promise<GrantRow | undefined> =>
    db.one<GrantRow>(GRANT, [
      ...[subject, perMinute, perDay, waiting],
      ...[calls, minuteEndsAt, dayEndsAt, clock.moved?.() ?? 0],
    ]);
  try {
    let row = await ask();
    if (!row) {
      await db.run(BEGIN, [subject]);
      row = await ask();
    }
    if (!row) throw new StoreUnavailable(new Error('the row of a quota was removed'));
    const { dayLeft, ...granted } = row;
    return { ...granted, isDayUsedUp: dayLeft <= 0 };
  } catch (error) {
    throw asAbsent(error);
  }
};

export const givingBack = (subject: string, { calls, minuteEndsAt, dayEndsAt }: Unused): Write => ({
  sql: GIVE_BACK,
  params: [minuteEndsAt, calls, dayEndsAt, calls, subject],
});

/** What has been over for a day, so that no clock is wrong enough to remove what still counts. */
export const sweepGrants = (db: Db, clock: Clock): Promise<number> => db.run(SWEEP, [clock.now() - DAY]);
