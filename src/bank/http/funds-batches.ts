/**
 * Questions about funds that wait for each other travel in one call, if the core says that it takes them so: one that comes while another
 * is on its way joins the next call. A lone one goes at once, in a call of its own.
 */
import { Type } from 'typebox';
import { breachFinder } from '../../http/validate.js';
import { monotonicMs } from '../../lib/clock.js';
import { newId } from '../../lib/id.js';
import { InTurn } from '../../lib/turn.js';
import { WrongAnswer } from '../guard/answers.js';
import type { RawAnswer, RawRequest } from './client.js';
import { MOST_QUESTIONS, repliesWith } from './contract/funds-operations.js';
import { CONSENT_DATA, SANDBOX_TIME } from './contract/headers.js';
import { CoreFault, wrongFault } from './fault.js';

/** A call that takes longer no longer holds up the questions that came after it. */
const PATIENCE_MS = 5;
/** How long it counts what the core's health said, or that it refused such a call. */
const OFFER_MS = 60_000;
/** Of one call, which ends below 256 KiB. */
const MOST_CHARACTERS = 200_000;
/** An answer has no more, with what the core wants to be reminded of. */
const REPLY_BYTES = 2048;

/** One question as it would be asked alone. */
export interface FundsRequest extends RawRequest {
  readonly accountId: string;
  readonly asked: object;
}

export interface FundsTransport {
  /** A question in a call of its own. */
  readonly alone: (request: FundsRequest) => Promise<RawAnswer>;
  /** Undefined if the core refuses such a call. */
  readonly inOneCall: (request: Omit<RawRequest, 'method' | 'path'>) => Promise<unknown>;
  /** Throws if the status of one question is no answer to it. */
  readonly checked: (answer: RawAnswer) => RawAnswer;
  /** What it says comes to `noteHealth`. */
  readonly askHealth: () => Promise<unknown>;
  readonly totalMs: number;
  readonly maxCalls: number;
  readonly responseLimit: number;
}

interface Waiting {
  readonly request: FundsRequest;
  readonly resolve: (answer: RawAnswer) => void;
  readonly reject: (error: unknown) => void;
  isOver: boolean;
}

interface Reply {
  readonly id: string;
  readonly status: number;
  readonly answer?: unknown;
  readonly consentData?: string;
  readonly retryAfter?: number;
}

/** What is wrong with one answer is found where that answer is read. */
const findBreach = breachFinder(repliesWith(Type.Unknown()));

const NO_BYTES = Buffer.alloc(0);

const rawOf = ({ status, answer, consentData, retryAfter }: Reply): RawAnswer => ({
  status,
  headers: {
    ...(consentData === undefined ? {} : { [CONSENT_DATA.toLowerCase()]: consentData }),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
  },
  bytes: NO_BYTES,
  json: answer,
});

const idOf = ({ headers }: RawRequest): string => headers['X-Request-ID'] ?? '';

const jsonOf = ({ accountId, asked, headers }: FundsRequest): string => {
  const { 'X-Request-ID': id, [SANDBOX_TIME]: _common, ...own } = headers;
  return JSON.stringify({ id, accountId, headers: own, ...asked });
};

/** By id, each of a question that was asked. */
const repliesOf = (body: unknown, ids: ReadonlySet<string>): ReadonlyMap<string, Reply> => {
  const breach = findBreach(body);
  if (breach) throw new WrongAnswer('garbage', breach.member, breach.rule);
  const { replies } = body as { readonly replies: readonly Reply[] };
  const byId = new Map(replies.map((each) => [each.id, each]));
  if (byId.size !== replies.length) throw new WrongAnswer('wrong-echo', '/replies', 'an id twice');
  if (replies.some(({ id }) => !ids.has(id)))
    throw new WrongAnswer('wrong-echo', '/replies', 'an id that was not asked for');
  return byId;
};

export class FundsBatches {
  readonly #transport: FundsTransport;
  readonly #turns: InTurn;
  readonly #most: number;
  #waiting: Waiting[] = [];
  /** Questions in calls of their own, as long as the core takes no others. */
  #alone = 0;
  #isOffered = false;
  #knownAt = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;

