/** The private listener: liveness, readiness, metrics, news from the core. It parses nothing of strangers. Never on the public port. */
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SECOND } from '../../lib/clock.js';
import { sha256 } from '../../lib/hash.js';
import { type Asked, Connection, guardSockets } from '../../lib/net/connection.js';
import { Problem } from '../../problem/problem.js';
import { readBody } from '../body.js';
import { parseJson } from '../json.js';
import { guardHeaders } from '../render.js';
import { type ConnectionRule, limitConnections } from './connection-limit.js';
import { leaveUnread } from './unread.js';

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'failed' | `maintenance${string}`>>;
  /** Why a check has failed, in a fixed word, as far as it is known. */
  readonly reasons: Readonly<Record<string, string>>;
}

export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** A call of the bank's own systems, known by a token. */
export interface PrivateCall {
  readonly path: string;
  readonly token: string;
  /** Undefined: the body does not match the contract. */
  readonly receive: (body: unknown) => Promise<object | undefined>;
  readonly onRefused: () => void;
}

export interface ManagementServer {
  listen(host: string, port: number): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** Time that a connection may be without a byte in either direction. */
const IDLE_MS = 30 * SECOND;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

/** The console was once on this listener; old bookmarks are redirected. */
const CONSOLE = /^\/operator(?=[/?]|$)/;
const BODY_LIMIT = 64 * 1024;

/** Compared as hashes, so that the time taken tells nothing. */
const hasToken = ({ headers }: IncomingMessage, token: string): boolean => {
  const sent = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(Buffer.from(sha256(sent)), Buffer.from(sha256(token)));
};

const bodyOf = async (request: IncomingMessage): Promise<unknown> =>
  parseJson(await readBody(request, BODY_LIMIT));

const answerCall = async (call: PrivateCall, request: IncomingMessage): Promise<Answer> => {
  if (!hasToken(request, call.token)) {
    call.onRefused();
    return json(401, { status: 'the bearer token is missing or wrong' });
  }
  try {
    const results = await call.receive(await bodyOf(request));
    return results ? json(200, results) : json(400, { status: 'the body does not fit the contract' });
  } catch (error) {
    if (error instanceof Problem) return json(error.kind.status, { status: error.kind.title });
    throw error;
  }
};

export interface ManagementParts {
  readonly readiness: () => Readiness;
  readonly registry: MetricsSource;
  readonly connections: ConnectionRule;
  readonly call: PrivateCall | undefined;
  /** Of the operator console. */
  readonly consoleUrl: string;
}

export const createManagementServer = ({
  readiness,
  registry,
  connections,
  call,
  consoleUrl,
}: ManagementParts): ManagementServer => {
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    // Alive means that the event loop turns; a database that is down must not make a supervisor kill the node.
    '/health/live': async () => json(200, { status: 'ok' }),
    '/health/ready': async () => {
      const { ready, checks, reasons } = readiness();
      return json(ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', checks, reasons });
    },
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  };
  const notFound = async (): Promise<Answer> => json(404, { paths: Object.keys(answers) });
  const toConsole = async (path: string): Promise<Answer> => ({
    ...json(307, { status: 'the operator console has a listener of its own' }),
    headers: { Location: `${consoleUrl.replace(/\/+$/, '')}${path}` },
  });
  const respond = ({ request, response }: Asked): void => {
    const path = request.url?.split('?')[0] ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const isCall = call !== undefined && request.method === 'POST' && path === call.path;
    const answer = isCall
      ? () => answerCall(call, request)
      : isRead && CONSOLE.test(path)
        ? () => toConsole(request.url ?? '')
        : (isRead && Object.hasOwn(answers, path) && answers[path]) || notFound;
    void answer()
      .catch(() => json(500, { status: 'failed' }))
      .then(({ status, type, body, headers }) => {
        leaveUnread({ request, response });
        response.writeHead(status, {
          ...guardHeaders,
          'Content-Type': type,
          'Cache-Control': 'no-store',
          ...headers,
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      });
  };
  const server = createServer({ requireHostHeader: false }, (request, response) =>
    Connection.of(request.socket).take({ request, response }, respond),
  );
  server.timeout = IDLE_MS;
  guardSockets(server);
  limitConnections(server, connections);
  // What is not an HTTP request ends the connection, after the answers to the requests before it.
  const end = (socket: Socket): void => Connection.of(socket).endWith(() => socket.destroySoon());
  server.on('connect', (_request, socket: Socket) => end(socket));
  server.on('clientError', (_error, socket: Socket) => end(socket));
  return {
    listen: (host, port) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve(server.address() as AddressInfo));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
