/** One source takes no connections and no places from others: not by idle ones, not by slow ones, on no listener, and never at the cost of a request in hand. */
import { createServer, get } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { publicConnections } from '../../../src/app/connections.js';
import { readConfig } from '../../../src/config/config.js';
import { limitConnections } from '../../../src/http/listeners/connection-limit.js';
import { Connection } from '../../../src/lib/net/connection.js';
import { formTokenIn } from '../../support/form.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { inTier, isRelease } from '../../support/tier.js';

const MOST = inTier(40, 2000);
const PER_SOURCE = 8;
const STRANGER = '127.0.0.1';
const ATTACKER = '127.0.0.2';

let service: Service | undefined;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await service?.close();
  service = undefined;
});

const start = async (env: Readonly<Record<string, string>> = {}): Promise<Service> => {
  service = await startService({
    env: {
      TRAPEZA_MAX_CONNECTIONS: String(MOST),
      TRAPEZA_CONNECTIONS_PER_SOURCE: String(PER_SOURCE),
      TRAPEZA_DEMO_MONTHS: '1',
      // A busy machine opens them slowly.
      TRAPEZA_HEADERS_TIMEOUT_MS: '60000',
      TRAPEZA_REQUEST_TIMEOUT_MS: '60000',
      ...env,
    },
  });
  return service;
};

/** A connection that stays, with what is sent on it; resolves with the first bytes, or at once if nothing is sent. */
const hold = (url: string, bytes = '', localAddress = ATTACKER): Promise<Socket> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    sockets.push(socket);
    const done = (): void => resolve(socket);
    socket.on('error', done);
    socket.once('close', done);
    if (bytes === '') socket.once('connect', done);
    else {
      socket.once('connect', () => socket.write(bytes));
      socket.once('data', done);
    }
    socket.resume();
  });

const open = (held: readonly Socket[]): number => held.filter(({ destroyed }) => !destroyed).length;

const flood = async (url: string, count: number, bytes?: string): Promise<readonly Socket[]> => {
  const held: Socket[] = [];
  while (held.length < count) {
    const more = Math.min(50, count - held.length);
    held.push(...(await Promise.all(Array.from({ length: more }, () => hold(url, bytes)))));
  }
  return held;
};

const ask = (url: string, path: string): Promise<number | string> =>
  new Promise((resolve) => {
    get(new URL(path, url), { agent: false, localAddress: STRANGER }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
    }).on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });

const closed = async ({ app }: Service, listener: string, reason: string): Promise<number> => {
  const metrics = await (await fetch(`${app.managementUrl}/metrics`)).text();
  const line = `trapeza_connections_closed_total{listener="${listener}",reason="${reason}"} `;
  return Number(
    metrics
      .split('\n')
      .find((each) => each.startsWith(line))
      ?.slice(line.length),
  );
};

