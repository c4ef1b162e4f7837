/**
 * The identity port: how the bank recognises its account holders. The demo bank has a password and a one-time code; a bank with
 * its own login implements this port over its own systems.
 */

import type { Eventual } from '../lib/turn.js';
import type { PsuId } from '../model/ids.js';
import type { Language } from '../web/language.js';

export interface AccountHolders {
  /** The first factor. Unknown users and wrong passwords get the same answer in the same time. */
  login(username: string, password: string, language?: Language): Promise<LoginOutcome>;
  /** Sends a one-time code, or a request to the bank's app, for exactly this: one for one thing never works for another. */
  challenge(psuId: PsuId, context: ScaContext): Promise<Challenge>;
  /**
   * Tries a code. The context must be the one that was shown when the code was sent; a code works once. After five wrong ones of a
   * person within fifteen minutes, whatever they were for, every code is `spent` for fifteen minutes. Without a code: whether the
   * person has confirmed in the app.
   */
  verify(psuId: PsuId, challengeId: string, context: ScaContext, code?: string): Promise<CodeOutcome>;
}

export type LoginOutcome =
  | { readonly kind: 'recognised'; readonly psuId: PsuId; readonly name: string }
  /** Unknown, wrong, or blocked after five failures: one answer for all, so that it does not reveal who has an account. */
  | { readonly kind: 'refused' };

/** What a code stands for. */
export interface ScaContext {
  /** Hash of everything that was shown and is approved. */
  readonly shownHash: string;
  /** For payments (RTS Art. 5): the account holder reads amount and payee beside the code. */
  readonly payment?: { readonly amount: string; readonly payee: string; readonly account: string };
  /** In which the bank writes to the person. Not part of what is approved: a page may change its language. */
  readonly language?: Language;
}

export interface Challenge {
  readonly id: string;
  /** `app`: the person confirms in the bank's app. Left out: they type a code. */
  readonly method?: 'code' | 'app' | undefined;
  /** The phone, address or device it went to, masked, such as `*** *** 4711`; left out if unknown. */
  readonly sentTo?: string | undefined;
  /** Only in the sandbox: what the demo phone shows. A real bank sends the code itself and leaves this out. */
  readonly demoCode?: string;
  /** When it expires, in milliseconds since 1970; left out if unknown. */
  readonly expiresAt?: number;
}

/**
 * `wrong`: try again; `spent`: too many attempts, too late or used before — a new challenge is needed. In the app: `pending` until the
 * person has decided, then once `right` or `refused`.
 */
export type CodeOutcome = 'right' | 'wrong' | 'spent' | 'pending' | 'refused';

/** What a bank's module exports as `createAccountHolders`, if it wants the embedded authorization server. */
export type AccountHoldersFactory = () => Eventual<AccountHolders>;
