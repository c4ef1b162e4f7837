/** When a remote core is queried again: soon at first, then more rarely; rarely for an order that waits for an operator. */
import { type BankTime, MINUTE, SECOND } from '../../lib/clock.js';

const RARELY = 15 * MINUTE;

/** A fifth of the time for which it has been open: its end is known soon, whether it takes seconds or a day. */
const soon = (openForMs: number): number => Math.min(Math.max(openForMs / 5, SECOND), 2 * MINUTE);

/** After an attempt in vain. */
export const nextDelay = (unknownForMs: number, isUnresolved: boolean): number =>
  isUnresolved ? RARELY : Math.round(soon(unknownForMs));

/** The bank's own wish, if it has one that is not past: a far one would never see the end. */
export const wishedLook = (lookAgainAt: BankTime, bankNow: BankTime, createdAt: BankTime): number =>
  lookAgainAt > bankNow
    ? Math.max(lookAgainAt, bankNow + SECOND)
    : Math.round(bankNow + soon(bankNow - createdAt));
