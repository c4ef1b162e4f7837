/**
 * Confirmations as every page uses them: one is begun per visit and way, another only when the person asks for it, and an answer is
 * counted before the bank judges it. If the person confirms in the bank's app there is nothing to type, and the page asks the bank.
 */

import { setTimeout } from 'node:timers/promises';
import type { AccountHolders, CodeOutcome, Method, MethodKind } from '../../../bank/account-holders.js';
import { obstacleAt } from '../../../bank/passkeys/relying-party.js';
import type { Site } from '../../../http/render.js';
import { type Clock, SECOND } from '../../../lib/clock.js';
import { codesTried } from '../../../psu/code-rules.js';
import { masked } from '../../../psu/destination.js';
import type { LastMethods } from '../../../psu/last-methods.js';
import type { SentCode, SentCodes } from '../../../psu/sent-codes.js';
import type { RecentTimes } from '../../../store/recent-times.js';
import {
  type AppVerdict,
  type CodeState,
  type CodeVerdict,
  type CodeVisit,
  isSent,
  keyOf,
  MAX_ANSWER,
  ofKind,
  shownOf,
  stateOf,
  type Unsent,
  type Ways,
} from './code-states.js';

interface SentKind {
  readonly kind: MethodKind;
  readonly location: string | undefined;
}

export interface CodeParts {
  readonly accountHolders: Pick<AccountHolders, 'methods' | 'challenge' | 'verify'>;
  readonly codesTried: RecentTimes;
  readonly codesSent: RecentTimes;
  readonly appAsked: RecentTimes;
  readonly sentCodes: SentCodes;
  readonly lastMethods: LastMethods;
  readonly clock: Clock;
  /** Where these pages are: not every address can have passkeys. */
  readonly site: Site;
  /** Called if a code could not be sent, because the person sees a page and not a problem body. */
  readonly report: (error: unknown) => void;
}

const SENDING_MS = 3 * SECOND;
const POLL_MS = 50;

/** One visit, in the way that is used for it. */
interface Begun {
  readonly visit: CodeVisit;
  readonly method: Method | undefined;
  readonly ways: Ways;
}

export class OneTimeCodes {
  readonly #parts: CodeParts;

  constructor(parts: CodeParts) {
    this.#parts = parts;
  }

