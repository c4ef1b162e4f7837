/**
 * How many one-time codes a person may get wrong, and how many are sent to them: over every request, renewal and the dashboard, in all
 * sessions and on all nodes. A right code gives its own place back and nothing else, so the guesses of a thief are not forgotten
 * because the owner of the phone has logged in.
 */
import { MINUTE, SECOND } from '../lib/clock.js';
import type { RecentRule } from '../store/recent-times.js';

const WINDOW_MS = 15 * MINUTE;

/** RTS Art. 4(3)(b): at most five, then a pause. */
export const codesTried: RecentRule = { kind: 'code tried', most: 5, windowMs: WINDOW_MS, pauses: true };

export const codesSent = (most: number): RecentRule => ({
  kind: 'code sent',
  most,
  windowMs: WINDOW_MS,
  pauses: false,
});

/** How often the bank is asked whether a person has confirmed in its app: several windows that wait share it. */
export const appAsked: RecentRule = { kind: 'app asked', most: 30, windowMs: MINUTE, pauses: false };

/** Until when a page waits for the app if the bank does not say. */
export const APP_WAIT_MS = 5 * MINUTE;

/** Between one code and the next within a visit. */
export const RESEND_AFTER_MS = 30 * SECOND;
