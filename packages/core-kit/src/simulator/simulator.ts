/**
 * The core simulator: a bank's side of the contract, on a demo bank with a store of its own. Banks read it as an example and
 * rehearse with it; tests let it fail in every way that a core can fail.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOnPhone, DemoLife, type HistoryOptions, phoneRequests } from '@trapeza/sandbox/demo-bank';
import { NOT_AFTER, PSU_ID } from 'trapeza/bank';
import {
  type Clock,
  type Db,
  dateAt,
  guardSockets,
  hasBody,
  instantText,
  Problem,
  parseInstant,
  parseJson,
  readBody,
  SECOND,
  StoreUnavailable,
  sha256,
} from 'trapeza/base';
import { takenFor } from './astray.js';
import { consentDataFor } from './consent-data.js';
import { listConsents } from './consents.js';
import {
  type Answer,
  type Asked,
  askedOf,
  type Core,
  type Matched,
  matchOperation,
  Refusal,
} from './contract.js';
import { createCore } from './core.js';
import { checksQuestions, type DefectName, withDefects } from './defects.js';
import { type Fault, type FaultKind, FaultList, faultsIn } from './faults.js';
import {
  answerOf,
  deliver,
  errorAnswer,
  jsonAnswer,
  MAINTENANCE_S,
  misbehaviourBefore,
  type Outgoing,
  send,
} from './misbehave.js';
import { listPayments } from './payments.js';
import { resetSimulator, seedSimulator } from './seed.js';
import { SentCodes } from './sent-codes.js';
import { slowly } from './slow.js';

/** Of several questions in one call. */
const BODY_LIMIT = 262_144;

export interface SimulatorOptions {
  /** Migrated, and for the simulator alone. */
  readonly db: Db;
  readonly clock: Clock;
  readonly timeZone: string;
  /** How far back the history of the accounts reaches. */
  readonly months: number;
  readonly faults?: readonly Fault[];
  /** The same seed gives the same faults. */
  readonly seed?: number;
  readonly defects?: readonly DefectName[];
  /** The longest that a payment takes; none takes any if absent. */
  readonly paymentSeconds?: number;
  /** Demanded as a bearer token if it is given. */
  readonly token?: string;
  /** Called with internal errors. */
  readonly tell?: (line: string) => void;
}

export interface Simulator {
  /** Creates the demo bank if there is none yet, and answers from then on. */
  listen(port: number, host: string): Promise<string>;
  /** Ends every connection, also those that a fault keeps open. The store stays open: it is the caller's. */
  close(): Promise<void>;
}

const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

const urlOf = ({ url = '/' }: IncomingMessage): URL => {
  try {
    if (url.startsWith('/')) return new URL(url, 'http://core');
  } catch {
    // As one that does not begin with a slash.
  }
  throw new Refusal(400, 'the address cannot be read');
};

const jsonOf = async (request: IncomingMessage): Promise<unknown> => {
  const type = headerOf(request, 'content-type') ?? '';
  if (hasBody(request) && !/^application\/json\s*(;|$)/i.test(type))
    throw new Refusal(415, 'the body must be application/json');
  try {
    return parseJson(await readBody(request, BODY_LIMIT));
  } catch (error) {
    if (error instanceof Problem) throw new Refusal(400, error.details.detail ?? 'the body cannot be read');
    throw error;
  }
};

const consentData = (request: IncomingMessage): Readonly<Record<string, string>> => {
  const data = consentDataFor(headerOf(request, 'consent-id'), headerOf(request, 'bank-consent-data'));
  return data === undefined ? {} : { 'Bank-Consent-Data': data };
};

class RunningSimulator implements Simulator {
  readonly #options: SimulatorOptions;
  readonly #core: Core;
  readonly #codes: SentCodes;
  readonly #faults: FaultList;
  readonly #life: DemoLife;
  /** The latest day of which anything was asked: the bank has lived until then. */
  #today = '';
  #living: Promise<unknown> = Promise.resolve();
  readonly #server: Server;
  readonly #running = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  constructor(options: SimulatorOptions) {
    const { db, faults = [], seed = 1, defects = [], paymentSeconds: seconds = 0 } = options;
    this.#options = options;
    this.#codes = new SentCodes(() => options.clock.now());
    const core = this.#codes.of(createCore(options));
    const paced = seconds > 0 ? slowly(core, { db, seconds, seed, signal: this.#closing.signal }) : core;
    this.#core = withDefects(paced, defects);
    this.#faults = new FaultList(faults, seed);
    this.#life = new DemoLife({ ...options, today: async () => this.#today });
    this.#server = createServer((request, response) => {
      const work = this.#answer(request, response).finally(() => this.#running.delete(work));
      this.#running.add(work);
    });
    guardSockets(this.#server);
  }

