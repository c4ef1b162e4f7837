/** The whole circle in a real browser: a third party is allowed, the account holder sees it and ends it, the third party learns of it. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { approve, logIn, typeCode } from '../account-pages/approve-browser.js';
import { hasBrowser, useBrowser } from '../support/browser.js';
import { useService } from '../support/use-service.js';
import { START } from './walk-support.js';

const toBank = 'Send the account holder to the bank';

describe.skipIf(!hasBrowser)('a permission given to the demo third party', () => {
  const service = useService();
  const browser = useBrowser();

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  const approveFunds = async (page: Page): Promise<void> => {
    await page.locator('#term-open').check();
    await typeCode(page);
    await approve(page);
    await page.waitForURL(/\/walks\//);
  };

  const ways: Readonly<Record<'one redirect' | 'two redirects', (page: Page) => Promise<void>>> = {
    async 'one redirect'(page) {
      await press(page, 'Card issuer: in one redirect');
      await press(page, 'Push the request');
      await press(page, toBank);
      await logIn(page);
      await approveFunds(page);
    },
    async 'two redirects'(page) {
      await press(page, 'Card issuer: in two redirects');
      await press(page, 'Push the request');
      await press(page, toBank);
      await logIn(page);
      await press(page, 'Create the consent');
      await press(page, toBank);
      await approveFunds(page);
    },
  };

  /** The login of the walk still counts as the first factor: the dashboard asks for a code and nothing else. */
  const withdrawOnDashboard = async (page: Page): Promise<void> => {
    await page.goto(`${service().url}/dashboard?lang=en`);
    await typeCode(page);
    await page.locator('form.sections .actions button').click();
    const card = page.locator('.party', { hasText: 'Pharos Demo' });
    expect(await card.textContent()).toContain('Walkthrough');
    await card.locator('.row a').first().click();
    await page.getByRole('link', { name: 'Withdraw' }).click();
    await page.locator('form.decision button').click();
    expect(await page.getByRole('status').textContent()).toMatch(/withdr/i);
  };

  test.each(Object.entries(ways))(
    'in %s: seen on the dashboard, withdrawn there, refused at the next call, told by webhook',
    async (_way, allow) => {
      const context = await browser().newContext();
      try {
        const page = await context.newPage();
        await page.goto(`${service().url}${START}`);
        await allow(page);
        const walk = page.url();
        await press(page, 'Check the funds');
        expect(await page.locator('main').textContent()).toContain('"fundsAvailable": true');
        await withdrawOnDashboard(page);
        await page.goto(walk);
        await press(page, 'Check the funds');
        expect(await page.locator('.record[open]').first().textContent()).toContain('403 Forbidden');
        const news = page.locator('section[aria-labelledby=news]');
        const isTold = async () => {
          await page.goto(walk);
          return (await news.textContent())?.includes('Status change: RevokedByPsu');
        };
        await expect.poll(isTold).toBe(true);
        expect(await news.textContent()).toContain('Signature verified');
      } finally {
        await context.close();
      }
    },
  );
});
