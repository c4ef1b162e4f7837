/** The one place that writes answers: replies through their schema, problems in the contract's error body, refused bytes on a raw socket. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Negotiator from 'negotiator';
import type { Clock } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import { codesOf, sentencesOf } from '../problem/field.js';
import { Problem } from '../problem/problem.js';
import { StoreUnavailable } from '../store/db.js';
import type { Exchange } from './exchange.js';
import { endSoon } from './listeners/unread.js';
import type { Reply } from './operation.js';

export interface Site {
  /** Known for certain only when the listener is open, because the port may be any free one. */
  baseUrl: string;
  /** A problem as a page, for people who are not on a path of the API; set once the pages are known. */
  problemPage?: (exchange: Exchange, problem: Problem) => Reply | undefined;
}

/** In seconds, unless the problem says otherwise. */
const RETRY_AFTER = '5';

/** A problem that may pass always says when to send the request again. */
const headersOf = (problem: Problem): Readonly<Record<string, string>> =>
  problem.isRetryable
    ? { 'Retry-After': RETRY_AFTER, ...problem.details.headers }
    : (problem.details.headers ?? {});

/** What was thrown, as the problem to answer with. A store that cannot be reached is not a bug; an unknown error is. */
export const asProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  if (!(error instanceof StoreUnavailable)) return new Problem('internal-error', { cause: error });
  const slug = error.outcomeUnknown ? 'outcome-unknown' : 'dependency-unavailable';
  return new Problem(slug, { cause: error });
};

export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly extensions: Readonly<Record<string, object>>;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
}

export const problemBody = (
  problem: Problem,
  site: Pick<Site, 'baseUrl'>,
  requestId: string,
): ProblemBody => {
  const { code, advice, isRetryable: retryable } = problem;
  const { status, title, when } = problem.kind;
  const { detail = when, errors, extensions } = problem.details;
  const named = status === 400 ? errors : undefined;
  return {
    type: `${site.baseUrl}/problems/${problem.slug}`,
    title,
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    extensions: {
      error: { code, retryable, advice },
      ...(named ? { errors: codesOf(named) } : {}),
      ...extensions,
    },
    ...(named ? { errors: sentencesOf(named) } : {}),
  };
};

/** RFC 7591, 3.2.2. */
const oauthMembers = ({ operation }: Exchange, problem: Problem): object => {
  const error = operation?.oauthError?.(problem);
  return error === undefined ? {} : { error, error_description: problem.details.detail ?? problem.kind.when };
};

/** Problem bodies are `application/problem+json`, unless the caller named plain JSON and nothing else. */
const problemType = (accept: string | undefined): string => {
  const named = accept === undefined ? [] : new Negotiator({ headers: { accept } }).mediaTypes();
  const plain = named.length > 0 && named.every((type) => type === 'application/json');
  return plain ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8';
};

const json = 'application/json; charset=utf-8';

/** Of every answer: what a browser should take for a page after all can load nothing, run nothing and stand in no frame. */
export const guardHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

const guards = Object.entries(guardHeaders).flat();
const guardLines = Object.entries(guardHeaders).map(([name, value]) => `${name}: ${value}`);

const commonHeaders = (requestId: string, site: Site, own?: Reply['headers']): string[] => {
  const hasPolicy = own?.['Content-Security-Policy'] !== undefined;
  const headers = ['X-Request-ID', requestId, ...(hasPolicy ? guards.slice(0, 2) : guards)];
  if (site.baseUrl.startsWith('https:')) headers.push('Strict-Transport-Security', 'max-age=31536000');
  return headers;
};

const add = (headers: string[], more: Readonly<Record<string, string>> | undefined): void => {
  for (const name in more) headers.push(name, more[name] ?? '');
};

/** In one piece: `end(payload)` would send an empty last one beside it, by the slower way for several. */
const writeWhole = (response: ServerResponse, payload: string | Buffer): void => {
  const { socket } = response;
  socket?.cork();
  response.write(payload);
  socket?.uncork();
};

export const sendReply = (
  exchange: Exchange,
  site: Site,
  reply: Reply,
  write: (body: unknown) => string,
): void => {
  if (exchange.sent) return;
  exchange.subject = reply.clientId;
  const { response, request } = exchange;
  const payload = reply.bytes ?? (reply.body === undefined ? undefined : write(reply.body));
  const headers = commonHeaders(exchange.requestId, site, reply.headers);
  if (payload !== undefined) {
    if (reply.headers?.['Content-Type'] === undefined) headers.push('Content-Type', json);
    headers.push('Content-Length', String(Buffer.byteLength(payload)));
  }
  if (reply.headers?.['Cache-Control'] === undefined) headers.push('Cache-Control', 'no-store');
  add(headers, reply.headers);
  // Throws if a header cannot be sent; that is then answered as any other bug.
  response.writeHead(reply.status, headers);
  exchange.sent = true;
  exchange.release();
  if (request.method !== 'HEAD' && payload !== undefined) writeWhole(response, payload);
  response.end();
};

export const sendProblem = (exchange: Exchange, site: Site, problem: Problem): void => {
  if (exchange.sent) return;
  exchange.sent = true;
  exchange.release();
  const { response, request } = exchange;
  const page = site.problemPage?.(exchange, problem);
  const body = { ...problemBody(problem, site, exchange.requestId), ...oauthMembers(exchange, problem) };
  const payload = page?.bytes ?? JSON.stringify(body);
  const own = { ...headersOf(problem), ...page?.headers };
  const headers = commonHeaders(exchange.requestId, site, own);
  if (!page) headers.push('Content-Type', problemType(request.headers.accept));
  headers.push('Content-Length', String(Buffer.byteLength(payload)), 'Cache-Control', 'no-store');
  add(headers, own);
  response.writeHead(page?.status ?? problem.kind.status, headers);
  response.end(request.method === 'HEAD' ? undefined : payload);
};

export const parserProblem = (error: NodeJS.ErrnoException): Problem => {
  if (error.code === 'HPE_HEADER_OVERFLOW') {
    return new Problem('message-too-large', { detail: 'The request line and headers are too large.' });
  }
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request-incomplete');
  return new Problem('malformed-http');
};

/** What Node's own parser refuses never becomes a request: the answer is written by hand and the connection ends. */
export const refuseSocket = (socket: Socket, site: Site, problem: Problem, clock: Clock): void => {
  const requestId = newId();
  const payload = JSON.stringify(problemBody(problem, site, requestId));
  const { status, title } = problem.kind;
  const lines = [
    `HTTP/1.1 ${status} ${title}`,
    `Date: ${new Date(clock.now()).toUTCString()}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(payload)}`,
    'Cache-Control: no-store',
    `X-Request-ID: ${requestId}`,
    ...guardLines,
    'Connection: close',
    ...Object.entries(headersOf(problem)).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n${payload}`);
  endSoon(socket);
};
