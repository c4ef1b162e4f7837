/** What a stranger can send on a connection: the program lives on, and every request gets its own answer. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { cleanUp, type RunningService, startSandbox, tempFolder } from '../../cli/program.js';
import { send, sendRaw } from '../../support/client.js';
import { ATMS, FINANCE, FUNDS, fundsBody } from '../../support/operations.js';
import { responsesIn, verdictOf } from '../../support/raw-answers.js';
import type { Credentials } from '../../support/service.js';
import { attackVolume } from '../volume.js';

let running: RunningService | undefined;
let credentials: string;

const folder = tempFolder();

const service = (): RunningService => {
  if (!running) throw new Error('the service has not started');
  return running;
};

const roomy = { TRAPEZA_QUOTA_PER_MINUTE: '100000000', TRAPEZA_QUOTA_PER_DAY: '100000000' };

/** Few requests at once, so that a count that only grows is noticed. A program that was ended is started again for the next test. */
beforeEach(async () => {
  if (running?.program.child.exitCode === null) return;
  running = await startSandbox({ cwd: folder, env: { ...roomy, TRAPEZA_MAX_IN_FLIGHT: '20' } });
  const { url } = running;
  const { applications } = (await send(url, { path: '/sandbox/credentials' })).json as Credentials;
  const made = await send(url, { method: 'POST', path: '/sandbox/tokens', body: {} });
  const key = applications.find(({ clientId }) => clientId === FINANCE)?.subscriptionKey;
  const { access_token: token } = made.json as { access_token: string };
  credentials = `Ocp-Apim-Subscription-Key: ${key}\r\nAuthorization: Bearer ${token}\r\n`;
});
afterAll(cleanUp);

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n';

const funds = (): string => {
  const body = JSON.stringify(fundsBody());
  const framing = `X-Request-ID: ${randomUUID()}\r\nContent-Length: ${body.length}\r\n`;
  return `POST ${FUNDS} HTTP/1.1\r\nHost: x\r\n${credentials}${framing}\r\n${body}`;
};
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

const requests: readonly (readonly [string, () => string])[] = [
  ['a funds question', funds],
  ['a read of the ATMs', () => get(ATMS, `${credentials}X-Request-ID: ${randomUUID()}\r\n`)],
  ['a page', () => get('/docs')],
  ['a page with a session', () => get('/dashboard')],
  ['the keys of the authorization server', () => get('/oauth/jwks')],
  ['an unknown path', () => get('/nowhere')],
];

const statusesAfter = async (bytes: string): Promise<readonly number[]> =>
  responsesIn(await sendRaw(service().url, bytes)).map(({ status }) => status);

/** The answer that this request has when nothing comes behind it. */
const alone = async (request: () => string): Promise<readonly number[]> =>
  statusesAfter(request().replace('Host: x\r\n', 'Host: x\r\nConnection: close\r\n'));

const isAlive = async (): Promise<void> => {
  expect((await fetch(`${service().url}/oauth/jwks`)).status).toBe(200);
  expect(service().program.child.exitCode).toBeNull();
};

/** Sends the bytes and resets the connection after so many turns of the event loop. */
const reset = (url: string, bytes: string, turns: number): Promise<void> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes, () => wait(turns)));
    const wait = (left: number): void => {
      if (left > 0) setImmediate(wait, left - 1);
      else socket.resetAndDestroy();
    };
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });

describe('the process', () => {
  it.each(['public', 'management'])(
    'security F1: CONNECT and a reset do not end the process (%s)',
    async (kind) => {
      const url = kind === 'public' ? service().url : service().managementUrl;
      for (let at = 0; at < attackVolume(150, 1500); at += 1) await reset(url, CONNECT, at % 30);
      await isAlive();
    },
  );

  it.each(requests)('security F1: CONNECT behind %s does not end the process', async (_what, request) => {
    for (let at = 0; at < attackVolume(10, 100); at += 1)
      await reset(service().url, request() + CONNECT, at % 30);
    await sendRaw(service().url, request() + CONNECT);
    await isAlive();
  });
});

describe('requests that are abandoned', () => {
  it('security F1: many on one connection that is reset do not count for ever', async () => {
    for (let at = 0; at < attackVolume(40, 400); at += 1)
      await reset(service().url, funds().repeat(5), at % 10);
    for (const [, request] of requests) expect(await alone(request)).not.toEqual([503]);
  });
});

describe('what follows a request', () => {
  it.each(requests)('security F9: CONNECT behind %s does not take its answer', async (_what, request) => {
    const [own] = await alone(request);
    expect(await statusesAfter(request() + CONNECT)).toEqual([own, 404]);
    expect(await statusesAfter(request() + request() + CONNECT + get('/docs'))).toEqual([own, own, 404]);
  });

  it.each(requests)('security F9: garbage behind %s does not take its answer', async (_what, request) => {
    const [own] = await alone(request);
    const [first, ...more] = await statusesAfter(`${request()}\x01garbage\r\n\r\n${get('/docs')}`);
    expect(first).toBe(own);
    expect([[], [400]]).toContainEqual(more);
  });
});

describe('pages refuse what operations refuse', () => {
  const close = 'Connection: close\r\n';
  const framings: readonly (readonly [string, string, string])[] = [
    ['two Host headers', `HTTP/1.1\r\nHost: x\r\nHost: y\r\n${close}`, '400 duplicate-header'],
    ['no Host header', `HTTP/1.1\r\n${close}`, '400 malformed-http'],
    ['HTTP/2.0', `HTTP/2.0\r\nHost: x\r\n${close}`, '400 malformed-http'],
    [
      'TE: gzip, chunked',
      `HTTP/1.1\r\nHost: x\r\n${close}Transfer-Encoding: gzip, chunked\r\n`,
      '400 malformed-http',
    ],
    [
      'two cookies of credentials',
      `HTTP/1.1\r\nHost: x\r\n${close}Authorization: a\r\nAuthorization: b\r\n`,
      '400 duplicate-header',
    ],
  ];
  const paths = ['/docs', '/oauth/jwks', '/sandbox/pki/root.pem', ATMS];

  it.each(framings)('security F9: %s', async (_what, head, expected) => {
    const body = head.includes('chunked') ? '0\r\n\r\n' : '';
    for (const path of paths) {
      const credential = path === ATMS ? credentials : '';
      const text = await sendRaw(service().url, `GET ${path} ${head}${credential}\r\n${body}`);
      expect([path, ...responsesIn(text).map(verdictOf)]).toEqual([path, expected]);
    }
  });

  it('security F9: HTTP/0.9', async () => {
    for (const path of paths) {
      const text = await sendRaw(service().url, `GET ${path}\r\n\r\n`);
      expect([path, ...responsesIn(text).map(verdictOf)]).toEqual([path, '400 malformed-http']);
    }
  });
});