  constructor(transport: FundsTransport) {
    this.#transport = transport;
    const { maxCalls, responseLimit } = transport;
    this.#turns = new InTurn(() => this.#next(), { patienceMs: PATIENCE_MS, mostAtOnce: maxCalls });
    this.#most = Math.min(MOST_QUESTIONS, Math.floor(responseLimit / REPLY_BYTES));
  }

  ask(request: FundsRequest): Promise<RawAnswer> {
    if (!this.#isOffered || this.#most < 2) return this.#askAlone(request);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.isOver = true;
        reject(new CoreFault('late', 'total time'));
      }, this.#transport.totalMs);
      const end =
        <T>(settle: (outcome: T) => void) =>
        (outcome: T): void => {
          clearTimeout(timer);
          settle(outcome);
        };
      const waiting: Waiting = { request, resolve: end(resolve), reject: end(reject), isOver: false };
      if (this.#waiting.push(waiting) === 1) process.nextTick(() => this.#turns.goOn());
    });
  }

  async #askAlone(request: FundsRequest): Promise<RawAnswer> {
    if (this.#alone > 0) this.#refreshOffer();
    this.#alone += 1;
    try {
      return await this.#transport.alone(request);
    } finally {
      this.#alone -= 1;
    }
  }

  /** Takes up what the health of the core says about it, unless it has just refused such a call. */
  noteHealth({ operations = [] }: { readonly operations?: readonly string[] }): void {
    const now = monotonicMs();
    this.#knownAt = now;
    this.#isOffered = operations.includes('hasFundsOfMany') && now - this.#refusedAt > OFFER_MS;
  }

  /** Beside the questions, and only if some wait for each other. */
  #refreshOffer(): void {
    if (monotonicMs() - this.#knownAt < OFFER_MS) return;
    this.#knownAt = monotonicMs();
    this.#transport.askHealth().catch(() => undefined);
  }

  #next(): Promise<void> | undefined {
    const waiting = this.#waiting.filter(({ isOver }) => !isOver);
    this.#waiting = [];
    if (waiting.length === 0) return undefined;
    if (waiting.length === 1 || !this.#isOffered) return this.#settleEach(waiting);
    const texts: string[] = [];
    let characters = 0;
    for (const { request } of waiting.slice(0, this.#most)) {
      const text = jsonOf(request);
      characters += text.length;
      if (characters > MOST_CHARACTERS && texts.length > 0) break;
      texts.push(text);
    }
    this.#waiting = waiting.slice(texts.length);
    return this.#settleAll(waiting.slice(0, texts.length), texts);
  }

  async #settleEach(batch: readonly Waiting[]): Promise<void> {
    await Promise.all(
      batch.map(({ request, resolve, reject }) => this.#transport.alone(request).then(resolve, reject)),
    );
  }

  async #settleAll(batch: readonly Waiting[], texts: readonly string[]): Promise<void> {
    try {
      const replies = await this.#repliesTo(batch, texts);
      if (replies) for (const each of batch) this.#settle(each, replies.get(idOf(each.request)));
      else await this.#settleEach(batch);
    } catch (error) {
      const fault = error instanceof WrongAnswer ? wrongFault(error) : error;
      for (const { reject } of batch) reject(fault);
    }
  }

  async #repliesTo(
    batch: readonly Waiting[],
    texts: readonly string[],
  ): Promise<ReadonlyMap<string, Reply> | undefined> {
    const requests = batch.map(({ request }) => request);
    const time = requests.at(-1)?.headers[SANDBOX_TIME];
    const headers = { 'X-Request-ID': newId(), ...(time === undefined ? {} : { [SANDBOX_TIME]: time }) };
    const body = await this.#transport.inOneCall({ headers, body: `{"questions":[${texts.join(',')}]}` });
    if (body !== undefined) return repliesOf(body, new Set(requests.map(idOf)));
    this.#isOffered = false;
    this.#refusedAt = monotonicMs();
    return undefined;
  }

  #settle({ resolve, reject }: Waiting, reply: Reply | undefined): void {
    try {
      if (!reply) throw new WrongAnswer('garbage', '/replies', 'one is missing');
      resolve(this.#transport.checked(rawOf(reply)));
    } catch (error) {
      reject(error);
    }
  }
}
