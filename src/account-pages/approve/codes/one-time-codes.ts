/**
 * One-time codes as every page uses them: one is sent per visit, another only when the person asks for it, and an attempt is
 * counted before the bank judges it. A bank may ask in its app instead: then there is nothing to type, and the page asks the bank.
 */

import { setTimeout } from 'node:timers/promises';
import type { AccountHolders, Challenge, ScaContext } from '../../../bank/account-holders.js';
import { type Clock, type RealTime, SECOND } from '../../../lib/clock.js';
import type { PsuId } from '../../../model/ids.js';
import { APP_WAIT_MS, codesTried, RESEND_AFTER_MS } from '../../../psu/code-rules.js';
import { masked } from '../../../psu/destination.js';
import type { SentChallenge, SentCode, SentCodes } from '../../../psu/sent-codes.js';
import type { RecentTimes } from '../../../store/recent-times.js';

/** What a person confirms, in one session. */
export interface CodeVisit {
  /** Of the session. */
  readonly secret: string;
  readonly psuId: PsuId;
  readonly context: ScaContext;
}

interface Again {
  /** When another one may be asked for; absent if it may now. */
  readonly againFrom?: number;
}

export type SentState = Again & {
  readonly kind: 'sent';
  readonly method: 'code' | 'app';
  readonly sentTo?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly demoCode?: string;
};

export type CodeState =
  | SentState
  /** `unsure`: unknown whether it was sent; `over`: too old, or spent. */
  | (Again & { readonly kind: 'missing'; readonly why: 'unsure' | 'over' | 'appOver' })
  /** `paused`: too many wrong ones; `full`: too many were sent. */
  | { readonly kind: 'closed'; readonly why: 'paused' | 'full'; readonly until: number };

/** Why no other code was sent. */
export interface Unsent {
  readonly why: 'early' | 'full';
  readonly until: number;
}

export type CodeVerdict =
  | { readonly kind: 'right' }
  | { readonly kind: 'spent' }
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'paused'; readonly until: number };

/** `unreachable`: the bank did not answer, so nothing is known. */
export type AppVerdict = 'right' | 'refused' | 'spent' | 'pending' | 'unreachable';

export interface CodeParts {
  readonly accountHolders: Pick<AccountHolders, 'challenge' | 'verify'>;
  readonly codesTried: RecentTimes;
  readonly codesSent: RecentTimes;
  readonly appAsked: RecentTimes;
  readonly sentCodes: SentCodes;
  readonly clock: Clock;
  /** Called if a code could not be sent, because the person sees a page and not a problem body. */
  readonly report: (error: unknown) => void;
}

const SENDING_MS = 3 * SECOND;
const POLL_MS = 50;

const stateOf = ({ challenge, sentAt, isOver }: SentCode, now: RealTime): CodeState => {
  const againFrom = sentAt + RESEND_AFTER_MS;
  const again = againFrom > now ? { againFrom } : {};
  if (!challenge) return { kind: 'missing', why: 'unsure', ...again };
  const { id: _id, chosen: _chosen, method = 'code', ...how } = challenge;
  if (isOver) return { kind: 'missing', why: method === 'app' ? 'appOver' : 'over', ...again };
  return { kind: 'sent', method, ...how, ...again };
};

/** What of it is kept and shown. A page that waits for an app always has an end. */
const shownOf = ({ id, method, sentTo, expiresAt, demoCode }: Challenge, sentAt: number): SentChallenge => {
  const until = expiresAt ?? (method === 'app' ? sentAt + APP_WAIT_MS : undefined);
  return {
    id,
    ...(method ? { method } : {}),
    ...(sentTo ? { sentTo: masked(sentTo) } : {}),
    ...(demoCode === undefined ? {} : { demoCode }),
    ...(until === undefined ? {} : { expiresAt: until }),
  };
};

const keyOf = ({ secret, context: { shownHash } }: CodeVisit) => ({ secret, shownHash });

export class OneTimeCodes {
  readonly #parts: CodeParts;

  constructor(parts: CodeParts) {
    this.#parts = parts;
  }

  /** The code of this visit, which is sent now if there is none. */
  async open(visit: CodeVisit): Promise<CodeState> {
    const { codesTried: tried, codesSent, sentCodes, clock } = this.#parts;
    const until = await tried.fullUntil(visit.psuId);
    if (until !== undefined) return { kind: 'closed', why: 'paused', until };
    const key = keyOf(visit);
    const known = await this.#known(visit);
    if (known) return stateOf(known, clock.now());
    const sentAt = await sentCodes.begin(key);
    // Another window was faster.
    if (sentAt === undefined) return this.open(visit);
    const place = await codesSent.take(visit.psuId);
    if (place.isTaken) return this.#send(visit, sentAt);
    await sentCodes.forget(key, sentAt);
    return { kind: 'closed', why: 'full', until: place.until };
  }