  async listen(port: number, host: string): Promise<string> {
    await seedSimulator(this.#options.db, this.#history());
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const { address, family, port: taken } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#closing.abort();
    this.#server.closeAllConnections();
    await closed;
    await Promise.all(this.#running);
  }

  #history(): HistoryOptions {
    const { clock, timeZone, months } = this.#options;
    return { today: dateAt(clock.now(), timeZone), timeZone, months };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      this.#demandToken(request);
      const url = urlOf(request);
      if (url.pathname.startsWith('/simulator/'))
        return send(response, await this.#control(`${request.method} ${url.pathname}`, request));
      const matched = matchOperation(request.method ?? '', url);
      const kind = this.#faults.next(matched.id, headerOf(request, 'simulator-fault'));
      if (kind === 'maintenance' && matched.id === 'ping') return send(response, this.#maintained(request));
      const misbehave = misbehaviourBefore(kind);
      if (misbehave) return misbehave(response);
      const outgoing = await this.#operate(matched, request, kind).catch((error: unknown) =>
        this.#refused(error),
      );
      deliver(response, outgoing, kind);
    } catch (error) {
      if (response.headersSent) response.destroy();
      else send(response, this.#refused(error));
    }
  }

  #demandToken(request: IncomingMessage): void {
    const { token } = this.#options;
    if (token === undefined) return;
    const sent = /^Bearer (\S+)$/.exec(headerOf(request, 'authorization') ?? '')?.[1] ?? '';
    // Compared as hashes, so that the time taken tells nothing.
    if (sha256(sent) !== sha256(token)) throw new Refusal(401, 'the bearer token is missing or wrong');
  }

  async #operate(matched: Matched, request: IncomingMessage, kind: FaultKind | undefined): Promise<Outgoing> {
    const at = this.#timeOf(request);
    await this.#liveUntil(at);
    const asked = await this.#read(matched, request, at);
    const answer = await this.#core[matched.id]((await takenFor(kind, asked, this.#core)) as never);
    return answerOf(answer, consentData(request));
  }

  #maintained(request: IncomingMessage): Outgoing {
    const until = instantText(this.#timeOf(request) + MAINTENANCE_S * SECOND);
    return jsonAnswer({ status: 'maintenance', until, test: true } satisfies Answer<'ping'>);
  }

  async #read(matched: Matched, request: IncomingMessage, at: number): Promise<Asked> {
    const { defects = [] } = this.#options;
    try {
      const body = matched.hasBody ? await jsonOf(request) : undefined;
      const psuId = headerOf(request, PSU_ID.toLowerCase()) ?? '';
      const isLate = this.#isLate(request);
      return askedOf(matched, { psuId, body: body as Asked['body'], at, isLate });
    } catch (error) {
      throw checksQuestions(defects) ? error : new Refusal(500, 'undefined is not a function');
    }
  }

  /** A sandbox can move its clock; its questions then bring the time they are asked at. */
  #timeOf(request: IncomingMessage): number {
    const text = headerOf(request, 'sandbox-time');
    if (text === undefined) return this.#options.clock.now();
    const time = parseInstant(text);
    if (time === undefined) throw new Refusal(400, 'Sandbox-Time must be a date and time with offset');
    return time;
  }

  /** By its own clock, which is in step with that of the database. */
  #isLate(request: IncomingMessage): boolean {
    const text = headerOf(request, NOT_AFTER.toLowerCase());
    if (text === undefined) return false;
    const moment = parseInstant(text);
    if (moment === undefined) throw new Refusal(400, `${NOT_AFTER} must be a date and time with offset`);
    return this.#options.clock.now() > moment;
  }

  /** Before the first question of a day is answered; the others wait with it. */
  #liveUntil(at: number): Promise<unknown> {
    const day = dateAt(at, this.#options.timeZone);
    if (day > this.#today) {
      this.#today = day;
      this.#living = this.#life.catchUp(60 * SECOND).catch((error: unknown) => {
        this.#today = '';
        throw error;
      });
    }
    return this.#living;
  }

  async #control(call: string, request: IncomingMessage): Promise<Outgoing> {
    const { db } = this.#options;
    switch (call) {
      case 'GET /simulator/payments':
        return jsonAnswer({ payments: await listPayments(db) });
      case 'GET /simulator/consents':
        return jsonAnswer({ consents: await listConsents(db) });
      case 'GET /simulator/codes':
        return jsonAnswer({ codes: this.#codes.list() });
      case 'GET /simulator/faults':
        return jsonAnswer(this.#faults.get());
      case 'PUT /simulator/faults':
        this.#faults.set(faultsIn(await jsonOf(request)));
        return jsonAnswer(this.#faults.get());
      case 'GET /simulator/phone':
        return jsonAnswer({ requests: await phoneRequests(db, this.#options.clock.now()) });
      case 'POST /simulator/phone':
        return jsonAnswer(await this.#answerOnPhone(await jsonOf(request)));
      case 'POST /simulator/reset':
        this.#today = '';
        await resetSimulator(db, this.#history());
        return jsonAnswer({ status: 'ok' });
      default:
        throw new Refusal(404, 'there is no such control');
    }
  }

  /** What a person would do in the app of the bank. */
  async #answerOnPhone(body: unknown): Promise<object> {
    const { challengeId, answer } = (body ?? {}) as Readonly<Record<string, unknown>>;
    if (typeof challengeId !== 'string' || (answer !== 'right' && answer !== 'refused'))
      throw new Refusal(400, 'challengeId and answer (right or refused) are missing');
    const { db, clock } = this.#options;
    if (!(await answerOnPhone(db, challengeId, answer, clock.now())))
      throw new Refusal(404, 'no such request waits in the app');
    return { challengeId, answer };
  }

  #refused(error: unknown): Outgoing {
    if (error instanceof Refusal) return errorAnswer(error.status, error.message);
    this.#options.tell?.(error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error');
    if (error instanceof StoreUnavailable) return errorAnswer(503, 'the store is unavailable');
    return errorAnswer(500, 'the simulator failed');
  }
}

export const createSimulator = (options: SimulatorOptions): Simulator => new RunningSimulator(options);
