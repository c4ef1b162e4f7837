/** The statuses that every operation can answer with and that mean the same on each: one block for each of them. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Area } from '../../src/model/caller.js';
import { type Answer, rawProblem, send, sendRaw, slugOf, type Wanted } from '../support/client.js';
import type { Engine } from '../support/engines.js';
import { areaOf, goodRequest, type OperationId } from '../support/operations.js';
import { subscribe, suspend } from '../support/registry.js';
import type { Service, ServiceOptions } from '../support/service.js';
import { type Use, useService } from '../support/use-service.js';

type Change = Pick<Wanted, 'headers' | 'method' | 'path' | 'body'> & {
  readonly as?: { psu?: string; application?: string; scope?: string };
};

/** An operation as these tests need it. */
export interface Asked {
  readonly area: Area | 'events';
  /** The methods of its path. */
  readonly allowed: string;
  /** Behind its path there is an id: a slash alone is an empty one. */
  readonly isList?: boolean;
  /** A request that is answered with 200. */
  good(service: Service): Wanted & { readonly method: string };
}

/** The good request of the operation with something changed. */
const ask = (service: Service, asked: Asked, change: Partial<Change> = {}): Promise<Answer> => {
  const good = asked.good(service);
  return service.call({ ...good, ...change, headers: { ...good.headers, ...change.headers } });
};

const unauthorized = (asked: Asked, service: Use): void => {
  it.each([
    ['subscription-key-missing', { 'Ocp-Apim-Subscription-Key': undefined }, /^SubscriptionKey realm=/],
    ['subscription-key-invalid', { 'Ocp-Apim-Subscription-Key': 'no-such-key' }, /^SubscriptionKey realm=/],
    ['token-missing', { Authorization: undefined }, /^Bearer realm="trapeza"$/],
    ['token-invalid', { Authorization: 'Bearer no.such.token' }, /^Bearer .*error="invalid_token"$/],
  ])('answers %s with a challenge', async (slug, headers, challenge) => {
    const answer = await ask(service(), asked, { headers });
    expect([answer.status, slugOf(answer)]).toEqual([401, slug]);
    expect(answer.headers['www-authenticate']).toMatch(challenge);
  });
};

const forbidden = (asked: Asked, service: Use): void => {
  it('refuses a suspended key with access-blocked', async () => {
    const { key, keyId } = await subscribe(service());
    await suspend(service(), 'key', keyId);
    const answer = await ask(service(), asked, { headers: { 'Ocp-Apim-Subscription-Key': key } });
    expect([answer.status, slugOf(answer)]).toEqual([403, 'access-blocked']);
  });

  it('refuses a subscription without the product, unless it is part of every one', async () => {
    const { area } = asked;
    const products = (['piis', 'opendata', 'ais', 'pis'] as const).filter((each) => each !== area);
    const { key } = await subscribe(service(), { products });
    const answer = await ask(service(), asked, { headers: { 'Ocp-Apim-Subscription-Key': key } });
    if (area === 'events') expect(answer.status).toBe(200);
    else expect([answer.status, slugOf(answer)]).toEqual([403, 'product-not-subscribed']);
  });

  it('takes a token of another scope only where the operation needs none', async () => {
    const { area } = asked;
    const scope = (['piis', 'ais', 'pis'] as const).filter((each) => each !== area).join(' ');
    const answer = await ask(service(), asked, { as: { scope } });
    if (area === 'opendata' || area === 'events') expect(answer.status).toBe(200);
    else expect([answer.status, slugOf(answer)]).toEqual([403, 'insufficient-scope']);
  });
};

const notFound = (asked: Asked, service: Use): void => {
  it('knows no other version of the path, and needs no credentials to say so', async () => {
    const path = asked.good(service()).path.replace('/v1', '/v2');
    const answers = [
      await ask(service(), asked, { path }),
      await send(service().url, { path, headers: { 'X-Request-ID': randomUUID() } }),
    ];
    for (const answer of answers) expect([answer.status, slugOf(answer)]).toEqual([404, 'route-not-found']);
  });

  it.each([
    ['a trailing slash', (path: string) => `${path}/`],
    ['another case', (path: string) => path.replace('psd2', 'PSD2')],
    ['a doubled slash', (path: string) => path.replace('/psd2', '//psd2')],
  ])('takes %s for another path', async (what, change) => {
    const answer = await ask(service(), asked, { path: change(asked.good(service()).path) });
    const slug = what === 'a trailing slash' && asked.isList ? 'resource-not-found' : 'route-not-found';
    expect([answer.status, slugOf(answer)]).toEqual([404, slug]);
  });
};

/** A payment consent can be ended where it is read. */
const allowedAt: Readonly<Record<OperationId, string>> = {
  confirmFunds: 'POST',
  getAtms: 'GET, HEAD',
  getConsentStatus: 'GET, HEAD',
  getPaymentConsent: 'GET, HEAD, DELETE',
  getEvents: 'GET, HEAD',
};

const methodNotAllowed = (asked: Asked, service: Use): void => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE'])(
    'names the methods of the path when asked with %s, unless it is one',
    async (method) => {
      const good = asked.good(service());
      const { allowed } = asked;
      if (allowed.split(', ').includes(method)) return;
      const answer = await send(service().url, { method, path: good.path });
      expect([answer.status, slugOf(answer)]).toEqual([405, 'method-not-allowed']);
      expect(answer.headers.allow).toBe(allowed);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );
};

