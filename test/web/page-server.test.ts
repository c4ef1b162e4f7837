/** The page server itself: problems in the contract's body, conditional reads, and what is told about every page. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { everybody } from '../../src/http/audience.js';
import type { Exchange } from '../../src/http/exchange.js';
import { createPageServer, type Page, type PageAnswer } from '../../src/http/pages.js';
import { Problem } from '../../src/problem/problem.js';
import { mountListener } from './support.js';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const text = (body: string, more: Partial<PageAnswer> = {}): PageAnswer => ({
  status: 200,
  type: 'text/plain',
  body,
  ...more,
});
const page = (path: string, render: Page['render']): Page => ({
  method: 'GET',
  path,
  audience: everybody,
  render,
});

const start = async (pages: readonly Page[], baseUrl?: string) => {
  const seen: Exchange[] = [];
  const site = { baseUrl: baseUrl ?? '' };
  const made = await createPageServer(pages, site);
  const server = createServer(mountListener(made, seen));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = (server.address() as AddressInfo).port;
  site.baseUrl = baseUrl ?? `http://127.0.0.1:${port}`;
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await made.close();
  });
  return { url: `http://127.0.0.1:${port}`, port, seen, routes: made.routes };
};

/** Sends the path exactly as it is written, which fetch would not. */
const rawStatus = (
  port: number,
  path: string,
): Promise<{ status: number | undefined; type: string | undefined }> =>
  new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path }, (response) => {
      response.resume();
      response.on('end', () =>
        resolve({ status: response.statusCode, type: response.headers['content-type'] }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });

const memberNames = ['type', 'title', 'status', 'detail', 'instance', 'extensions'];
const REQUEST_ID = '99391c7e-ad88-49ec-a2ad-99ddcb1f7721';

describe('a form', () => {
  test.each([
    ['application/x-www-form-urlencoded', 'name=Eleni', 200],
    ['application/json', '{"name":"Eleni"}', 415],
    ['text/plain', 'name=Eleni', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
  ])('is sent as %s', async (type, body, status) => {
    const posted: Page = {
      method: 'POST',
      path: '/form',
      audience: everybody,
      render: ({ form }) => text(`${form.name}`),
    };
    const { url } = await start([posted]);
    const response = await fetch(`${url}/form`, { method: 'POST', body, headers: { 'Content-Type': type } });
    expect(response.status).toBe(status);
    if (status === 200) expect(await response.text()).toBe('Eleni');
  });
});

describe('200', () => {
  test('parameters reach the page, also where it takes its time', async () => {
    const { url, routes } = await start([page('/hello/:name', async ({ params }) => text(`${params.name}`))]);
    expect(await (await fetch(`${url}/hello/%CE%B5%CE%BB%CE%AD%CE%BD%CE%B7`)).text()).toBe('ελένη');
    expect(routes).toEqual([{ method: 'GET', path: '/hello/:name', audience: everybody }]);
  });

  test('a page without script may run none', async () => {
    const { url } = await start([page('/', () => text('plain'))]);
    const policy = (await fetch(url)).headers.get('content-security-policy');
    expect(policy).not.toContain('script-src');
    expect(policy).toContain("default-src 'none'");
  });

  test('under https browsers are told to stay there', async () => {
    const { url } = await start([page('/', () => text('plain'))], 'https://bank.example');
    expect((await fetch(url)).headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('a valid X-Request-ID comes back', async () => {
    const { url } = await start([page('/', () => text('plain'))]);
    const response = await fetch(url, { headers: { 'X-Request-ID': REQUEST_ID } });
    expect(response.headers.get('x-request-id')).toBe(REQUEST_ID);
  });
});

describe('304', () => {
  test('a page that has not changed is not sent again', async () => {
    const { url } = await start([page('/', () => text('same'))]);
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'If-None-Match': etag } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(again.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await fetch(url, { headers: { 'If-None-Match': '"other"' } })).status).toBe(200);
  });
});

describe('compression', () => {
  const long = 'Δημόσιο κείμενο. '.repeat(200);
  const get = (url: string, coding: string, more: Record<string, string> = {}) =>
    fetch(url, { headers: { 'Accept-Encoding': coding, ...more } });

  test.each([
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
    ['br;q=0', null],
  ])('a public page for a browser that accepts %s is sent as %s', async (accepted, coding) => {
    const { url } = await start([page('/', () => text(long, { headers: { Vary: 'Accept-Language' } }))]);
    const response = await get(url, accepted);
    expect(response.headers.get('content-encoding')).toBe(coding);
    expect(response.headers.get('vary')).toBe('Accept-Language, Accept-Encoding');
    expect(await response.text()).toBe(long);
    const etag = response.headers.get('etag') ?? '';
    expect((await get(url, accepted, { 'If-None-Match': etag })).status).toBe(304);
  });

  test('each copy has a tag of its own', async () => {
    const { url } = await start([page('/', () => text(long))]);
    const tags = new Set<string | null>();
    for (const coding of ['br', 'gzip', 'identity']) tags.add((await get(url, coding)).headers.get('etag'));
    expect(tags.size).toBe(3);
  });

  test('never for one person, with a cookie, as the answer to a form, or of a problem', async () => {
    const posted: Page = { method: 'POST', path: '/form', audience: everybody, render: () => text(long) };
    const { url } = await start([
      page('/personal', () => text(long, { isPersonal: true })),
      page('/cookie', () => text(long, { cookies: [{ name: 'lang', value: 'el' }] })),
      page('/refused', () => text(long, { status: 403 })),
      page('/small', () => text('small')),
      posted,
    ]);
    const headers = { 'Accept-Encoding': 'br, gzip', 'Content-Type': 'application/x-www-form-urlencoded' };
    for (const path of ['/personal', '/cookie', '/refused', '/small', '/form', '/nowhere']) {
      const method = path === '/form' ? 'POST' : 'GET';
      const response = await fetch(`${url}${path}`, { method, headers });
      expect([path, response.headers.get('content-encoding')]).toEqual([path, null]);
    }
  });
});

describe('404', () => {
  test('an unknown, unreadable or over-long address draws the problem body', async () => {
    const { url, port } = await start([page('/hello/:name', () => text('hello'))]);
    for (const path of ['/nowhere', '/hello/%zz', '/hello/%c3', `/hello/${'x'.repeat(500)}`, '//']) {
      expect({ path, ...(await rawStatus(port, path)) }).toEqual({
        path,
        status: 404,
        type: 'application/problem+json; charset=utf-8',
      });
    }
    const response = await fetch(`${url}/nowhere`, { headers: { 'X-Request-ID': REQUEST_ID } });
    const body = (await response.json()) as object;
    expect(Object.keys(body)).toEqual(memberNames);
    expect(body).toMatchObject({
      type: `${url}/problems/route-not-found`,
      instance: `urn:uuid:${REQUEST_ID}`,
    });
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });

  test('who accepts only application/json gets it', async () => {
    const { url } = await start([]);
    const response = await fetch(`${url}/nowhere`, { headers: { Accept: 'application/json' } });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('HEAD has the headers and no body', async () => {
    const { url } = await start([]);
    const response = await fetch(`${url}/nowhere`, { method: 'HEAD' });
    expect(response.status).toBe(404);
    expect(await response.text()).toBe('');
  });
});

describe('errors in a page', () => {
  test('a problem keeps its status, its words and its headers', async () => {
    const refuse = () => {
      throw new Problem('overloaded', { detail: 'Too much.', headers: { 'Retry-After': '7' } });
    };
    const { url } = await start([page('/', refuse)]);
    const response = await fetch(url);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(await response.json()).toMatchObject({ detail: 'Too much.' });
  });

  test('a bug is a 500 that tells the reader nothing and the log everything', async () => {
    const bug = new Error('secret detail');
    const { url, seen } = await start([page('/', () => Promise.reject(bug))]);
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain('secret detail');
    expect(seen.map(({ problem }) => [problem?.slug, problem?.details.cause])).toEqual([
      ['internal-error', bug],
    ]);
  });
});
