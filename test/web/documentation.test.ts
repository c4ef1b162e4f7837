/** The documentation as a whole: its twins in Markdown, their list, and the search over all pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guidePath, guides } from '../../src/portal/guides/guides.js';
import { SearchIndex } from '../../src/portal/search/search-index.js';
import { problems } from '../../src/problem/problem.js';
import { languages } from '../../src/web/language.js';
import { htmlFaults, linksOf } from './html.js';
import { areaPaths, operationIds, operationPaths, type PagesUnderTest, startPages } from './support.js';

const documented = [
  '/docs',
  ...areaPaths,
  ...operationPaths,
  '/docs/guides',
  ...guides.map(({ slug }) => guidePath(slug)),
  '/docs/changes',
  '/problems',
  ...Object.keys(problems).map((slug) => `/problems/${slug}`),
];

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

const read = (path: string): Promise<Response> => fetch(`${pages.url}${path}`);

describe('the twins in Markdown', () => {
  test('exist for every page, are linked from it, and lead to each other', async () => {
    for (const path of documented) {
      const [page, twin] = await Promise.all([read(path), read(`${path}.md`)]);
      expect(linksOf(await page.text())).toContain(`${path}.md`);
      expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      const text = await twin.text();
      expect(text).toMatch(/^# \S/m);
      expect(text).not.toMatch(/<\/?(p|div|li|td|span|code)\b/);
      for (const [, link = ''] of text.matchAll(/\]\((\/[^)#]*)/g))
        expect(documented).toContain(link.replace(/\.md$/, ''));
    }
  });

  test('say what the page says', async () => {
    const text = await (await read('/docs/piis/confirm-funds.md')).text();
    expect(text).toContain('# Confirm funds');
    expect(text).toContain('`/piis/psd2/v1/funds-confirmations`');
    expect(text).toContain('- `instructedAmount` object **required**');
    expect(text).toContain('  - `amount` number **required**');
    expect(text).toMatch(/```\ncurl -X POST/);
    expect(text).toContain(`](${pages.url}/problems/currency-mismatch.md)`);
    expect(await (await read('/docs/scenarios')).text()).not.toContain('`');
    expect(await (await read('/problems.md')).text()).toMatch(/^\| \[.*\|$/m);
  });

  test('of the list of guides have every guide, as the page has', async () => {
    for (const lang of languages) {
      const [page, twin] = await Promise.all(
        ['', '.md'].map((end) => read(`/docs/guides${end}?lang=${lang}`)),
      );
      const [html, text] = [await page?.text(), await twin?.text()];
      for (const path of [...guides.map(({ slug }) => guidePath(slug)), '/docs/scenarios']) {
        expect(linksOf(html ?? '')).toContain(path);
        expect(text).toContain(`](${pages.url}${path}.md?lang=${lang})`);
      }
    }
  });

  test('are listed in llms.txt', async () => {
    const response = await read('/llms.txt');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const text = await response.text();
    expect(text).toMatch(/^# Trapeza\n\n> /);
    for (const path of documented.filter((each) => !each.startsWith('/docs/guides')))
      expect(text).toContain(`](${pages.url}${path}.md): `);
    for (const path of [...guides.map(({ slug }) => guidePath(slug)), '/docs/scenarios'])
      for (const lang of languages) expect(text).toContain(`](${pages.url}${path}.md?lang=${lang}): `);
  });
});

describe('what stands around a page', () => {
  /** Without the mark of the page itself, and the way to it in another language. */
  const aroundIn = (html: string): string[] =>
    ['header', 'aside', 'footer'].map((tag) =>
      (new RegExp(`<${tag} class="(?:masthead|environment|footer)"[\\s\\S]*?</${tag}>`).exec(html)?.[0] ?? '')
        .replace(/ (?:aria-current|lang)="[^"]*"/g, '')
        .replace(/href="[^"]*lang=/g, 'href="'),
    );

  test.each(languages)('is the same on every page, for a reader of %s', async (lang) => {
    const headers = { 'Accept-Language': lang };
    const bodyOf = async (path: string) => (await fetch(pages.url + path, { headers })).text();
    const expected = aroundIn(await bodyOf('/'));
    expect(expected.map((part) => part.length > 50)).toEqual([true, true, true]);
    for (const path of [...documented, '/docs/search', '/docs/scenarios', '/banks', '/atms', '/status']) {
      const html = await bodyOf(path);
      expect({ path, around: aroundIn(html) }).toEqual({ path, around: expected });
      expect(htmlFaults(html)).toEqual([]);
    }
  });
});

