/** The clock of the database server, the only one that all nodes see. */
import { type Clock, type RealTime, SECOND } from '../lib/clock.js';
import type { Db } from './db.js';

/** Further apart, one of the two clocks is wrong. Less than any limit that nodes share. */
export const APART_MS = 5 * SECOND;

const SERVER_TIME = 'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms';

/** Undefined: the embedded store has no clock of its own. */
export const serverTime = async (db: Db, clock: Clock): Promise<RealTime | undefined> => {
  if (db.engine === 'sqlite') return undefined;
  const row = await db.one<{ ms: RealTime }>(SERVER_TIME);
  return row && row.ms + (clock.moved?.() ?? 0);
};

/** For a command that runs once. */
export const storeTime = async (db: Db, clock: Clock): Promise<RealTime> =>
  (await serverTime(db, clock)) ?? clock.now();

/** The same for one that reads the time more often: the machine of an operator may be wrong, and what it writes is judged by all nodes. */
export const clockOfStore = async (db: Db, clock: Clock): Promise<Clock> => {
  const aheadMs = clock.now() - (await storeTime(db, clock));
  return { ...clock, now: () => clock.now() - aheadMs };
};
