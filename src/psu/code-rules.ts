/**
 * How many one-time codes a person may get wrong, and how many are sent to them: over every request, renewal and the dashboard, in all
 * sessions and on all nodes. A right code gives its own places back and nothing else: the guesses of a thief are not forgotten
 * because the owner of the phone has logged in, and who pays ten bills in a row is not stopped at the sixth. They are counted by the
 * bank's clock, which a test system can move.
 */
import { MINUTE, SECOND } from '../lib/clock.js';
import type { RecentRule } from '../store/recent-times.js';

const WINDOW_MS = 15 * MINUTE;

/** RTS Art. 4(3)(b): at most five, then a pause. */
export const codesTried: RecentRule = { kind: 'code tried', most: 5, windowMs: WINDOW_MS, pauses: true };

/** What a code is sent for. Requests without an answer must not keep a person out of the pages on which they withdraw. */
export type CodePurpose = 'approval' | 'dashboard';

const sentKinds: Readonly<Record<CodePurpose, string>> = {
  approval: 'code sent',
  dashboard: 'code sent for the dashboard',
};

export const codesSent = (purpose: CodePurpose, most: number): RecentRule => ({
  kind: sentKinds[purpose],
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
