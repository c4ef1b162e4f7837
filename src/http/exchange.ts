/** One request on its way through the service: what arrived, and what the checks have established so far. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sha256 } from '../lib/hash.js';
import { isUuid, newId } from '../lib/id.js';
import { parseTraceparent, traceparentOf } from '../lib/traceparent.js';
import type { Completion } from '../lib/turn.js';
import type { Access, Caller, Confirmation, Registrant } from '../model/caller.js';
import type { ClientId } from '../model/ids.js';
import type { ServerTrace } from '../observe/trace/tracer.js';
import type { Problem } from '../problem/problem.js';
import type { Audience } from './audience.js';
import type { Call, Operation } from './operation.js';

export type Params = Readonly<Record<string, string | undefined>>;

/** Headers that change what a call does; the rest may differ between a request and its repetition. */
const headersWithEffect = [
  'consent-id',
  'tpp-redirect-uri',
  'tpp-nok-redirect-uri',
  'tpp-notification-uri',
  'tpp-state',
] as const;

/** An address, and who may use it. */
export interface MountRoute {
  readonly method: string;
  readonly path: string;
  readonly audience: Pick<Audience, 'name' | 'roles'>;
}

/** A part of the service that answers its own paths: the pages, the authorization server. */
export interface Mount {
  /** What its requests are called in the log and the metrics: one name for all keeps the labels few. */
  readonly name: 'page' | 'oauth' | 'inner';
  readonly routes: readonly MountRoute[];
  /** Whether what has this path is there while the interface is closed for maintenance. */
  staysOpen?(path: string): boolean;
  /** A promise that fails is answered like a thrown error. */
  serve(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Completion;
}

/** What the router has found. */
export type Route = Pick<Exchange, 'operation' | 'mount' | 'allowed' | 'params' | 'searchParams'>;

/** How the token was sent and what it is bound to, if that matters. */
interface Sender {
  readonly token: string;
  readonly isDpop: boolean;
  readonly confirmation: Confirmation | undefined;
}

const nobody: Caller = { clientId: '', psuId: '' };

export class Exchange implements Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Undefined if no operation has this path and method. */
  readonly operation: Operation | undefined;
  /** Who answers instead, if the path is no operation's: the pages, the authorization server. */
  readonly mount: Mount | undefined;
  /** The methods of this path, if the requested one is not among them. */
  readonly allowed: readonly string[];
  readonly params: Params;
  readonly searchParams: Readonly<Record<string, string | readonly string[]>>;
  readonly requestId: string;
  readonly startedAt: number;
  /** Whose share of the node it counts for. */
  sharer = '';
  access: Access | undefined;
  /** The application that the answer is about, where no credential names one. */
  subject: ClientId | undefined;
  registrant: Registrant | undefined;
  caller: Caller = nobody;
  scopes: readonly string[] = [];
  /** Absent for a plain bearer token that is not bound to anything. */
  sender: Sender | undefined;
  query: Params = {};
  rawBody: Buffer | undefined;
  body: unknown;
  mediaType: string | undefined;
  takesJson = true;
  problem: Problem | undefined;
  /** The path of the page as it was declared, and who of the bank asked for it. */
  page: string | undefined;
  operator: string | undefined;
  /** Only if spans are exported. */
  trace: ServerTrace | undefined;
  /** The body is on its way: the client's time, not ours. */
  isReading = false;
  sent = false;
  whenLate: Call['whenLate'] = 'processing-timeout';
  /** Gives its place in the load back. */
  release: () => void = () => undefined;
  /** Set as soon as something is waited for. */
  deadline: NodeJS.Timeout | undefined;
  #fingerprint: string | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, route: Route, startedAt: number) {
    this.request = request;
    this.response = response;
    this.operation = route.operation;
    this.mount = route.mount;
    this.allowed = route.allowed;
    this.params = route.params;
    this.searchParams = route.searchParams;
    this.startedAt = startedAt;
    this.requestId = requestIdOf(request);
  }

  get headers(): Params {
    return this.request.headers as Params;
  }

  /** The application that calls, or that the answer is about. */
  get clientId(): ClientId | undefined {
    return this.access?.clientId ?? this.subject;
  }

  /** Ours, or the caller's as it came if we make no spans. */
  get traceparent(): string | undefined {
    if (this.trace) return traceparentOf(this.trace);
    const { traceparent } = this.headers;
    return parseTraceparent(traceparent) && traceparent;
  }

  get traceId(): string | undefined {
    return this.trace?.traceId ?? parseTraceparent(this.headers.traceparent)?.traceId;
  }

  isLate(): boolean {
    return this.sent;
  }

  breakOff(): void {
    this.sent = true;
    this.release();
    // As of every call without an answer.
    this.response.statusCode = 0;
    this.response.destroy();
  }

  get fingerprint(): string {
    this.#fingerprint ??= this.#hash();
    return this.#fingerprint;
  }

  #hash(): string {
    const { headers } = this;
    const { method, url } = this.request;
    const parts: (string | null)[] = [method ?? null, url ?? null, this.caller.psuId];
    for (const name of headersWithEffect) parts.push(headers[name] ?? null);
    const text = Buffer.from(JSON.stringify(parts));
    return sha256(this.rawBody ? Buffer.concat([text, this.rawBody]) : text);
  }
}

/** The caller's own id if it is valid, so that every answer can be found again; else one of ours. */
export const requestIdOf = (request: IncomingMessage): string => {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && isUuid(sent) ? sent : newId();
};
