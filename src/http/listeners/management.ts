/** The private listener: liveness, readiness and metrics. Never on the public port. */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { SECOND } from '../../lib/clock.js';
import { type Asked, Connection, guardSockets } from '../../lib/net/connection.js';

export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, 'ok' | 'failed' | `maintenance${string}`>>;
}

export interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

export interface ManagementServer {
  listen(host: string, port: number): Promise<AddressInfo>;
  close(): Promise<void>;
}

/** So long a connection may be without a byte in either direction. */
const IDLE_MS = 30 * SECOND;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

export const createManagementServer = (
  readiness: () => Readiness,
  registry: MetricsSource,
): ManagementServer => {
  const answers: Readonly<Record<string, () => Promise<Answer>>> = {
    // Alive means that the event loop turns; a database that is down must not make a supervisor kill the node.
    '/health/live': async () => json(200, { status: 'ok' }),
    '/health/ready': async () => {
      const { ready, checks } = readiness();
      return json(ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable', checks });
    },
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  };
  const notFound = async (): Promise<Answer> => json(404, { paths: Object.keys(answers) });
  const respond = ({ request, response }: Asked): void => {
    const path = request.url?.split('?')[0] ?? '';
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const answer = (isRead && Object.hasOwn(answers, path) && answers[path]) || notFound;
    void answer()
      .catch(() => json(500, { status: 'failed' }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
        response.end(request.method === 'HEAD' ? undefined : body);
      });
  };
  const server = createServer((request, response) =>
    Connection.of(request.socket).take({ request, response }, respond),
  );
  server.timeout = IDLE_MS;
  guardSockets(server);
  // Whatever is no question ends the connection, after the answers to those before it.
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