const notAcceptable = (asked: Asked, service: Use): void => {
  it.each(['text/html', 'application/xml', 'application/json;q=0', 'image/*, text/plain'])(
    'refuses Accept: %s',
    async (accept) => {
      const answer = await ask(service(), asked, { headers: { Accept: accept } });
      expect([answer.status, slugOf(answer)]).toEqual([406, 'not-acceptable']);
    },
  );
};

const timeout = (asked: Asked, short: Use): void => {
  it('ends a call that passes its deadline, and closes the connection', async () => {
    const answer = await ask(short(), asked, { headers: { 'Sandbox-Scenario': 'core-timeout' } });
    expect([answer.status, slugOf(answer)]).toEqual([408, 'processing-timeout']);
    expect(answer.headers.connection).toBe('close');
  });

  it('ends a request that never becomes whole', async () => {
    const { method, path, headers = {} } = asked.good(short());
    const token = await short().token();
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: test',
      `Ocp-Apim-Subscription-Key: ${short().keyOf()}`,
      `Authorization: Bearer ${token}`,
      `X-Request-ID: ${randomUUID()}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`),
      'Content-Type: application/json',
      'Content-Length: 40',
    ].join('\r\n');
    const answer = await sendRaw(short().url, `${head}\r\n\r\n{"account":`);
    expect(rawProblem(answer)).toMatchObject({ status: 408, slug: 'request-incomplete' });
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });
};

const unsupportedMediaType = (asked: Asked, service: Use): void => {
  it.each([
    [{ 'Content-Type': 'text/plain' }],
    [{ 'Content-Type': 'application/json; charset=iso-8859-7' }],
    [{ 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
  ])('refuses a body with %o', async (headers) => {
    const answer = await ask(service(), asked, { headers, body: '{}' });
    expect([answer.status, slugOf(answer)]).toEqual([415, 'unsupported-media-type']);
  });
};

const tooMany = (asked: Asked, service: Use): void => {
  it('refuses the call after the last one of the quota, and says when to come back', async () => {
    const { key } = await subscribe(service(), { quotaPerMinute: 1 });
    const headers = { 'Ocp-Apim-Subscription-Key': key };
    expect((await ask(service(), asked, { headers })).status).toBe(200);
    const answer = await ask(service(), asked, { headers });
    expect([answer.status, slugOf(answer)]).toEqual([429, 'quota-exceeded']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers.ratelimit).toMatch(/^"minute";r=0;t=\d+$/);
    expect(answer.headers['ratelimit-policy']).toBe('"minute";q=1;w=60');
  });
};

const internalError = (asked: Asked, service: Use): void => {
  it('tells nothing about the fault but the id to quote', async () => {
    const requestId = randomUUID();
    const answer = await ask(service(), asked, {
      headers: { 'Sandbox-Scenario': 'internal-error', 'X-Request-ID': requestId },
    });
    expect([answer.status, slugOf(answer)]).toEqual([500, 'internal-error']);
    expect(answer.json).toMatchObject({ instance: `urn:uuid:${requestId}` });
    expect(answer.text).not.toMatch(/rehearsed|stack|\.ts/);
  });
};

const unavailable = (asked: Asked, service: Use): void => {
  it.each([
    ['core-down', 'dependency-unavailable'],
    ['overloaded', 'overloaded'],
  ])('answers the scenario %s with %s and Retry-After', async (scenario, slug) => {
    const answer = await ask(service(), asked, { headers: { 'Sandbox-Scenario': scenario } });
    expect([answer.status, slugOf(answer)]).toEqual([503, slug]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
};

/** A node whose patience is short, for what takes too long. Nothing but 408 is asked of it. */
const impatient = {
  TRAPEZA_DEADLINE_MS: '800',
  TRAPEZA_REQUEST_TIMEOUT_MS: '600',
  TRAPEZA_HEADERS_TIMEOUT_MS: '600',
};

export const impatientService = (options: ServiceOptions): Use => useService({ ...options, env: impatient });

/** The blocks, with a node for most of them and an impatient one. */
export const statusBlocks = (asked: Asked, service: Use, short: Use): void => {
  describe('401 Unauthorized', () => unauthorized(asked, service));
  describe('403 Forbidden', () => forbidden(asked, service));
  describe('404 Not Found: the path', () => notFound(asked, service));
  describe('405 Method Not Allowed', () => methodNotAllowed(asked, service));
  describe('406 Not Acceptable', () => notAcceptable(asked, service));
  describe('408 Request Timeout', () => timeout(asked, short));
  describe('415 Unsupported Media Type', () => unsupportedMediaType(asked, service));
  describe('429 Too Many Requests', () => tooMany(asked, service));
  describe('500 Internal Server Error', () => internalError(asked, service));
  describe('503 Service Unavailable', () => unavailable(asked, service));
};

export const commonStatuses = (id: OperationId, engine: Engine, service: Use): void => {
  const asked: Asked = {
    area: areaOf[id],
    allowed: allowedAt[id],
    good: (world) => goodRequest(world, id),
  };
  statusBlocks(asked, service, impatientService({ engine }));
};
