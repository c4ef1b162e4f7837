/**
 * One-time codes as every page uses them: one is sent per visit, another only when the person asks for it, and an attempt is
 * counted before the bank judges it.
 */

import { setTimeout } from 'node:timers/promises';
import type { AccountHolders, ScaContext } from '../../../bank/account-holders.js';
import { type Clock, type RealTime, SECOND } from '../../../lib/clock.js';
import type { PsuId } from '../../../model/ids.js';
import { codesTried, RESEND_AFTER_MS } from '../../../psu/code-rules.js';
import type { SentCode, SentCodes } from '../../../psu/sent-codes.js';
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

export type CodeState =
  | (Again & { readonly kind: 'sent'; readonly demoCode?: string })
  /** `unsure`: unknown whether it was sent; `over`: too old, or spent. */
  | (Again & { readonly kind: 'missing'; readonly why: 'unsure' | 'over' })
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

export interface CodeParts {
  readonly accountHolders: Pick<AccountHolders, 'challenge' | 'verify'>;
  readonly codesTried: RecentTimes;
  readonly codesSent: RecentTimes;
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
  if (isOver) return { kind: 'missing', why: 'over', ...again };
  const { demoCode } = challenge;
  return { kind: 'sent', ...again, ...(demoCode === undefined ? {} : { demoCode }) };
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
    const outcome =
      known?.challenge && !known.isOver
        ? await accountHolders
            .verify(psuId, known.challenge.id, context, code)
            .catch(async (error: unknown) => {
              // The code was not checked: an outage of the bank must not pause its customers.
              await tried.release(psuId, place.at);
              throw error;
            })
        : 'spent';
    if (outcome === 'wrong')
      return place.left > 0
        ? { kind: 'wrong', left: place.left }
        : { kind: 'paused', until: place.at + codesTried.windowMs };
    // Neither a right code nor one that works no more is a guess.
    await tried.release(psuId, place.at);
    await sentCodes.end(keyOf(visit));
    return { kind: outcome };
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
      .catch((error: unknown) => report(error));
    if (challenge) await sentCodes.keep(key, sentAt, challenge);
    else await sentCodes.end(key);
    return stateOf({ sentAt, isOver: false, ...(challenge ? { challenge } : {}) }, clock.now());
  }
}
