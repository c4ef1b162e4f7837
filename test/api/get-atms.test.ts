/** Operation 2: the published list, its headers and encodings, and every status it can have. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoAtms } from '../../packages/sandbox/src/atms/demo-atms.js';
import { canonicalList } from '../../src/atms/publishable.js';
import { type Answer, send, slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { ACCOUNTS, ATMS, BUDGET, CARD } from '../support/operations.js';
import { type Use, useService } from '../support/use-service.js';
import { commonStatuses } from './common-statuses.js';

const errorsOf = (answer: Answer): Record<string, string[]> =>
  (answer.json as { errors?: Record<string, string[]> }).errors ?? {};

const published = JSON.stringify(canonicalList(demoAtms()));

const theList = (service: Use): void => {
  it('is the published one, byte for byte, with what a caller needs to ask again', async () => {
    const { status, text, headers } = await service().call({ path: ATMS });
    expect(status).toBe(200);
    expect(text).toBe(published);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers.etag).toMatch(/^"[\w-]{43}"$/);
    expect(new Date(headers['last-modified'] ?? '').toUTCString()).toBe(headers['last-modified']);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.vary).toBe('Accept-Encoding');
    expect(headers['content-length']).toBe(String(Buffer.byteLength(published)));
  });

  it('writes the smallest notes with the Greek letters of the interface', async () => {
    const { text } = await service().call({ path: ATMS });
    expect(Buffer.from(text).includes(Buffer.from('CE9CCE99CE9D5F', 'hex'))).toBe(true);
    expect(text).not.toContain('"MIN_');
  });

  it('is for every application and every token, whatever the scope', async () => {
    for (const as of [
      { application: BUDGET },
      { application: CARD },
      { application: ACCOUNTS },
      { scope: 'pis' },
    ])
      expect((await service().call({ path: ATMS, as })).status).toBe(200);
  });
};

const requestIds = (service: Use): void => {
  it('needs no X-Request-ID, echoes a good one and is not disturbed by a bad one', async () => {
    const given = randomUUID();
    const echo = async (value: string | undefined): Promise<unknown> => {
      const answer = await service().call({ path: ATMS, headers: { 'X-Request-ID': value } });
      expect(answer.status).toBe(200);
      return answer.headers['x-request-id'];
    };
    expect(await echo(given)).toBe(given);
    for (const none of [undefined, '', 'not-a-uuid'])
      expect(await echo(none)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
};

/** What is accepted, and the codings that may answer it. */
const codings: readonly [string | undefined, readonly (string | undefined)[]][] = [
  [undefined, [undefined]],
  ['', [undefined]],
  ['identity', [undefined]],
  ['br', ['br']],
  ['gzip', ['gzip']],
  ['GZIP', ['gzip']],
  ['gzip, br', ['br', 'gzip']],
  ['br;q=0.5, gzip;q=0.9', ['gzip']],
  ['br;q=0, gzip', ['gzip']],
  ['gzip;q=0, br;q=0', [undefined]],
  ['identity;q=0, gzip', ['gzip']],
  ['identity;q=0', [undefined]],
  ['deflate', [undefined]],
  ['deflate, zstd, gzip;q=0.1', ['gzip']],
  ['*', ['br', 'gzip', undefined]],
  ['*;q=0', [undefined]],
];

const encodings = (service: Use): void => {
  it.each(codings)('Accept-Encoding %s is answered in %o', async (accepted, allowed) => {
    const answer = await service().call({ path: ATMS, headers: { 'Accept-Encoding': accepted } });
    expect(answer.status).toBe(200);
    expect(allowed).toContain(answer.headers['content-encoding']);
    expect(answer.text).toBe(published);
    const isSmaller = Number(answer.headers['content-length']) < Buffer.byteLength(published);
    expect(isSmaller).toBe(answer.headers['content-encoding'] !== undefined);
  });

  it('HEAD has the headers of GET and no body', async () => {
    const get = await service().call({ path: ATMS });
    const head = await service().call({ method: 'HEAD', path: ATMS });
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['etag', 'last-modified', 'content-length', 'content-type', 'cache-control', 'vary'])
      expect(head.headers[name]).toBe(get.headers[name]);
  });
};

const badDates = [
  '2026-11-15',
  '2026-11-15T09:30:00',
  '2026-11-15T09:30Z',
  '2026-02-30T00:00:00Z',
  '2027-02-29T00:00:00Z',
  '2026-11-15T09:30:61Z',
  '2026-13-01T00:00:00Z',
  '2026-11-15T24:00:00Z',
  '2026-11-15T09:30:00%2B2',
  '2026-11-15T09:30:00%2B02',
  'Sun,%2015%20Nov%202026%2009:30:00%20GMT',
  '1763199000',
  'yesterday',
  '%00',
  `2026-11-15T09:30:00.${'1'.repeat(60)}Z`,
];

const badQueries = (service: Use): void => {
  it.each(badDates)('refuses the date %s', async (date) => {
    const answer = await service().call({ path: `${ATMS}?if_Modified_Since=${date}` });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-query']);
    expect(errorsOf(answer)).toEqual({ 'query.if_Modified_Since': [expect.stringContaining('with offset')] });
  });

  it('explains the plus sign that became a space', async () => {
    const answer = await service().call({ path: `${ATMS}?if_Modified_Since=2026-11-15T09:30:00+02:00` });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-query']);
    expect(errorsOf(answer)).toEqual({ 'query.if_Modified_Since': [expect.stringContaining('%2B')] });
  });

  it.each(['%22open', 'two%20words', '%22a%22%20%22b%22', 'a,,b', ',', '%CE%A9', '%22a%00b%22'])(
    'refuses the ETag %s',
    async (tag) => {
      const answer = await service().call({ path: `${ATMS}?if_None_Match=${tag}` });
      expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-query']);
      expect(Object.keys(errorsOf(answer))).toEqual(['query.if_None_Match']);
    },
  );

  it('reports both parameters together, and refuses repeated ones', async () => {
    const both = await service().call({ path: `${ATMS}?if_Modified_Since=x&if_None_Match=%22` });
    expect(Object.keys(errorsOf(both)).sort()).toEqual(['query.if_Modified_Since', 'query.if_None_Match']);
    const twice = await service().call({ path: `${ATMS}?if_None_Match=a&if_None_Match=a` });
    expect(errorsOf(twice)).toEqual({ 'query.if_None_Match': ['must not be repeated'] });
  });

  it('refuses more than twenty parameters', async () => {
    const query = Array.from({ length: 21 }, (_, index) => `p${index}=1`).join('&');
    const answer = await service().call({ path: `${ATMS}?${query}` });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-query']);
  });
};

const noAnonymous = (service: Use): void => {
  it('is public data, but not for anonymous callers', async () => {
    const answer = await send(service().url, { path: ATMS });
    expect([answer.status, slugOf(answer)]).toEqual([401, 'subscription-key-missing']);
  });
};

describe.each(engines)('get ATMs on %s', (engine) => {
  const service = useService({ engine });
  describe('200 OK: the list', () => theList(service));
  describe('200 OK: X-Request-ID', () => requestIds(service));
  describe('200 OK: encodings', () => encodings(service));
  describe('400 Bad Request', () => badQueries(service));
  describe('without credentials', () => noAnonymous(service));
  commonStatuses('getAtms', engine, service);
});