  /** Another code, because the person has asked for it. */
  async sendAgain(visit: CodeVisit): Promise<{ readonly state: CodeState; readonly unsent?: Unsent }> {
    const { codesSent, sentCodes } = this.#parts;
    const state = await this.open(visit);
    if (state.kind === 'closed') return { state };
    if (state.againFrom !== undefined) return { state, unsent: { why: 'early', until: state.againFrom } };
    const place = await codesSent.take(visit.psuId);
    if (!place.isTaken) return { state, unsent: { why: 'full', until: place.until } };
    const sentAt = await sentCodes.beginAgain(keyOf(visit));
    if (sentAt !== undefined) return { state: await this.#send(visit, sentAt) };
    await codesSent.release(visit.psuId, place.at);
    return { state: await this.open(visit) };
  }

  async judge(visit: CodeVisit, code: string): Promise<CodeVerdict> {
    const { accountHolders, codesTried: tried, sentCodes } = this.#parts;
    const { psuId, context } = visit;
    const place = await tried.take(psuId);
    if (!place.isTaken) return { kind: 'paused', until: place.until };
    const known = await sentCodes.find(keyOf(visit));
    const canType = known?.challenge && known.challenge.method !== 'app' && !known.isOver;
    const outcome =
      known?.challenge && canType
        ? await accountHolders
            .verify(psuId, known.challenge.id, context, code)
            .catch(async (error: unknown) => {
              // The code was not checked: an outage of the bank must not pause its customers.
              await tried.release(psuId, place.at);
              throw error;
            })
        : 'spent';
    if (outcome === 'wrong' || outcome === 'pending' || outcome === 'refused')
      return place.left > 0
        ? { kind: 'wrong', left: place.left }
        : { kind: 'paused', until: place.at + codesTried.windowMs };
    // Neither a right code nor one that works no more is a guess.
    await tried.release(psuId, place.at);
    await sentCodes.end(keyOf(visit));
    return { kind: outcome };
  }

  /** Whether there is nothing to type because the person confirms in the app. */
  async isApp(visit: CodeVisit): Promise<boolean> {
    return (await this.#parts.sentCodes.find(keyOf(visit)))?.challenge?.method === 'app';
  }

  /** Keeps what the person has chosen while they confirm in the app; false if it is too late for that. */
  choose(visit: CodeVisit, chosen: unknown): Promise<boolean> {
    return this.#parts.sentCodes.choose(keyOf(visit), chosen);
  }

  /** As it was kept: only this service can open it. */
  async chosen<T>(visit: CodeVisit): Promise<T | undefined> {
    return (await this.#parts.sentCodes.find(keyOf(visit)))?.challenge?.chosen as T | undefined;
  }

  /**
   * Whether the person has confirmed in the app. Asked every few seconds, so it is not an attempt; what is asked too often is answered
   * without the bank.
   */
  async askApp(visit: CodeVisit): Promise<AppVerdict> {
    const { accountHolders, appAsked, codesTried: tried, sentCodes, report } = this.#parts;
    const known = await sentCodes.find(keyOf(visit));
    if (known?.challenge?.method !== 'app' || known.isOver) return 'spent';
    // Nothing of a person is accepted during a pause.
    if ((await tried.fullUntil(visit.psuId)) !== undefined) return 'spent';
    if (!(await appAsked.take(visit.psuId)).isTaken) return 'pending';
    const outcome = await accountHolders
      .verify(visit.psuId, known.challenge.id, visit.context)
      .catch((error: unknown) => report(error));
    if (!outcome) return 'unreachable';
    if (outcome === 'pending') return outcome;
    await sentCodes.end(keyOf(visit));
    return outcome === 'wrong' ? 'spent' : outcome;
  }

  /** A code that is being sent for another window is waited for. */
  async #known(visit: CodeVisit): Promise<SentCode | undefined> {
    const { sentCodes, clock } = this.#parts;
    for (;;) {
      const known = await sentCodes.find(keyOf(visit));
      const isBeingSent =
        known && !known.challenge && !known.isOver && clock.now() - known.sentAt < SENDING_MS;
      if (!isBeingSent) return known;
      await setTimeout(POLL_MS);
    }
  }

  /** One that may not have gone out is not followed by another: the person would get two, or a flood of them. */
  async #send(visit: CodeVisit, sentAt: number): Promise<CodeState> {
    const { accountHolders, sentCodes, clock, report } = this.#parts;
    const key = keyOf(visit);
    const challenge = await accountHolders
      .challenge(visit.psuId, visit.context)
      .then((sent) => shownOf(sent, sentAt))
      .catch((error: unknown) => report(error));
    if (challenge) await sentCodes.keep(key, sentAt, challenge);
    else await sentCodes.end(key);
    return stateOf({ sentAt, isOver: false, ...(challenge ? { challenge } : {}) }, clock.now());
  }
}
