/** The developer pages over HTTP: complete, well-formed, light, linked, and safe to show. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { likelyProblems } from '../../src/http/likely-problems.js';
import { openApiDocument } from '../../src/http/openapi.js';
import type { Operation } from '../../src/http/operation.js';
import { guidePath, guides } from '../../src/portal/guides/guides.js';
import { createPages } from '../../src/portal/index.js';
import { problems } from '../../src/problem/problem.js';
import { logo } from '../../src/web/assets/logo.js';
import { htmlFaults, linksOf } from './html.js';
import {
  api,
  areaPaths,
  feedWith,
  homePaths,
  noStatistics,
  operationPaths,
  type PagesUnderTest,
  pageRequest,
  publicPaths,
  sandbox,
  startPages,
} from './support.js';

const MAX_BYTES = 100_000;
const slugs = Object.keys(problems);
const guidePaths = ['/docs/guides', ...guides.map(({ slug }) => guidePath(slug))];
const problemPaths = slugs.map((slug) => `/problems/${slug}`);
const htmlPaths = [
  ...homePaths,
  ...publicPaths,
  '/atms',
  '/docs',
  ...areaPaths,
  ...operationPaths,
  ...guidePaths,
  '/docs/changes',
  '/problems',
  ...problemPaths,
];

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

const read = (path: string, init?: RequestInit): Promise<Response> => fetch(`${pages.url}${path}`, init);

describe.each(htmlPaths)('%s', (path) => {
  test('is a well-formed page under 100 KB', async () => {
    const response = await read(path);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(htmlFaults(html)).toEqual([]);
    expect(Buffer.byteLength(html)).toBeLessThan(MAX_BYTES);
  });

  test('answers HEAD as GET without the body', async () => {
    const [head, get] = await Promise.all([read(path, { method: 'HEAD' }), read(path)]);
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const comparable = ({ headers }: Response) =>
      Object.fromEntries(
        [...headers].filter(([name]) => !['date', 'x-request-id', 'connection', 'keep-alive'].includes(name)),
      );
    expect(comparable(head)).toEqual(comparable(get));
  });
});

describe('every page', () => {
  test('carries the security headers', async () => {
    const { headers } = await read('/docs');
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      "style-src 'self'",
      "img-src 'self' data:",
      "script-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-cache');
  });

  test('links only to places that exist on this host', async () => {
    const controls = sandbox.filter(({ area }) => typeof area !== 'string').map(({ path }) => path);
    const found = new Set<string>();
    for (const path of htmlPaths) {
      for (const link of linksOf(await (await read(path)).text())) {
        if (!link.startsWith('#')) found.add(link.replace(pages.url, '').replace(/#.*/, ''));
      }
    }
    expect([...found].filter((link) => !link.startsWith('/'))).toEqual([]);
    for (const link of found) {
      if (controls.includes(link)) continue;
      expect({ link, status: (await read(link)).status }).toEqual({ link, status: 200 });
    }
  });

  test('links into other pages at ids that exist there', async () => {
    const htmlOf = new Map<string, string>();
    for (const path of htmlPaths) htmlOf.set(path, await (await read(path)).text());
    for (const html of htmlOf.values()) {
      for (const link of linksOf(html)) {
        const [path, id] = link.split('#');
        if (id && path) expect(htmlOf.get(path), link).toContain(`id="${id}"`);
      }
    }
  });
});

