/** The developer pages in a real browser: silent console, nothing from elsewhere, accessible, no sideways scrolling. */
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../../src/web/language.js';
import { hasBrowser, oneIn, useBrowser } from '../../support/browser.js';
import { areaPaths, type PagesUnderTest, publicPaths, startPages } from '../support.js';
import { typicalPaths } from './scenes.js';

const paths = [
  '/',
  ...publicPaths,
  '/docs',
  ...areaPaths,
  ...typicalPaths.flatMap((path) =>
    path.startsWith('/docs/guides') ? languages.map((lang) => `${path}?lang=${lang}`) : [path],
  ),
  '/docs/search?q=consent',
  '/docs/changes',
  '/problems',
  '/problems/validation-failed',
  '/problems/quota-exceeded',
];

/** One of each kind is held against both colours: the others have the same parts, and contrast is slow to measure on long pages. */
const ofEachKind: readonly string[] = [
  '/',
  '/docs',
  '/docs/opendata',
  '/docs/guides/payment?lang=el',
  '/docs/piis/confirm-funds',
  '/problems/validation-failed',
];

describe.skipIf(!hasBrowser)('in a browser', () => {
  let pages: PagesUnderTest;
  const browser = useBrowser();
  beforeAll(async () => {
    pages = await startPages();
  });
  afterAll(() => pages?.close());

  /** Opens a page, looks at it, and returns what it complained about and whom it asked. */
  const visit = async (
    path: string,
    options: BrowserContextOptions,
    look: (page: Page) => Promise<void>,
  ): Promise<{ complaints: string[]; foreign: string[] }> => {
    const complaints: string[] = [];
    const foreign: string[] = [];
    const context = await browser().newContext(options);
    try {
      const page = await context.newPage();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => {
        if (!request.url().startsWith(`${pages.url}/`)) foreign.push(request.url());
      });
      await page.goto(`${pages.url}${path}`, { waitUntil: 'load' });
      await look(page);
    } finally {
      await context.close();
    }
    return { complaints, foreign };
  };

  const clean = { complaints: [], foreign: [] };

  const looks = paths.flatMap((path) => {
    const light = { path, colorScheme: 'light' } as const;
    return ofEachKind.includes(path) ? [light, { path, colorScheme: 'dark' } as const] : [light];
  });
  test.each(oneIn(6, looks))(
    '$path ($colorScheme) has no serious fault that axe can find',
    async ({ path, colorScheme }) => {
      const options = { viewport: { width: 1280, height: 900 }, colorScheme };
      const seen = await visit(path, options, async (page) => {
        // Closed parts are pages too.
        await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
        const axe = new AxeBuilder({ page });
        const { violations } = await (ofEachKind.includes(path)
          ? axe
          : axe.disableRules('color-contrast')
        ).analyze();
        const grave = violations.filter(
          ({ id, impact }) => id === 'region' || impact === 'serious' || impact === 'critical',
        );
        expect(grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      });
      expect(seen.complaints).toEqual([]);
    },
  );

  const controls =
    'nav a, .button, .copy, .statuses a, .area-calls a, .samples label, .search input, summary';
  const tooSmall = `[...document.querySelectorAll('${controls}')]
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.9)
    .map((each) => each.textContent)`;
  test.each(oneIn(4, paths))('%s fits a phone, with controls of at least 44 px', async (path) => {
    const seen = await visit(path, { viewport: { width: 375, height: 812 } }, async (page) => {
      expect(await page.evaluate<string[]>(tooSmall)).toEqual([]);
      await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(375);
    });
    expect(seen).toEqual(clean);
  });

  test.each(oneIn(4, paths))('%s works without script', async (path) => {
    const seen = await visit(path, { javaScriptEnabled: false }, async (page) => {
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.locator('button:visible').count()).toBe(0);
    });
    expect(seen).toEqual(clean);
  });

  test('the copy button copies the command', async () => {
    const options = { permissions: ['clipboard-read', 'clipboard-write'] };
    const seen = await visit('/?lang=en', options, async (page) => {
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      const copied = await page.evaluate<string>('navigator.clipboard.readText()');
      expect(copied).toBe(await page.locator('.code-block code').textContent());
    });
    expect(seen).toEqual(clean);
  });

  test('the keyboard reaches the content past the navigation', async () => {
    await visit('/docs', {}, async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(new URL(page.url()).hash).toBe('#main');
    });
  });
});