const PAGE = 'GET /robots.txt HTTP/1.1\r\nHost: x\r\n\r\n';
/** The server waits for the rest of it. */
const unfinished = (path: string, headers = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nExpect: 100-continue\r\nContent-Length: 9\r\n${headers}\r\n`;
const UNFINISHED = unfinished('/oauth/token');

/** A form of a page that everybody may send, which never comes. */
const unfinishedForm = async (base: string, page: string, path: string): Promise<string> => {
  const shown = await fetch(new URL(page, base));
  const cookie = shown.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  return unfinished(
    `${path}?form_token=${formTokenIn(await shown.text())}`,
    `Cookie: ${cookie.join('; ')}\r\n`,
  );
};

describe('T-61: connections', () => {
  const ways = [
    ['that were used and rest', PAGE],
    ['that have sent nothing', ''],
  ] as const;
  it.each(isRelease ? [...ways] : [ways[0]])(
    'of one source %s leave room for a stranger at once',
    async (_what, bytes) => {
      const { url } = await start({ TRAPEZA_CONNECTIONS_PER_SOURCE: '1000000' });
      await flood(url, MOST + 100, bytes);
      for (let index = 0; index < 5; index += 1) expect(await ask(url, '/robots.txt')).toBe(200);
      if (service) expect(await closed(service, 'public', 'room')).toBeGreaterThanOrEqual(100);
    },
  );

  it('of one source are few when they rest, while another one keeps its own', async () => {
    const { url } = await start();
    const other = await hold(url, PAGE, STRANGER);
    const held = await flood(url, MOST - 20, PAGE);
    await expect.poll(() => open(held)).toBe(PER_SOURCE);
    expect(other.destroyed).toBe(false);
    if (service) expect(await closed(service, 'public', 'source')).toBe(held.length - PER_SOURCE);
  });

  if (isRelease)
    it('of a proxy of the bank may rest in any number', async () => {
      const { url } = await start({ TRAPEZA_TRUSTED_PROXIES: ATTACKER });
      const held = await flood(url, 12, PAGE);
      const others = await Promise.all(Array.from({ length: 12 }, () => hold(url, PAGE, STRANGER)));
      await expect.poll(() => open(others)).toBe(PER_SOURCE);
      expect(open(held)).toBe(held.length);
    });

  it('with a request in hand are not closed for others; a new one is refused if all are busy', async () => {
    const made = await start({
      TRAPEZA_MAX_CONNECTIONS: '20',
      TRAPEZA_CORE_TIMEOUT_MS: '60000',
      TRAPEZA_DEADLINE_MS: '120000',
    });
    const body = JSON.stringify(fundsBody());
    const asked = [
      `POST ${FUNDS} HTTP/1.1`,
      'Host: x',
      `Ocp-Apim-Subscription-Key: ${made.keyOf()}`,
      `Authorization: Bearer ${await made.token()}`,
      'X-Request-ID: 5d0e2a4c-5f6b-4d0a-9d60-2f3f6a0c9a11',
      'Content-Type: application/json',
      'Sandbox-Scenario: core-timeout',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ].join('\r\n');
    const inFlight = async () => Number(/_in_flight (\d+)/.exec(await made.app.metrics())?.[1]);
    const busy: Socket[] = [];
    for (let index = 0; index < 20; index += 1) {
      const socket = await hold(made.url);
      socket.write(`${asked}\r\n\r\n${body}`);
      busy.push(socket);
      // Until it is asked for something it is idle, and gives way to the next one.
      await expect.poll(inFlight).toBe(index + 1);
    }
    expect(await ask(made.url, '/robots.txt')).not.toBe(200);
    expect(open(busy)).toBe(20);
    expect(await closed(made, 'public', 'full')).toBe(1);
  });

  it('whose requests never come to an end give way to a stranger, on each listener', async () => {
    const { url, app } = await start({
      TRAPEZA_MAX_IN_FLIGHT: '1000',
      // On a busy machine a request is not yet seen when its connection seems to rest: only room is to close it here.
      TRAPEZA_CONNECTIONS_PER_SOURCE: '1000000',
    });
    const login = await unfinishedForm(app.consoleUrl, '/operator/login', '/operator/login');
    for (const [listener, address, bytes, page] of [
      ['public', url, UNFINISHED, '/robots.txt'],
      ['console', app.consoleUrl, login, '/operator/login'],
    ] as const) {
      await flood(address, Math.max(MOST, 128) + 20, bytes);
      for (let index = 0; index < 3; index += 1) expect(await ask(address, page)).toBe(200);
      if (service) expect(await closed(service, listener, 'room')).toBeGreaterThan(0);
    }
  });

  it('whose requests never come to an end leave places to the browsers of others', async () => {
    const { url } = await start({ TRAPEZA_MAX_CONNECTIONS: '1000', TRAPEZA_MAX_IN_FLIGHT: '20' });
    await flood(url, 30, UNFINISHED);
    for (let index = 0; index < 3; index += 1) expect(await ask(url, '/robots.txt')).toBe(200);
  });

  it('whose clients read no answer give way, too', async () => {
    const reasons: string[] = [];
    const server = createServer((request, response) =>
      Connection.of(request.socket).take({ request, response }, () =>
        response.end(request.url === '/large' ? Buffer.alloc(64 * 1024 * 1024) : 'small'),
      ),
    );
    limitConnections(server, {
      ...{ most: 4, idlePerSource: 4, isProxy: () => false },
      onClosed: (reason) => reasons.push(reason),
    });
    await new Promise<void>((resolve) => server.listen(0, STRANGER, resolve));
    const url = `http://${STRANGER}:${(server.address() as AddressInfo).port}`;
    try {
      for (let index = 0; index < 4; index += 1)
        (await hold(url, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n')).pause();
      expect(await ask(url, '/small')).toBe(200);
      expect(reasons).toEqual(['room']);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('to a private listener are few, and probes and operators are answered', async () => {
    const { url, app } = await start();
    for (const [listener, address, page] of [
      ['management', app.managementUrl, '/health/live'],
      ['console', app.consoleUrl, '/operator/login'],
    ] as const) {
      await flood(address, inTier(200, 2000));
      expect(await ask(address, page)).toBe(200);
      expect(await ask(url, '/robots.txt')).toBe(200);
      if (service) expect(await closed(service, listener, 'room')).toBeGreaterThan(0);
    }
  });

  it('leave descriptors to the store and the core', () => {
    const config = readConfig({ TRAPEZA_DATABASE_POOL: '10', TRAPEZA_CORE_CONNECTIONS: '20' });
    expect(publicConnections(config, 1_000_000)).toBe(config.maxConnections);
    expect(publicConnections(config, 1024)).toBe(1024 - 10 - 20 - 3 * 128);
    expect(publicConnections(config, 300)).toBe(75);
    expect(publicConnections(config, 20)).toBe(16);
  });
});
