/** The login page in a real browser: accessible, silent, without script, and its form really leads to the application. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, test } from 'vitest';
import { RETURN } from '../../packages/sandbox/src/applications.js';
import { hasBrowser, useBrowser } from '../support/browser.js';
import { useService } from '../support/use-service.js';
import { discover, passwordOf, startAuthorization } from './provider-journey.js';

describe.skipIf(!hasBrowser)('in a browser', () => {
  const use = useService();
  const browser = useBrowser();

  test.each([
    { width: 360, colorScheme: 'light' },
    { width: 1280, colorScheme: 'dark' },
  ] as const)('an account holder logs in without script ($width px, $colorScheme)', async (look) => {
    const service = use();
    const { url } = await startAuthorization(service, await discover(service));
    const context = await browser().newContext({
      viewport: { width: look.width, height: 800 },
      colorScheme: look.colorScheme,
      javaScriptEnabled: false,
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(url.href);
    await page.fill('#username', 'eleni');
    await page.fill('#password', passwordOf(service, 'eleni'));
    await page.click('.login-form button[type=submit]');
    await page.waitForURL(`**${RETURN}/demo-finance-app?**`);
    expect(new URL(page.url()).searchParams.get('code')).toBeTruthy();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each(['el', 'en'])('the page is accessible and fits a phone (%s)', async (lang) => {
    const service = use();
    const { url } = await startAuthorization(service, await discover(service));
    const context = await browser().newContext({ viewport: { width: 320, height: 800 } });
    const page = await context.newPage();
    await page.goto(url.href);
    await page.goto(`${page.url()}?lang=${lang}`);
    await page.fill('#username', 'eleni');
    await page.fill('#password', 'wrong');
    await page.click('.login-form button[type=submit]');
    await page.waitForSelector('.error-summary');
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(isWide).toBe(false);
    await context.close();
  });
});
