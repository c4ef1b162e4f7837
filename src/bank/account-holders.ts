/**
 * The identity port: how the bank recognises its account holders. The demo bank has a password, then a one-time code or its
 * app; a bank with its own login implements this port over its own systems.
 */

import type { Eventual } from '../lib/turn.js';
import type { PsuId } from '../model/ids.js';
import type { Language } from '../web/language.js';

export interface AccountHolders {
  /** The first factor. Unknown users and wrong passwords get the same answer in the same time. */
  login(username: string, password: string, language?: Language): Promise<LoginOutcome>;
  /** The ways in which this person can confirm this, in the order of the bank. Left out: there is one, and `challenge` says which. */
  methods?(psuId: PsuId, context: ScaContext): Promise<readonly Method[]>;
  /**
   * Begins a confirmation of exactly this: sends a code, asks in the bank's app, or says what the browser has to do. One for one thing
   * never works for another. `methodId` is one of `methods`; it is left out if the bank lists none.
   */
  challenge(psuId: PsuId, context: ScaContext, methodId?: string): Promise<Challenge>;
  /**
   * Judges an answer: the typed code, the JSON text that the browser gave (`browser`), or the query with which it came back
   * (`redirect`). `kind` is that of the challenge. The context must be the one of the challenge, and an answer works once. After five
   * wrong ones of a person within fifteen minutes, whatever they were for, every answer is `spent` for fifteen minutes.
   *
   * Without an answer: whether the person has confirmed in the app. What they decided there is answered again until the challenge expires: a
   * node may end before it has carried it out. It is carried out once.
   */
  verify(
    psuId: PsuId,
    challengeId: string,
    context: ScaContext,
    answer?: string,
    kind?: MethodKind,
  ): Promise<CodeOutcome>;
}

/**
 * What the page does. `code`: the person types. `app`: they confirm outside of the page, and the page waits. `browser`: the page hands
 * `request` to the browser, for a passkey. `redirect`: the browser goes to `location` and comes back. A wallet is an `app` or a `redirect`.
 */
export const methodKinds = ['code', 'app', 'browser', 'redirect'] as const;
export type MethodKind = (typeof methodKinds)[number];

export const METHOD_ID = '^[A-Za-z0-9._-]{1,40}$';
export const MOST_METHODS = 8;

export interface Method {
  /** Like `METHOD_ID`. */
  readonly id: string;
  readonly kind: MethodKind;
  /** As the person reads it, in the language of the context. Left out: the page names the kind. */
  readonly name?: string | undefined;
  /** As in a challenge. */
  readonly sentTo?: string | undefined;
}

export type LoginOutcome =
  | { readonly kind: 'recognised'; readonly psuId: PsuId; readonly name: string }
  /** Unknown, wrong, or blocked: one answer for all, so that it does not reveal who has an account. */
  | { readonly kind: 'refused' };

/** What a code stands for. */
export interface ScaContext {
  /** Hash of everything that was shown and is approved. */
  readonly shownHash: string;
  /** For payments (RTS Art. 5): the account holder reads amount and payee beside the code. */
  readonly payment?: { readonly amount: string; readonly payee: string; readonly account: string };
  /** In which the bank writes to the person. Not part of what is approved: a page may change its language. */
  readonly language?: Language;
  /** For `redirect`: where the browser comes back to. Not part of what is approved. */
  readonly returnTo?: string;
}

export interface Challenge {
  readonly id: string;
  /** Left out: the person types a code. */
  readonly method?: MethodKind | undefined;
  /** For `browser`: what it is asked, as JSON text, such as the options of a passkey. At most 16 KiB. */
  readonly request?: string | undefined;
  /** For `redirect`: where the browser goes, over https. */
  readonly location?: string | undefined;
  /** The phone, address or device it went to, masked, such as `*** *** 4711`; left out if unknown. */
  readonly sentTo?: string | undefined;
  /** Only in the sandbox: what the demo phone shows. A real bank sends the code itself and leaves this out. */
  readonly demoCode?: string;
  /** When it expires, in milliseconds since 1970; left out if unknown. */
  readonly expiresAt?: number;
}

/**
 * `wrong`: try again; `spent`: too many attempts, too late or used before — a new challenge is needed. In the app: `pending` until the
 * person has decided, then `right` or `refused`. A redirect may end in `refused` too.
 */
export type CodeOutcome = 'right' | 'wrong' | 'spent' | 'pending' | 'refused';

/** What a bank's module exports as `createAccountHolders`, if it wants the embedded authorization server. */
export type AccountHoldersFactory = () => Eventual<AccountHolders>;
