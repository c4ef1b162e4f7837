/** The landing page and the page for bank staff: in both languages, with the bank's name, and no link that leads nowhere. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guidePath, guides } from '../../src/portal/guides/guides.js';
import { bankThemes } from '../../src/portal/home/banks-page.js';
import { root } from '../lib/source.js';
import { linksOf } from './html.js';
import { api, areaPaths, homePaths, type PagesUnderTest, startPages } from './support.js';

let pages: PagesUnderTest;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

const read = (path: string, init?: RequestInit): Promise<Response> => fetch(`${pages.url}${path}`, init);

describe('the landing page', () => {
  test('is in the language of the reader, keeps a choice, and names its other language', async () => {
    const langOf = async (headers: Record<string, string>): Promise<string | undefined> =>
      /<html lang="(\w+)"/.exec(await (await read('/', { headers })).text())?.[1];
    expect(await langOf({ 'Accept-Language': 'en-GB,en' })).toBe('en');
    expect(await langOf({ 'Accept-Language': 'el-GR,en;q=0.5' })).toBe('el');
    expect(await langOf({ 'Accept-Language': 'el', Cookie: 'lang=en' })).toBe('en');
    const chosen = await read('/?lang=el');
    expect(chosen.headers.get('set-cookie')).toMatch(/^lang=el;/);
    expect(await chosen.text()).toContain(`<link rel="alternate" hreflang="en" href="${pages.url}/?lang=en"`);
  });

  test('carries the name of the bank', async () => {
    const named = await startPages({ bankName: 'Τράπεζα Αιγαίου' });
    const html = await (await fetch(`${named.url}/?lang=en`)).text();
    expect(html).toContain('<h1>Open banking at Τράπεζα Αιγαίου</h1>');
    await named.close();
  });

  test('leads to every area, not to every operation, and to no page that does not exist', async () => {
    const production = await startPages({ isSandbox: false });
    for (const { url } of [pages, production]) {
      const links = linksOf(await (await fetch(`${url}/?lang=en`)).text());
      for (const { area } of api) expect(links).toContain(`/docs/${area}`);
      expect(links.length).toBeLessThan(40);
      for (const link of links) {
        const isControl = link.startsWith('/sandbox/');
        if (!isControl && !link.startsWith('#'))
          expect({ link, status: (await fetch(new URL(link, url))).status }).toEqual({ link, status: 200 });
      }
    }
    await production.close();
  });

  test('the page for bank staff names documents that come with the package', () => {
    const files = bankThemes.flatMap(({ documents }) => documents.map(({ file }) => file));
    expect(files.length).toBeGreaterThan(8);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  });

  test('in the sandbox shows a first call with the address of this very service', async () => {
    const html = await (await read('/?lang=el')).text();
    expect(html).toContain(`POST ${pages.url}/sandbox/tokens`);
    expect(html).toContain('href="/sandbox/credentials"');
  });

  test('in production mentions no sandbox, and the guides say what is for one', async () => {
    const production = await startPages({ isSandbox: false });
    for (const path of [
      ...homePaths,
      '/docs',
      ...areaPaths.filter((each) => each !== '/docs/sandbox'),
      '/docs/changes',
    ]) {
      expect(await (await fetch(`${production.url}${path}`)).text()).not.toMatch(/sandbox/i);
    }
    expect((await fetch(`${production.url}/docs/sandbox`)).status).toBe(404);
    for (const { slug } of guides) {
      const html = await (await fetch(`${production.url}${guidePath(slug)}?lang=en`)).text();
      expect(html).toContain('The commands of this page are for a sandbox');
      expect(linksOf(html).filter((link) => /sandbox/.test(link))).toEqual([]);
      const twin = await (await fetch(`${production.url}${guidePath(slug)}.md?lang=en`)).text();
      expect(twin).not.toMatch(/\]\([^)]*sandbox/);
    }
    await production.close();
  });
});
