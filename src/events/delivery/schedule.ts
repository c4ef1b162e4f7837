/** When a delivery is tried again: soon at first, then ever more rarely, for three days. */
import { HOUR, MINUTE, SECOND } from '../../lib/clock.js';

const growing = [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR];
/** Every six hours, as often as three days have room for. */
const steady = Array.from({ length: 11 }, () => 6 * HOUR);

export const retryDelays: readonly number[] = [...growing, ...steady];

const SPREAD = 0.1;
/** The longest that a delivery waits. */
export const DELIVERY_MOST_MS = Math.max(...retryDelays) * (1 + SPREAD);

/**
 * The delay after this many failed attempts, a tenth more or less, so that receivers that failed at the same time are not retried
 * at the same time; undefined if there is no further attempt. `random` is from 0 to 1.
 */
export const retryDelay = (failedAttempts: number, random: number): number | undefined => {
  const delay = retryDelays[failedAttempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - SPREAD + 2 * SPREAD * random));
};
