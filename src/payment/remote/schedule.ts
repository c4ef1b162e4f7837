/** When a remote core is queried again: soon at first, then more rarely; rarely for an order that waits for an operator. */
import { type BankTime, DAY, MINUTE, SECOND } from '../../lib/clock.js';

const growing = [SECOND, 2 * SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE];
const steady = 2 * MINUTE;
const rarely = 15 * MINUTE;

/** After so many attempts in vain. */
export const nextDelay = (attempts: number, isUnresolved: boolean): number =>
  isUnresolved ? rarely : (growing[attempts - 1] ?? steady);

/** The bank's own wish, within bounds: a moment that is past would never let it rest, a far one never see the end. */
export const wishedLook = (lookAgainAt: BankTime, bankNow: BankTime): number =>
  Math.min(Math.max(lookAgainAt, bankNow + SECOND), bankNow + DAY);
