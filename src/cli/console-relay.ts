/**
 * The operator console with several processes: the first one has the private listener, a worker has the store. The worker opens the
 * console on a loopback port when it is first wanted, for those who know its token, and the first process passes requests on.
 */
import cluster, { type Worker } from 'node:cluster';
import { createServer, type IncomingHttpHeaders, type RequestListener, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { App } from '../app/app.js';
import { newSecret } from '../lib/id.js';
import type { CallCount } from '../observe/live-calls.js';
import { answer, ask } from './process-call.js';

const OPEN = 'trapeza:console';
const CALLS = 'trapeza:calls';
const CALLS_OF_ALL = 'trapeza:calls-of-all';
const TOKEN = 'x-trapeza-relay';
const LOOPBACK = '127.0.0.1';

interface Wanted {
  readonly url: string;
  readonly token: string;
}

/** In a worker. */
export const offerConsole = (app: Pick<App, 'openConsole' | 'calls'>): void => {
  const open = async ({ url, token }: Wanted): Promise<number> => {
    const calls = async () => (await ask(process, CALLS_OF_ALL)) as readonly CallCount[];
    const handle = await app.openConsole({ url, calls });
    const server = createServer((request, response) => {
      if (request.headers[TOKEN] === token) handle(request, response);
      else response.writeHead(404).end();
    });
    server.unref();
    await new Promise<void>((resolve) =>
      server.listen({ port: 0, host: LOOPBACK, exclusive: true }, resolve),
    );
    return (server.address() as AddressInfo).port;
  };
  answer(process, OPEN, (body) => open(body as Wanted));
  answer(process, CALLS, async () => app.calls());
};

const workers = (): Worker[] =>
  Object.values(cluster.workers ?? {}).filter((each): each is Worker => each?.isConnected() ?? false);

/** In the first process, for each worker. */
export const answerCalls = (worker: Worker): void =>
  answer(worker, CALLS_OF_ALL, async () => {
    const settled = await Promise.allSettled(workers().map((each) => ask(each, CALLS)));
    return settled.flatMap((each) => (each.status === 'fulfilled' ? (each.value as CallCount[]) : []));
  });

/** The name of the connection is between two processes only; a browser never knows the token. */
const passedOn = ({ connection: _, [TOKEN]: __, ...rest }: IncomingHttpHeaders, token: string) => ({
  ...rest,
  [TOKEN]: token,
});

/** In the first process: `url` is where browsers reach its listener. */
export const createConsoleRelay = (
  isReady: (worker: number) => boolean,
  url: () => string,
): RequestListener => {
  const token = newSecret();
  const ports = new WeakMap<Worker, Promise<unknown>>();
  const portOf = async (): Promise<number> => {
    const worker = workers().find(({ id }) => isReady(id));
    if (!worker) throw new Error('no worker');
    const port = ports.get(worker) ?? ask(worker, OPEN, { url: url(), token });
    ports.set(worker, port);
    port.catch(() => ports.delete(worker));
    return (await port) as number;
  };
  return (request, response) => {
    const fail = (): void => {
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'text/plain' }).end('try again\n');
    };
    const pass = (port: number): void => {
      const { method, url: path, headers } = request;
      const target = { host: LOOPBACK, port, method, path, headers: passedOn(headers, token), agent: false };
      const sent = send(target, (reply) => {
        const { connection: _, 'transfer-encoding': __, ...rest } = reply.headers;
        response.writeHead(reply.statusCode ?? 502, rest);
        pipeline(reply, response, () => undefined);
      });
      sent.on('error', fail);
      pipeline(request, sent, () => undefined);
    };
    portOf().then(pass, fail);
  };
};
