/** A core on loopback that speaks the contract, until it is told to misbehave. It remembers what it was asked. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { freePort } from '../../../bench/free-port.js';
import type { CallFacts } from '../../../src/bank/http/calls.js';
import { type CoreOptions, openCore } from '../../../src/bank/http/open-core.js';
import { account } from '../../support/operations.js';

export const NOW = Date.UTC(2026, 10, 15, 9, 30);

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`./fixtures/${name}.pem`, import.meta.url));
export const pem = (name: string): string => readFileSync(fixture(name), 'utf8');

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export type Behaviour = (seen: Seen, response: ServerResponse) => unknown;

export const json = (response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void => {
  response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
};

const segments = ({ path }: Seen): string[] => (path.split('?')[0] ?? '').split('/').map(decodeURIComponent);

/** What `hasFunds` is answered with: the account and the currency of the question. */
export const funds = (seen: Seen, changes: object = {}): object => {
  const { currency } = seen.body as { currency: string };
  return { accountId: segments(seen)[3], currency, fundsAvailable: true, ...changes };
};

const balances = (seen: Seen): object => ({
  accountId: segments(seen)[3],
  balances: [
    {
      type: 'interimBooked',
      currency: 'EUR',
      amount: '-0.07',
      includesCreditLine: false,
      at: '2026-11-15T09:30:00Z',
    },
  ],
});

/** A core of one customer, who holds every account that the tests ask for. */
const accounts = (seen: Seen): object => {
  const { bookedMinor, pendingMinor, creditMinor, cardNumber, ...held } = account('eleni', 101);
  const psuId = segments(seen)[3];
  return { psuId, accounts: [{ ...held, ownerName: 'Ελένη', balance: '1.00' }] };
};

/** Who asks, where it does not matter. */
export const somebody = { psuId: 'p' } as const;

export const behaves: Behaviour = (seen, response) => {
  if (seen.path.split('?')[0]?.endsWith('/accounts')) return json(response, accounts(seen));
  if (seen.path.endsWith('/funds')) return json(response, funds(seen));
  if (seen.path.endsWith('/balances')) return json(response, balances(seen));
  if (seen.path === '/core/health') return json(response, { status: 'ok', test: true });
  return response.writeHead(404).end();
};

export class RawCore {
  readonly seen: Seen[] = [];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #port = 0;
  connections = 0;
  /** Questions without an answer so far. */
  open = 0;
  behave: Behaviour = behaves;

  /** With mutual TLS it speaks to nobody without a certificate of ours. */
  constructor(readonly isTls = false) {
    this.#server = isTls
      ? createTlsServer({
          ...{ cert: pem('server'), key: pem('server.key'), ca: pem('ca') },
          requestCert: true,
          rejectUnauthorized: true,
        })
      : createServer();
    this.#server.on('request', (request, response) => void this.#serve(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1;
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  get url(): string {
    return `${this.isTls ? 'https' : 'http'}://127.0.0.1:${this.#port}/core`;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.open += 1;
    response.on('error', () => undefined);
    response.on('close', () => {
      this.open -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    const seen = { method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) };
    this.seen.push(seen);
    this.behave(seen, response);
  }

  async up(): Promise<void> {
    this.#port ||= await freePort();
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
  }

  /** Every connection breaks, without a good-bye. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async down(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.cut();
    await closed;
  }
}

/** The adapter alone, in front of this core; what it tells is in `told`. */
export const openTestCore = (core: Pick<RawCore, 'url'>, changes: Partial<CoreOptions> = {}) => {
  const told: CallFacts[] = [];
  const opened = openCore({
    url: core.url,
    timeoutMs: 1000,
    totalMs: 2000,
    connections: 4,
    maxCalls: 4,
    responseLimit: 1_000_000,
    bankTime: async () => NOW,
    isTest: false,
    keep: async () => undefined,
    onCall: (facts) => void told.push(facts),
    ...changes,
  });
  return { ...opened, told };
};

/** A core and the adapter in front of it, for the tests of a block. */
export const useTestCore = () => {
  const core = new RawCore();
  let opened: ReturnType<typeof openTestCore> | undefined;
  beforeAll(async () => {
    await core.up();
    opened = openTestCore(core);
  });
  afterAll(async () => {
    await opened?.close();
    await core.down();
  });
  const adapter = (): ReturnType<typeof openTestCore> => {
    if (!opened) throw new Error('the core has not started');
    return opened;
  };
  return { core, adapter };
};
