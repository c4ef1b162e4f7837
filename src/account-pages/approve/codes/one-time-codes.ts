/**
 * Confirmations as every page uses them: a message goes out only when the person asks for it, never because a page was opened, and an
 * answer is counted before the bank judges it. If the person confirms in the bank's app there is nothing to type, and the page asks the bank.
 */

import { setTimeout } from 'node:timers/promises';
import type { AccountHolders, CodeOutcome, Method, MethodKind } from '../../../bank/account-holders.js';
import { obstacleAt } from '../../../bank/passkeys/relying-party.js';
import type { PageReport } from '../../../http/pages.js';
import type { Site } from '../../../http/render.js';
import { type BankTime, type Clock, SECOND } from '../../../lib/clock.js';
import { type CodePurpose, codesTried } from '../../../psu/code-rules.js';
import { masked } from '../../../psu/destination.js';
import type { LastMethods } from '../../../psu/last-methods.js';
import type { SentChallenge, SentCode, SentCodes } from '../../../psu/sent-codes.js';
import type { RecentTimes } from '../../../store/recent-times.js';
import {
  type AppVerdict,
  type CodeState,
  type CodeVerdict,
  type CodeVisit,
  keyOf,
  MAX_ANSWER,
  messageIn,
  ofKind,
  type PageTime,
  type Sending,
  shownOf,
  stateOf,
  usableMethods,
  type Ways,
} from './code-states.js';

interface SentKind {
  readonly kind: MethodKind;
  readonly location?: string | undefined;
  readonly isBegun: boolean;
}

export interface CodeParts {
  readonly accountHolders: Pick<AccountHolders, 'methods' | 'challenge' | 'verify'>;
  readonly codesTried: RecentTimes;
  readonly codesSent: Readonly<Record<CodePurpose, RecentTimes>>;
  readonly appAsked: RecentTimes;
  readonly sentCodes: SentCodes;
  readonly lastMethods: LastMethods;
  readonly clock: Clock;
  readonly bankTime: () => Promise<BankTime>;
  /** Where these pages are: not every address can have passkeys. */
  readonly site: Site;
  /** Called if a code could not be sent, because the person sees a page and not a problem body. */
  readonly report: PageReport;
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

