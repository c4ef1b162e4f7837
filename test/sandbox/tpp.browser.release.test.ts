/** The demo third party in a real browser: whole flows, with and without script, on a phone, in both colours. */
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { approve, logIn, refuse, typeCode } from '../account-pages/approve-browser.js';
import { hasBrowser, useBrowser } from '../support/browser.js';
import { useService } from '../support/use-service.js';
import { START } from './walk-support.js';

const toBank = 'Send the account holder to the bank';

describe.skipIf(!hasBrowser)('the demo third party in a browser', () => {
  const service = useService();
  const browser = useBrowser();

  /** From the start page, with a silent console and nothing from elsewhere. */
  const visit = async (
    look: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> => {
    const complaints: string[] = [];
    const context = await browser().newContext(options);
    try {
      const page = await context.newPage();
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(`${service().url}/`)) complaints.push(request.url());
      });
      await page.goto(`${service().url}${START}`);
      await look(page);
    } finally {
      await context.close();
    }
    expect(complaints).toEqual([]);
  };

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page: Page) => page.locator('#now').textContent();
  const approveFunds = async (page: Page): Promise<void> => {
    await page.locator('#term-open').check();
    await typeCode(page);
    await approve(page);
    await page.waitForURL(/\/walks\//);
  };
  const toApproval = async (page: Page): Promise<void> => {
    await press(page, 'Card issuer: in two redirects');
    await press(page, 'Push the request');
    await press(page, toBank);
    await logIn(page);
    await press(page, 'Create the consent');
    await press(page, toBank);
  };

  /** No grave fault, in both colours and with everything opened; and it fits a phone. */
  const check = async (page: Page): Promise<void> => {
    await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
    await page.setViewportSize({ width: 375, height: 812 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(375);
    const small = await page.evaluate<string[]>(
      `[...document.querySelectorAll('main a:not(p a), .button, .copy, main summary, main input')]
        .filter((each) => each.checkVisibility() && (each.closest('label') ?? each).getBoundingClientRect().height < 43.9)
        .map((each) => each.outerHTML)`,
    );
    expect(small).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  test('a funds consent in two redirects: approved, used, withdrawn, refused, and told by webhook', async () => {
    await visit(
      async (page) => {
        await toApproval(page);
        await approveFunds(page);
        expect(await heading(page)).toBe('Permission granted');
        await press(page, 'Check the funds');
        expect(await page.locator('main').textContent()).toContain('"fundsAvailable": true');
        await press(page, 'Withdraw as the account holder');
        await press(page, 'Check the funds');
        expect(await page.locator('.record[open]').first().textContent()).toContain('403 Forbidden');
        expect(await heading(page)).toBe('The permission has ended');
        const news = page.locator('section[aria-labelledby=news]');
        const isTold = async () => {
          await page.getByRole('link', { name: 'Refresh' }).click();
          await page.reload();
          return (await news.textContent())?.includes('Status change: RevokedByPsu');
        };
        await expect.poll(isTold).toBe(true);
        expect(await news.textContent()).toContain('Signature verified');
        await page.getByRole('link', { name: /consent-not-valid/ }).click();
        expect(await page.locator('h1').textContent()).toContain('Consent is not valid');
      },
      { javaScriptEnabled: false },
    );
  });

  test('account access in one redirect, on a Greek phone: one visit to the bank', async () => {
    await visit(
      async (page) => {
        await press(page, 'Account information service: in one redirect');
        await press(page, 'Push the request');
        await press(page, toBank);
        await logIn(page);
        expect(await page.locator('html').getAttribute('lang')).toBe('el');
        await page.locator('#account').check();
        await typeCode(page);
        await approve(page);
        await page.waitForURL(/\/walks\//);
        expect(await heading(page)).toBe('Permission granted');
        expect(await page.locator('main').textContent()).toContain('"consentStatus": "Valid"');
      },
      { locale: 'el-GR', viewport: { width: 375, height: 812 } },
    );
  });

  test('a refusal at the bank is understood, and another try is one press away', async () => {
    await visit(async (page) => {
      await toApproval(page);
      await refuse(page);
      await page.waitForURL(/\/walks\//);
      expect(await heading(page)).toBe('The account holder did not agree');
      await press(page, 'Begin again');
      expect(await heading(page)).toBe('Push the authorization request');
    });
  });

  test('every page is accessible, fits a phone, and has targets of 44 px', async () => {
    await visit(async (page) => {
      await press(page, 'Account information service: in one redirect');
      await check(page);
      await page.goto(`${service().url}${START}`);
      await toApproval(page);
      await approveFunds(page);
      await press(page, 'Check the funds');
      await check(page);
      await page.goto(`${service().url}${START}`);
      await check(page);
    });
  });
});
