/** Wrong turns: people get a page with a way on, programs and the API the contract's body. */
import { describe, expect, it } from 'vitest';
import { mayHoldSecret } from '../../account-pages/approve-support.js';
import { DashboardVisitor } from '../../account-pages/dashboard/support.js';
import { type Answer, send } from '../../support/client.js';
import { useService } from '../../support/use-service.js';
import { htmlFaults, linksOf } from '../../web/html.js';

const use = useService();
const HTML = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const open = (path: string, more: Readonly<Record<string, string>> = {}, method = 'GET') =>
  send(use().url, { method, path, headers: { Accept: HTML, ...more }, outsideContract: true });

const wrongTurns = [
  '/nope',
  '/docs/xyz',
  '/problems/xyz',
  '/problems/__proto__',
  '/dashboard/xyz',
  '/authorise',
  '/authorise/a/b/c',
  '/sandbox/xyz',
  '/sandbox/return/nobody',
  '/oauth/xyz',
  '/.env',
  '//evil.example/docs/',
];

describe('ux 4: a wrong turn in a browser', () => {
  it.each(wrongTurns)('%s is a page with a way on, in both languages', async (path) => {
    for (const [lang, title] of [
      ['el', 'Δεν υπάρχει σελίδα εδώ'],
      ['en', 'There is no page here'],
    ] as const) {
      const { status, headers, text } = await open(path, { 'Accept-Language': lang });
      expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain(`<html lang="${lang}">`);
      expect(text).toContain(`<h1>${title}</h1>`);
      expect(htmlFaults(text)).toEqual([]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['cache-control']).toBe('no-store');
      const links = linksOf(text);
      for (const link of ['/', '/docs', '/dashboard', '/sandbox/credentials']) expect(links).toContain(link);
      expect(links.filter((link) => !/^(\/(?!\/)|#|tel:|https:\/\/meltemi\.example\/)/.test(link))).toEqual(
        [],
      );
    }
  });

  it('is remembered in the language that was chosen before', async () => {
    expect((await open('/nope', { Cookie: 'lang=en', 'Accept-Language': 'el' })).text).toContain('lang="en"');
  });

  it.each([
    '/dashboard',
    '/docs',
    '/docs/piis',
    '/problems/validation-failed',
    '/sandbox/credentials',
    '/sandbox/tpp',
  ])('%s with a slash too many leads to the page', async (path) => {
    for (const slashes of ['/', '//']) {
      const { status, headers } = await open(`${path}${slashes}?lang=en`);
      expect([status, headers.location]).toEqual([303, `${path}?lang=en`]);
    }
    expect((await open(path)).status).toBe(200);
  });

  it('that is a form opened by its address says so', async () => {
    const { status, headers, text } = await open('/oauth/introspection');
    expect([status, headers['content-type']]).toEqual([405, 'text/html; charset=utf-8']);
    expect(headers.allow).toBe('POST');
    expect(htmlFaults(text)).toEqual([]);
  });

  it('a form from another site is refused with a page', async () => {
    const headers = { Origin: 'https://evil.example', 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await open('/dashboard/login', headers, 'POST');
    expect([answer.status, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
  });

  it.each(wrongTurns)('%s stays the contract’s body for programs', async (path) => {
    for (const accept of ['*/*', 'application/json', 'application/problem+json'])
      expect((await send(use().url, { path, headers: { Accept: accept } })).status).toBe(404);
    expect((await send(use().url, { path })).status).toBe(404);
  });

  it.each([
    '/piis/psd2/v1/nope',
    '/ais/psd2/v1/consents/1/2/3',
    '/pis',
    '/psd2/v1/opendata/nope',
    '/events/psd2/v2',
  ])('%s is the API: the contract’s body, whatever Accept says', async (path) => {
    const { status, headers } = await send(use().url, { path, headers: { Accept: HTML } });
    expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
  });

  it.each([
    ['GET', '/sandbox/tokens', 405],
    ['GET', '/piis/psd2/v1/funds-confirmations', 405],
    ['GET', '/psd2/v1/opendata/atm', 401],
    ['POST', '/nope', 404],
  ])('%s %s keeps the contract’s body too', async (method, path, status) => {
    const answer = await send(use().url, { method, path, headers: { Accept: HTML } });
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      'application/problem+json; charset=utf-8',
    ]);
  });

  it('HEAD is GET without the body', async () => {
    const { status, headers, text } = await open('/nope', {}, 'HEAD');
    expect([status, headers['content-type'], text]).toEqual([404, 'text/html; charset=utf-8', '']);
  });
});

describe('BREACH', () => {
  /** All that links lead to; of many alike (`/problems/…`) a few. */
  const crawl = async (visitor: DashboardVisitor, starts: readonly string[]): Promise<Answer[]> => {
    const waiting = [...starts];
    const seen = new Set(waiting);
    const answers: Answer[] = [];
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      const answer = await visitor.get(path);
      answers.push(answer);
      for (const link of linksOf(answer.text).map((each) => each.replace(/[?#].*/, ''))) {
        const folder = link.replace(/[^/]+$/, '');
        const isOfMany = folder !== '/' && [...seen].filter((each) => each.startsWith(folder)).length > 12;
        if (!link.startsWith('/') || seen.has(link) || isOfMany) continue;
        seen.add(link);
        waiting.push(link);
      }
    }
    return answers;
  };

  it('what may hold a secret is never compressed, all else is', async () => {
    const visitor = new DashboardVisitor(use());
    const login = await visitor.get('/dashboard');
    await visitor.enter();
    const answers = [login, ...(await crawl(visitor, ['/', '/dashboard', '/sandbox/tpp', '/openapi.json']))];
    const isCompressed = ({ headers }: Answer): boolean => headers['content-encoding'] === 'br';
    const pages = answers.filter(({ headers }) => headers['referrer-policy'] === 'same-origin');
    const pathsOf = (those: (answer: Answer) => boolean) => pages.filter(those).map(({ path }) => path);
    expect(pathsOf((each) => mayHoldSecret(each) && isCompressed(each))).toEqual([]);
    const isLarge = ({ status, text }: Answer): boolean => status === 200 && text.length > 1400;
    expect(pathsOf((each) => isLarge(each) && !mayHoldSecret(each) && !isCompressed(each))).toEqual([]);
    expect(pathsOf(isCompressed)).toEqual(
      expect.arrayContaining(['/', '/docs', '/openapi.json', '/problems', expect.stringMatching(/\.css$/)]),
    );
    expect(pathsOf(mayHoldSecret)).toEqual(expect.arrayContaining(['/dashboard', '/sandbox/tpp']));
  });
});