describe('the reference', () => {
  const textOf = async (path: string): Promise<string> =>
    (await (await read(path)).text()).replaceAll('<wbr>', '').replaceAll('<wbr/>', '');

  test('has a page for each area', () => {
    expect(areaPaths).toEqual([
      '/docs/piis',
      '/docs/opendata',
      '/docs/ais',
      '/docs/pis',
      '/docs/events',
      '/docs/sandbox',
    ]);
  });

  test('leads from its first page to every operation', async () => {
    const docs = linksOf(await textOf('/docs'));
    for (const path of operationPaths) expect(docs).toContain(path);
  });

  test('keeps the ids of operations on the page of their area', async () => {
    const ids = (await Promise.all(areaPaths.map(textOf))).join('');
    for (const { id } of sandbox) expect(ids).toContain(`id="${id}"`);
  });

  test('has every header, parameter and member, an answer, and every likely refusal on the page of an operation', async () => {
    const text = await Promise.all(operationPaths.map(textOf));
    const pageOf = ({ id }: Operation): string =>
      text.find((html) => html.includes(`Operation id: <code>${id}</code>`)) ?? '';
    for (const operation of sandbox) {
      const { headers, query, params, body, success } = operation;
      const html = pageOf(operation);
      const members = [body, success.schema].flatMap((schema) =>
        Object.keys((schema as { properties?: object } | undefined)?.properties ?? {}),
      );
      for (const name of [...[...headers, ...query, ...params].map((field) => field.name), ...members])
        expect(html).toContain(`<code>${name}</code>`);
      for (const name of ['curl', 'JavaScript', 'Python']) expect(html).toContain(`Example request: ${name}`);
      expect(html).toContain('<h2>Example answer</h2>');
      for (const slug of likelyProblems(operation)) expect(html).toContain(`/problems/${slug}&quot;,`);
    }
    expect(text.join('')).toContain('<summary>2 members of instructedAmount</summary>');
  });

  test('marks Greek text as Greek', async () => {
    expect(await textOf('/docs/pis/get-payment-consent')).toContain(
      '<span lang="el">Βιβλιοπωλείο Αθηνά</span>',
    );
  });

  test('shows text as text, whatever it holds', async () => {
    const evil = '<script>alert(1)</script><img src=x onerror=alert(1)>"\'';
    const [first] = api;
    if (!first) throw new Error('there are no operations');
    const operation = { ...first, summary: evil, description: evil, bodyExample: { evil } };
    const made = createPages({
      operations: [operation],
      openApi: () => openApiDocument([operation], { version: '1' }),
      site: { baseUrl: 'https://bank.example' },
      timeZone: 'Europe/Athens',
      atms: () => feedWith([]),
      statistics: noStatistics,
      version: evil,
      bankName: () => evil,
    });
    for (const path of ['/', '/docs', `/docs/${first.area}`, operationPaths[0], '/docs/changes']) {
      const answer = await made.find((page) => page.path === path)?.render(pageRequest, undefined);
      expect(String(answer?.body)).not.toContain('<script>alert');
      expect(String(answer?.body)).not.toContain('<img src=x');
      expect(htmlFaults(String(answer?.body))).toEqual([]);
    }
  });
});

describe('a problem page', () => {
  test('says what happened, what to do, and shows the body', async () => {
    const html = await (await read('/problems/quota-exceeded')).text();
    const { title, when, remedy, code } = problems['quota-exceeded'];
    for (const words of [title, when, remedy, code, 'Retry-After', 'Yes, unchanged']) {
      expect(html).toContain(words);
    }
    expect(html).toContain(`${pages.url}/problems/quota-exceeded`);
  });

  test('that does not exist is answered with a problem', async () => {
    for (const slug of ['nonsense', 'toString', '__proto__', 'x'.repeat(2000)]) {
      const response = await read(`/problems/${slug}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ type: `${pages.url}/problems/route-not-found` });
    }
  });
});

describe('files', () => {
  test('keep their content for good under a path that holds its hash', async () => {
    const names = pages.paths.filter((path) => path.startsWith('/assets/'));
    expect(names).toHaveLength(5);
    for (const name of names) {
      const response = await read(name);
      expect(name).toMatch(/^\/assets\/\w+\.[\w-]{12}\.(css|svg|js)$/);
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(response.headers.get('content-type')).toMatch(/; charset=utf-8$/);
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(MAX_BYTES);
    }
  });

  test('the README shows the same mark as the pages', () => {
    expect(readFileSync(new URL('../../docs/images/logo.svg', import.meta.url), 'utf8')).toBe(logo);
  });

  test('robots and the OpenAPI document are there', async () => {
    const [robots, openApi] = await Promise.all(['/robots.txt', '/openapi.json'].map((path) => read(path)));
    expect(robots?.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(openApi?.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await openApi?.json()).toMatchObject({ openapi: '3.1.0', servers: [{ url: pages.url }] });
  });
});

test('a service below a path links below that path', async () => {
  const made = createPages({
    operations: api,
    openApi: () => ({}),
    site: { baseUrl: 'https://bank.example/open/' },
    timeZone: 'Europe/Madrid',
    atms: () => feedWith([]),
    statistics: noStatistics,
    version: '1',
    bankName: () => 'Trapeza',
  });
  const bodies: string[] = [];
  for (const path of ['/docs', '/docs/piis/confirm-funds']) {
    const answer = await made.find((page) => page.path === path)?.render(pageRequest, undefined);
    const links = linksOf(String(answer?.body)).filter((link) => !link.startsWith('#'));
    expect(links.filter((link) => !link.startsWith('/open/'))).toEqual([]);
    bodies.push(String(answer?.body));
  }
  expect(bodies[0]).toContain('the time zone of the bank, Europe/Madrid');
  expect(bodies[1]).toContain('https://bank.example/open/piis/psd2/v1/funds-confirmations');
});