  /** The confirmation of this visit, which is begun now if there is none. */
  async open(visit: CodeVisit): Promise<CodeState> {
    const begun = await this.#begun(visit);
    return { ...(await this.#open(begun)), ...begun.ways };
  }

  /** As it was begun: a page that waits and asks every few seconds does not ask the bank for the ways too. */
  async begun(visit: CodeVisit): Promise<CodeState | undefined> {
    const { sentCodes, clock } = this.#parts;
    const known = await sentCodes.find(keyOf(visit));
    const { methodId } = visit;
    return known && { ...stateOf(known, clock.now()), ...(methodId === undefined ? {} : { methodId }) };
  }

  /** In the way that the person has just chosen, which comes first from now on. */
  async change(visit: CodeVisit): Promise<CodeState> {
    const begun = await this.#begun(visit);
    const { psuId, methodId } = begun.visit;
    if (methodId !== undefined && methodId === visit.methodId)
      await this.#parts.lastMethods.keep(psuId, methodId);
    return { ...(await this.#open(begun)), ...begun.ways };
  }

  async #begun(visit: CodeVisit): Promise<Begun> {
    const { accountHolders, lastMethods } = this.#parts;
    const { methods, noPasskey } = this.#usable(
      (await accountHolders.methods?.(visit.psuId, visit.context)) ?? [],
    );
    const [first] = methods;
    if (!first) return { visit: { ...visit, methodId: undefined }, method: undefined, ways: {} };
    const named = (wanted: string | undefined) => methods.find(({ id }) => id === wanted);
    const method = named(visit.methodId) ?? named(await lastMethods.find(visit.psuId)) ?? first;
    const others = methods
      .filter((each) => each !== method)
      .map(({ sentTo, ...each }) => ({ ...each, ...(sentTo ? { sentTo: masked(sentTo) } : {}) }));
    const ways = { methodId: method.id, others, ...(noPasskey ? { noPasskey } : {}) };
    return { visit: { ...visit, methodId: method.id }, method, ways };
  }

  /** Without passkeys if browsers give none to these pages, unless the person has nothing else. */
  #usable(listed: readonly Method[]) {
    const obstacle = obstacleAt(this.#parts.site.baseUrl);
    const others = listed.filter(({ kind }) => kind !== 'browser');
    if (obstacle === undefined || others.length === listed.length) return { methods: listed };
    return { methods: others.length > 0 ? others : listed, noPasskey: obstacle };
  }

  async #open(begun: Begun): Promise<CodeState> {
    const { codesTried: tried, codesSent, sentCodes, clock } = this.#parts;
    const { visit, method } = begun;
    const until = await tried.fullUntil(visit.psuId);
    if (until !== undefined) return { kind: 'closed', why: 'paused', until };
    const key = keyOf(visit);
    const known = await this.#known(visit);
    if (known) return stateOf(known, clock.now());
    const sentAt = await sentCodes.begin(key);
    // Another window was faster.
    if (sentAt === undefined) return this.#open(begun);
    if (!isSent(method)) return this.#send(begun, sentAt);
    const place = await codesSent.take(visit.psuId);
    if (place.isTaken) return this.#send(begun, sentAt);
    await sentCodes.forget(key, sentAt);
    return { kind: 'closed', why: 'full', until: place.until };
  }

  /** Another one, because the person has asked for it. */
  async sendAgain(asked: CodeVisit): Promise<{ readonly state: CodeState; readonly unsent?: Unsent }> {
    const begun = await this.#begun(asked);
    const { state, unsent } = await this.#sendAgain(begun);
    return { state: { ...state, ...begun.ways }, ...(unsent ? { unsent } : {}) };
  }

  async #sendAgain(begun: Begun): Promise<{ readonly state: CodeState; readonly unsent?: Unsent }> {
    const { codesSent, sentCodes } = this.#parts;
    const { visit, method } = begun;
    const state = await this.#open(begun);
    if (state.kind === 'closed') return { state };
    if (state.againFrom !== undefined) return { state, unsent: { why: 'early', until: state.againFrom } };
    const place = isSent(method) ? await codesSent.take(visit.psuId) : undefined;
    if (place?.isTaken === false) return { state, unsent: { why: 'full', until: place.until } };
    const sentAt = await sentCodes.beginAgain(keyOf(visit));
    if (sentAt !== undefined) return { state: await this.#send(begun, sentAt) };
    if (place) await codesSent.release(visit.psuId, place.at);
    return { state: await this.#open(begun) };
  }

  /** An answer: what was typed, what the browser gave, or with what it came back. */
  async judge(visit: CodeVisit, answer: string): Promise<CodeVerdict> {
    const { codesTried: tried, sentCodes } = this.#parts;
    const { psuId } = visit;
    const place = await tried.take(psuId);
    if (!place.isTaken) return { kind: 'paused', until: place.until };
    const outcome = await this.#judged(visit, answer).catch(async (error: unknown) => {
      // The answer was not checked: an outage of the bank must not pause its customers.
      await tried.release(psuId, place.at);
      throw error;
    });
    if (outcome === 'wrong' || outcome === 'pending')
      return place.left > 0
        ? { kind: 'wrong', left: place.left }
        : { kind: 'paused', until: place.at + codesTried.windowMs };
    // Neither a right answer nor one that works no more is a guess.
    await tried.release(psuId, place.at);
    await sentCodes.end(keyOf(visit));
    return { kind: outcome };
  }

  async #judged(visit: CodeVisit, answer: string): Promise<CodeOutcome> {
    const { accountHolders, sentCodes } = this.#parts;
    const known = await sentCodes.find(keyOf(visit));
    if (!known?.challenge || known.isOver) return 'spent';
    const { id, method = 'code' } = known.challenge;
    if (method === 'app') return 'spent';
    if (answer.length > MAX_ANSWER) return 'wrong';
    return accountHolders.verify(visit.psuId, id, visit.context, answer, method);
  }

  /** What the person has to do; undefined if nothing was begun. */
  async kindOf(visit: CodeVisit): Promise<SentKind | undefined> {
    const { challenge } = (await this.#parts.sentCodes.find(keyOf(visit))) ?? {};
    return challenge && { kind: challenge.method ?? 'code', location: challenge.location };
  }

  /** Keeps what the person has chosen while they confirm outside of the page; false if it is too late for that. */
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
    // Not over before it is carried out: a node may end between the two.
    if (outcome === 'pending' || outcome === 'right') return outcome;
    await sentCodes.end(keyOf(visit));
    return outcome === 'wrong' ? 'spent' : outcome;
  }

  /** What was confirmed in the app has been carried out, or cannot be; false if it was closed before. */
  close(visit: CodeVisit): Promise<boolean> {
    return this.#parts.sentCodes.end(keyOf(visit));
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
  async #send({ visit, method }: Begun, sentAt: number): Promise<CodeState> {
    const { accountHolders, sentCodes, clock, report } = this.#parts;
    const { psuId, context, returnTo } = visit;
    const key = keyOf(visit);
    const full = method?.kind === 'redirect' && returnTo ? { returnTo: returnTo(method.id) } : {};
    const challenge = await accountHolders
      .challenge(psuId, { ...context, ...full }, method?.id)
      .then((sent) => shownOf(ofKind(sent, method), sentAt))
      .catch((error: unknown) => report(error));
    if (challenge) await sentCodes.keep(key, sentAt, challenge);
    else await sentCodes.end(key);
    return stateOf({ sentAt, isOver: false, ...(challenge ? { challenge } : {}) }, clock.now());
  }
}
