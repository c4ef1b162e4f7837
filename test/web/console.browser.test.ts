/** The console of an operation: calls from its page in a real browser. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser, useBrowser } from '../support/browser.js';
import { useService } from '../support/use-service.js';

describe.skipIf(!hasBrowser)('the console', () => {
  const service = useService();
  const browser = useBrowser();

  /** The page, what it asked elsewhere, and what it complained about. */
  const open = async (path: string, look: (page: Page) => Promise<void>): Promise<void> => {
    const { url } = service();
    const context = await browser().newContext();
    const faults: string[] = [];
    try {
      const page = await context.newPage();
      page.on('request', (request) => {
        if (!request.url().startsWith(`${url}/`)) faults.push(request.url());
      });
      page.on('pageerror', (error) => faults.push(error.message));
      await page.goto(`${url}${path}`);
      await look(page);
    } finally {
      await context.close();
    }
    expect(faults).toEqual([]);
  };

  const press = async (page: Page, name: string, says: string): Promise<void> => {
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByText(says).waitFor();
  };
  const shown = (page: Page, part: string) => page.locator(`[data-shown=${part}] code`).innerText();

  test('fills in what a call needs, makes it, and shows request and answer', async () => {
    await open('/docs/ais/get-transactions', async (page) => {
      await press(page, 'Fill in', 'Filled in.');
      await press(page, 'Send', 'Answered with 200.');
      expect(await shown(page, 'answer')).toContain('"booked"');
      expect(await shown(page, 'request')).toContain(`curl -X GET '${service().url}/ais/psd2/v1/accounts/`);
      await page.fill('[name=limit]', 'many');
      await press(page, 'Send', 'Answered with 400.');
      expect(await shown(page, 'answer')).toContain('limit');
      // The next page of this tab knows what is there, another tab does not.
      await page.goto(`${service().url}/docs/ais/get-balances`);
      await press(page, 'Send', 'Answered with 200.');
      const other = await page.context().newPage();
      await other.goto(`${service().url}/docs/ais/get-balances`);
      expect(await other.locator('[name=Authorization]').inputValue()).toBe('');
    });
  });

  test('sends a body as it is typed, and meets a scenario', async () => {
    await open('/docs/piis/confirm-funds', async (page) => {
      await press(page, 'Fill in', 'Filled in.');
      await press(page, 'Send', 'Answered with 200.');
      expect(await shown(page, 'answer')).toContain('"fundsAvailable": true');
      await page.fill('[name=Sandbox-Scenario]', 'quota-exceeded');
      await press(page, 'Send', 'Answered with 429.');
      await page.fill('[name=Sandbox-Scenario]', '');
      await page.fill('.console textarea', '{"account":');
      await press(page, 'Send', 'Answered with 400.');
    });
  });
});
