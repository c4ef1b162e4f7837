/**
 * How a third party of a campaign calls: with its key and a token it holds, to one node after the other, judged by the
 * journal. `insist` repeats a write under the same X-Request-ID until its outcome is known, so that the caller always knows
 * what it has.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type DemoApplication, demoApplications } from '../../../../packages/sandbox/src/applications.js';
import { type Answer, send, type Wanted } from '../../../support/client.js';
import {
  type Journal,
  type Outcome,
  PATIENCE_MS,
  type Question,
  type Target,
  WrongAnswer,
} from './journal.js';
import { is } from './known.js';

export type Random = () => number;

/** Anything else is an answer that breaks its contract. */
const isNetwork = (error: unknown): boolean => /^E(?!RR_)/.test(String((error as { code?: unknown }).code));

const outcomeOf = async (url: string, wanted: Wanted): Promise<Outcome> => {
  const giveUp = new AbortController();
  const late = pause(PATIENCE_MS + 500, 'late' as const, { signal: giveUp.signal }).catch(
    () => 'late' as const,
  );
  try {
    return await Promise.race([send(url, wanted), late]);
  } catch (error) {
    if (isNetwork(error)) return 'broken';
    throw error;
  } finally {
    giveUp.abort();
  }
};

const json = { 'Content-Type': 'application/json' } as const;
/** Shorter than a token lives. */
const TOKEN_MS = 120_000;
/** A revocation is known everywhere within five seconds. */
const REVOKED_EVERYWHERE_MS = 5000;

export interface Asked extends Wanted {
  readonly operation: string;
  readonly requestId?: string;
  readonly fault: Question['fault'];
}

interface Revoked {
  readonly token: string;
  readonly at: number;
  readonly by: Target;
}

export class Caller {
  readonly application: DemoApplication;
  readonly psu: string;
  readonly journal: Journal;
  readonly #targets: readonly Target[];
  readonly #random: Random;
  readonly #revoked: Revoked[] = [];
  #token: { readonly text: string; readonly at: number } | undefined;
  #turn = 0;

  constructor(journal: Journal, targets: readonly Target[], random: Random, clientId: string, psu: string) {
    const application = demoApplications.find((each) => each.clientId === clientId);
    if (!application) throw new Error(`no application ${clientId}`);
    this.application = application;
    this.psu = psu;
    this.journal = journal;
    this.#targets = targets;
    this.#random = random;
  }

  chance(): number {
    return this.#random();
  }

  #next(): Target {
    this.#turn += 1;
    const target = this.#targets[this.#turn % this.#targets.length];
    if (!target) throw new Error('no node');
    return target;
  }

  async #send(target: Target, asked: Asked, isRepeat: boolean): Promise<Answer | undefined> {
    const startedAt = Date.now();
    const outcome = await outcomeOf(target.url, asked);
    const answer = this.journal.judge({ ...asked, target, startedAt, isRepeat }, outcome);
    // A node that is away starts sooner if nobody knocks all the time.
    if (outcome === 'broken') await pause(200 * this.chance());
    return answer;
  }

  async #tokenFor(target: Target): Promise<string | undefined> {
    // A node whose clock is wrong takes its own tokens; nobody else may.
    const isAdrift = target.wasAdrift(Date.now());
    if (!isAdrift && this.#token && Date.now() - this.#token.at < TOKEN_MS) return this.#token.text;
    const at = Date.now();
    const answer = await this.#send(
      target,
      {
        operation: 'token',
        method: 'POST',
        path: '/sandbox/tokens',
        body: { psu: this.psu, application: this.application.clientId },
        fault: is(200),
      },
      false,
    );
    if (!answer) return undefined;
    const text = (answer.json as { access_token: string }).access_token;
    if (!isAdrift && !target.wasAdrift(at)) this.#token = { text, at };
    return text;
  }

  #signed(asked: Asked, token: string, requestId: string): Asked {
    return {
      ...asked,
      headers: {
        'Ocp-Apim-Subscription-Key': this.application.subscriptionKey,
        Authorization: `Bearer ${token}`,
        'X-Request-ID': requestId,
        ...(asked.body === undefined ? {} : json),
        ...asked.headers,
      },
    };
  }

  /** Once, to the next node. */
  async ask(asked: Asked, isRepeat = false): Promise<Answer | undefined> {
    const target = this.#next();
    const token = await this.#tokenFor(target);
    if (token === undefined) return undefined;
    return this.#send(target, this.#signed(asked, token, asked.requestId ?? randomUUID()), isRepeat);
  }

  /** Until the outcome is known, always with the same request id; `repeated` judges the answers after the first. */
  async insist(asked: Asked & { readonly repeated?: Question['fault'] }): Promise<Answer> {
    const { repeated = asked.fault, ...first } = asked;
    const requestId = asked.requestId ?? randomUUID();
    let wrong = 0;
    for (let attempt = 0; ; attempt += 1) {
      const fault = attempt > 0 ? repeated : first.fault;
      try {
        const answer = await this.ask({ ...first, fault, requestId }, attempt > 0);
        if (answer) return answer;
      } catch (error) {
        wrong += 1;
        if (!(error instanceof WrongAnswer) || wrong === 3) throw error;
      }
      await pause(30 + this.chance() * 50);
    }
  }

  async revokeToken(): Promise<void> {
    const target = this.#next();
    const token = await this.#tokenFor(target);
    // A revocation lives as long as its token by the clock of the node that does it.
    if (token === undefined || target.wasAdrift(Date.now())) return;
    this.#token = undefined;
    const { clientId, clientSecret } = this.application;
    const answer = await this.#send(
      target,
      {
        operation: 'revoke token',
        method: 'POST',
        path: '/oauth/revocation',
        outsideContract: true,
        headers: {
          Authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: `token=${token}&token_type_hint=access_token`,
        fault: is(200),
      },
      false,
    );
    if (answer) this.#revoked.push({ token, at: Date.now(), by: target });
  }

  /** With a token that was revoked: at once on the node that did it, elsewhere when that must have heard of it. */
  async useRevoked(asked: Asked): Promise<void> {
    const target = this.#next();
    const known = this.#revoked.filter(
      ({ at, by }) => by === target || Date.now() - at > REVOKED_EVERYWHERE_MS,
    );
    const revoked = known[Math.floor(this.chance() * known.length)];
    if (!revoked) return;
    await this.#send(target, this.#signed(asked, revoked.token, randomUUID()), false);
  }
}
