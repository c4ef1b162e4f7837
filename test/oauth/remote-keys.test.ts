/** Tokens of the bank's own identity provider: its keys are fetched rarely, kept while it is away, and never guessed. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { HOUR, MINUTE, SECOND } from '../../src/lib/clock.js';
import { remoteKeys, TokenVerifier } from '../../src/oauth/access-token.js';

interface Pair {
  readonly kid: string;
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

const makePair = async (kid: string): Promise<Pair> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } };
};

let first: Pair;
let second: Pair;
beforeAll(async () => {
  [first, second] = await Promise.all([makePair('first'), makePair('second')]);
});

/** The identity provider: what it publishes, and how often it was asked. */
let published: readonly Pair[];
let answer: { status: number; body?: string };
let fetches: number;
let server: Server;
let url: string;

const listen = (port: number): Promise<void> =>
  new Promise((resolve) => {
    server = createServer((_request, response) => {
      fetches += 1;
      response.writeHead(answer.status, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(answer.body ?? JSON.stringify({ keys: published.map(({ jwk }) => jwk) }));
    }).listen(port, '127.0.0.1', resolve);
  });

const shut = (): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

beforeEach(async () => {
  // Only the date: the library behind keeps its own time by it, the timers of sockets go on.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 15, 12) });
  published = [first];
  answer = { status: 200 };
  fetches = 0;
  const port = await freePort();
  await listen(port);
  url = `http://127.0.0.1:${port}`;
});
afterEach(async () => {
  vi.useRealTimers();
  await shut();
});

/** Time passes by the fake date alone. */
const clock = { now: () => Date.now(), elapsed: () => Date.now() };
const pass = (ms: number): void => {
  vi.setSystemTime(Date.now() + ms);
};

const verifierFor = (address = url): TokenVerifier =>
  new TokenVerifier(
    remoteKeys(`${address}/keys`, clock),
    () => ({ issuer: 'https://id.example', audience: 'https://bank.example' }),
    clock,
  );

let counter = 0;
const tokenOf = (pair: Pair, kid = pair.kid): Promise<string> => {
  counter += 1;
  return new SignJWT({ client_id: 'app-1', scope: 'piis', jti: String(counter) })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt' })
    .setIssuer('https://id.example')
    .setAudience('https://bank.example')
    .setSubject('psu-1')
    .setExpirationTime(Math.floor(Date.now() / SECOND) + 48 * 3600)
    .sign(pair.privateKey);
};

const slugOf = async (verifier: TokenVerifier, token: string): Promise<string> => {
  try {
    return `accepted for ${(await verifier.verify(token)).clientId}`;
  } catch (error) {
    return (error as { slug?: string }).slug ?? String(error);
  }
};
const ACCEPTED = 'accepted for app-1';

describe('the keys of an identity provider', () => {
  it('verify its tokens with one fetch', async () => {
    const verifier = verifierFor();
    for (let count = 0; count < 20; count += 1)
      expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
    expect(fetches).toBe(1);
  });

  it('are fetched once, although many first tokens come at once', async () => {
    const verifier = verifierFor();
    const tokens = await Promise.all(Array.from({ length: 30 }, () => tokenOf(first)));
    const outcomes = await Promise.all(tokens.map((token) => slugOf(verifier, token)));
    expect(new Set(outcomes)).toEqual(new Set([ACCEPTED]));
    expect(fetches).toBe(1);
  });

  it('do not verify what somebody else signed under a known key id', async () => {
    expect(await slugOf(verifierFor(), await tokenOf(second, 'first'))).toBe('token-invalid');
  });

  it('include a new one as soon as its first token comes', async () => {
    const verifier = verifierFor();
    expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
    published = [first, second];
    pass(MINUTE);
    expect(await slugOf(verifier, await tokenOf(second))).toBe(ACCEPTED);
    expect(fetches).toBe(2);
  });

  it('are fetched a few times at most, however many unknown key ids come', async () => {
    const verifier = verifierFor();
    await slugOf(verifier, await tokenOf(first));
    pass(MINUTE);
    const token = await tokenOf(second);
    const [, payload, signature] = token.split('.');
    for (let count = 0; count < 500; count += 1) {
      const header = Buffer.from(JSON.stringify({ alg: 'ES256', kid: `k${count}`, typ: 'at+jwt' }));
      const forged = [header.toString('base64url'), payload, signature].join('.');
      expect(await slugOf(verifier, forged)).toBe('token-invalid');
    }
    expect(fetches).toBeLessThanOrEqual(3);
    expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
  });

  it('that were withdrawn are refused once the list is fetched again', async () => {
    const verifier = verifierFor();
    expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
    published = [second];
    pass(11 * MINUTE);
    expect(await slugOf(verifier, await tokenOf(first))).toBe('token-invalid');
    expect(await slugOf(verifier, await tokenOf(second))).toBe(ACCEPTED);
  });
});

describe('an identity provider that is away', () => {
  it('is not missed: keys fetched before go on verifying for a day', async () => {
    const verifier = verifierFor();
    expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
    await shut();
    for (const ms of [MINUTE, HOUR, 22 * HOUR]) {
      pass(ms);
      expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
      expect(await slugOf(verifier, await tokenOf(second))).toBe('token-invalid');
    }
    pass(3 * HOUR);
    expect(await slugOf(verifier, await tokenOf(first))).toBe('dependency-unavailable');
  });

  it.each([
    ['answers 500', { status: 500 }],
    ['answers with something else', { status: 200, body: '<html>' }],
    ['answers with an empty object', { status: 200, body: '{}' }],
  ])('and %s is treated alike', async (_what, trouble) => {
    const verifier = verifierFor();
    expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
    answer = trouble;
    pass(11 * MINUTE);
    expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
    expect(await slugOf(verifierFor(), await tokenOf(first))).toBe('dependency-unavailable');
  });

  it('and was never reached is a dependency that is unavailable, never a bad token or an accepted one', async () => {
    const nowhere = verifierFor('http://127.0.0.1:1');
    expect(await slugOf(nowhere, await tokenOf(first))).toBe('dependency-unavailable');
    expect(await slugOf(nowhere, await tokenOf(second))).toBe('dependency-unavailable');
  });

  it('and comes back is used again', async () => {
    const { port } = server.address() as AddressInfo;
    await shut();
    const verifier = verifierFor();
    expect(await slugOf(verifier, await tokenOf(first))).toBe('dependency-unavailable');
    await listen(port);
    expect(await slugOf(verifier, await tokenOf(first))).toBe(ACCEPTED);
  });
});