describe('the search', () => {
  const search = async (words: string, lang = 'en'): Promise<string> =>
    (await read(`/docs/search?q=${encodeURIComponent(words)}&lang=${lang}`)).text();
  const foundIn = (html: string): string[] =>
    [...html.matchAll(/<li lang="\w+"><a href="([^"]+)"/g)].map(([, path = '']) => path);

  test('finds operations, problems and changes, by the beginnings of words', async () => {
    expect(foundIn(await search('confirm funds'))[0]).toBe('/docs/piis/confirm-funds');
    expect(foundIn(await search('getTransactions'))[0]).toBe('/docs/ais/get-transactions');
    expect(foundIn(await search('QUOTA exce'))[0]).toBe('/problems/quota-exceeded');
    expect(foundIn(await search('deprecated'))).toContain('/docs/changes');
    expect(foundIn(await search('πρωτη κληση'))[0]).toBe('/docs/guides/first-call?lang=el');
    expect(foundIn(await search('order-RJCT-AM04'))).toContain('/docs/scenarios?lang=en');
    expect(foundIn(await search('χαμενες απαντησεις'))).toContain('/docs/scenarios?lang=el');
    expect(foundIn(await search('qqq xyz'))).toEqual([]);
  });

  test('has the pages in the language of the reader first, and each page once', async () => {
    for (const words of ['token', '429', 'QWAC'])
      for (const lang of languages) {
        const html = await search(words, lang);
        expect(html).toContain(`<html lang="${lang}">`);
        const found = foundIn(html);
        const order = [...html.matchAll(/<li lang="(\w+)"><a /g)].map(([, each]) => each === lang);
        expect(order.toSorted((a, b) => Number(b) - Number(a))).toEqual(order);
        expect(order[0]).toBe(true);
        const pagesFound = found.map((path) => path.split('?')[0]);
        expect(new Set(pagesFound).size).toBe(pagesFound.length);
      }
  });

  test('reads a question as its words that say something, and ids as names', async () => {
    const first = async (words: string, lang?: string) => foundIn(await search(words, lang))[0];
    expect(await first('how do i revoke')).toBe('/docs/sandbox/revoke-sandbox-certificate');
    expect(foundIn(await search('how do i revoke'))[1]).toBe('/docs/guides/oauth?lang=en');
    expect(await first('how to cancel a payment')).toBe('/docs/pis/cancel-payment');
    expect(await first('πώς μπορώ να έχω ειδοποιήσεις;', 'el')).toBe('/docs/guides/notifications?lang=el');
    expect(await first('how do I')).toBeDefined();
    expect(await search('webhook qqqq')).toContain('No page has all of these words.');
    for (const [id, path] of operationIds) expect(await first(id)).toBe(path);
  });

  test('marks what it found, and shows the query as text', async () => {
    expect(await search('sunset')).toContain('<mark>Sunset</mark>');
    const html = await search('<script>alert(1)</script>');
    expect(html).not.toContain('<script>alert');
    expect(htmlFaults(html)).toEqual([]);
    expect(htmlFaults(await search(''))).toEqual([]);
  });

  test('does not mind accents', () => {
    const index = new SearchIndex();
    index.add({
      path: '/a',
      lang: 'el',
      title: 'Ειδοποιήσεις',
      text: 'Πώς υπογράφεται μια ειδοποίηση της τράπεζας',
    });
    for (const words of ['ειδοποιησεις', 'ΕΙΔΟΠΟΙΗΣΕΙΣ', 'υπογραφ ΤΡΆΠΕΖΑΣ'])
      expect(index.find(words, 5, 'en').pages).toHaveLength(1);
    expect(index.find('πληρωμή', 5, 'el').pages).toEqual([]);
  });
});
