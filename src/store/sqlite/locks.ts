/**
 * Waiting for a lock that another process holds. SQLite's own waiting (busy_timeout) would stop the event loop and with it every
 * other request, so it is off; a statement that meets a lock has changed nothing, and is tried again after a pause.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { monotonicMs, SECOND } from '../../lib/clock.js';
import { StoreUnavailable } from '../db.js';

/** Counted from when the work was asked for, and shorter than a request may take: it is refused with 503, not cut off with 408. */
export const LOCK_WAIT_MS = 3 * SECOND;
/** Migrations of another process may take long. */
export const MIGRATION_WAIT_MS = 60 * SECOND;

const BUSY = 5;
const pausesMs = [1, 2, 5, 10, 15, 20] as const;
const LONGEST_PAUSE_MS = 25;

const isBusy = (error: unknown): boolean => {
  const { errcode } = (error instanceof StoreUnavailable ? error.cause : error) as { errcode?: unknown };
  return typeof errcode === 'number' && (errcode & 0xff) === BUSY;
};

export const untilAfter = (ms: number): number => monotonicMs() + ms;

/** Tries at least once, and again while another process has the lock, until the moment given (`monotonicMs`). */
export const whenUnlocked = async <T>(attempt: () => T, until: number): Promise<Awaited<T>> => {
  for (let count = 0; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isBusy(error) || monotonicMs() >= until) throw error;
    }
    await pause(pausesMs[count] ?? LONGEST_PAUSE_MS);
  }
};

/** Work of one process, first come first served. Who waits behind a lock waits no longer than the first does. */
export const oneAtATime = () => {
  let tail: Promise<unknown> = Promise.resolve();
  return <T>(work: (until: number) => Promise<T>, waitMs = LOCK_WAIT_MS): Promise<T> => {
    const until = untilAfter(waitMs);
    const turn = tail.then(() => work(until));
    tail = turn.catch(() => undefined);
    return turn;
  };
};