  /** The confirmation of this visit: ready to be asked for, or begun now if nothing goes out to the person. */
  async open(visit: CodeVisit): Promise<CodeState> {
    const begun = await this.#begun(visit);
    return { ...(await this.#open(begun)), ...begun.ways };
  }

  /** As it was begun: a page that waits and asks every few seconds does not ask the bank for the ways too. */
  async begun(visit: CodeVisit): Promise<CodeState | undefined> {
    const known = await this.#parts.sentCodes.find(keyOf(visit));
    const { methodId } = visit;
    return (
      known && { ...stateOf(known, await this.#time()), ...(methodId === undefined ? {} : { methodId }) }
    );
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
    const { accountHolders, lastMethods, site } = this.#parts;
    const listed = (await accountHolders.methods?.(visit.psuId, visit.context)) ?? [];
    const methods = usableMethods(listed, obstacleAt(site.baseUrl));
    const [first] = methods;
    if (!first) return { visit: { ...visit, methodId: undefined }, method: undefined, ways: {} };
    const named = (wanted: string | undefined) => methods.find(({ id }) => id === wanted);
    const method = named(visit.methodId) ?? named(await lastMethods.find(visit.psuId)) ?? first;
    const others = methods
      .filter((each) => each !== method)
      .map(({ sentTo, ...each }) => ({ ...each, ...(sentTo ? { sentTo: masked(sentTo) } : {}) }));
    const ways = { methodId: method.id, others };
    return { visit: { ...visit, methodId: method.id }, method, ways };
  }

  async #time(): Promise<PageTime> {
    const { clock, bankTime } = this.#parts;
    return { now: clock.now(), bankNow: await bankTime() };
  }

  async #open(begun: Begun): Promise<CodeState> {
    const { codesTried: tried, codesSent, sentCodes } = this.#parts;
    const { visit, method } = begun;
    const paused = await tried.fullUntil(visit.psuId);
    if (paused !== undefined) return { kind: 'closed', why: 'paused', until: paused };
    const known = await this.#known(visit);
    if (known) return stateOf(known, await this.#time());
    const message = messageIn(method?.kind);
    if (message) {
      const full = await codesSent[visit.purpose].fullUntil(visit.psuId);
      if (full !== undefined) return { kind: 'closed', why: 'full', until: full };
      return { kind: 'ready', method: message, ...(method?.sentTo ? { sentTo: masked(method.sentTo) } : {}) };
    }
    const sentAt = await sentCodes.begin(keyOf(visit));
    // Another window was faster.
    return sentAt === undefined ? this.#open(begun) : this.#send(begun, sentAt);
  }

  /** The code that the person asks for: a button pressed twice sends one. */
  send(asked: CodeVisit): Promise<Sending> {
    return this.#asked(asked, false);
  }

  /** Another one. */
  sendAgain(asked: CodeVisit): Promise<Sending> {
    return this.#asked(asked, true);
  }

  async #asked(asked: CodeVisit, isAgain: boolean): Promise<Sending> {
    const begun = await this.#begun(asked);
    const { state, unsent } = await this.#sendOn(begun, isAgain);
    return { state: { ...state, ...begun.ways }, ...(unsent ? { unsent } : {}) };
  }

  async #sendOn(begun: Begun, isAgain: boolean): Promise<Sending> {
    const state = await this.#open(begun);
    if (state.kind === 'closed') return { state, unsent: { why: state.why, until: state.until } };
    if (state.kind === 'sent' && !isAgain) return { state };
    if (state.kind === 'ready') return this.#sendFirst(begun, state);
    if (state.againFrom !== undefined) return { state, unsent: { why: 'early', until: state.againFrom } };
    return this.#sendAnother(begun, state);
  }

  /** Begun before a place is taken: a button pressed often takes one. */
  async #sendFirst(begun: Begun, state: CodeState): Promise<Sending> {
    const { codesSent, sentCodes } = this.#parts;
    const { visit } = begun;
    const key = keyOf(visit);
    const sentAt = await sentCodes.begin(key);
    if (sentAt === undefined) return { state: await this.#open(begun) };
    const place = await codesSent[visit.purpose].take(visit.psuId);
    if (place.isTaken) return { state: await this.#send(begun, sentAt, place.at) };
    await sentCodes.forget(key, sentAt);
    return { state, unsent: { why: 'full', until: place.until } };
  }

  /** Begun after a place is taken: without one the code that was sent stays as it is. */
  async #sendAnother(begun: Begun, state: CodeState): Promise<Sending> {
    const { codesSent, sentCodes } = this.#parts;
    const { visit, method } = begun;
    const places = messageIn(method?.kind) && codesSent[visit.purpose];
    const place = await places?.take(visit.psuId);
    if (place?.isTaken === false) return { state, unsent: { why: 'full', until: place.until } };
    const sentAt = await sentCodes.beginAgain(keyOf(visit));
    if (sentAt !== undefined) return { state: await this.#send(begun, sentAt, place?.at) };
    if (place) await places?.release(visit.psuId, place.at);
    return { state: await this.#open(begun) };
  }

  /** An answer: what was typed, what the browser gave, or with what it came back. */
  async judge(visit: CodeVisit, answer: string): Promise<CodeVerdict> {
    const { codesTried: tried, sentCodes } = this.#parts;
    const { psuId } = visit;
    const place = await tried.take(psuId);
    if (!place.isTaken) return { kind: 'paused', until: place.until };
    const known = await sentCodes.find(keyOf(visit));
    const outcome = await this.#judged(visit, known, answer).catch(async (error: unknown) => {
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
    if (outcome === 'right') await this.#answered(visit, known?.challenge);
    return { kind: outcome };
  }

  /** Only what is sent without a right answer counts: a person who refuses one request after the other is being pestered. */
  async #answered({ psuId, purpose }: CodeVisit, challenge: SentChallenge | undefined): Promise<void> {
    if (challenge?.place !== undefined) await this.#parts.codesSent[purpose].release(psuId, challenge.place);
  }

  async #judged(visit: CodeVisit, known: SentCode | undefined, answer: string): Promise<CodeOutcome> {
    const { accountHolders } = this.#parts;
    if (!known?.challenge || known.isOver) return 'spent';
    const { id, method = 'code' } = known.challenge;
    if (method === 'app') return 'spent';
    if (answer.length > MAX_ANSWER) return 'wrong';
    return accountHolders.verify(visit.psuId, id, visit.context, answer, method);
  }

  /** What the person has to do. */
  async kindOf(visit: CodeVisit): Promise<SentKind> {
    const { challenge } = (await this.#parts.sentCodes.find(keyOf(visit))) ?? {};
    if (challenge) return { kind: challenge.method ?? 'code', location: challenge.location, isBegun: true };
    const { method } = await this.#begun(visit);
    return { kind: method?.kind ?? 'code', isBegun: false };
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
  async close(visit: CodeVisit): Promise<boolean> {
    const { sentCodes } = this.#parts;
    const known = await sentCodes.find(keyOf(visit));
    if (!(await sentCodes.end(keyOf(visit)))) return false;
    await this.#answered(visit, known?.challenge);
    return true;
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
  async #send({ visit, method }: Begun, sentAt: number, place?: number): Promise<CodeState> {
    const { accountHolders, sentCodes, report } = this.#parts;
    const { psuId, context, returnTo } = visit;
    const key = keyOf(visit);
    const full = method?.kind === 'redirect' && returnTo ? { returnTo: returnTo(method.id) } : {};
    const challenge = await accountHolders
      .challenge(psuId, { ...context, ...full }, method?.id)
      .then((sent) => ({
        ...shownOf(ofKind(sent, method), sentAt),
        ...(place === undefined ? {} : { place }),
      }))
      .catch((error: unknown) => report(error));
    if (challenge) await sentCodes.keep(key, sentAt, challenge);
    else await sentCodes.end(key);
    const state = stateOf({ sentAt, isOver: false, ...(challenge ? { challenge } : {}) }, await this.#time());
    return state.kind === 'sent' && place !== undefined ? { ...state, isNew: true } : state;
  }
}
