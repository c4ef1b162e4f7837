/** The dashboard in a real browser: for everyone, in both languages, on a phone and on a desk, without script. */
import { AxeBuilder } from '@axe-core/playwright';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser, oneIn, useBrowser } from '../../support/browser.js';
import { account } from '../../support/operations.js';
import { useService } from '../../support/use-service.js';
import { headingOf, logIn, typeCode } from '../approve-browser.js';
import { addRequest, stored } from '../approve-support.js';
import { addAccess, askForFunds, DASHBOARD } from './support.js';

describe.skipIf(!hasBrowser)('the dashboard in a browser', () => {
  const service = useService({}, async (started) => {
    for (const [index, amount] of [12.5, 5000, 99.99].entries())
      await askForFunds(started, amount, index === 1 ? {} : { payee: 'Super Market Ο Κήπος του Νότου ΑΕ' });
    const consentId = started.consent('AccountAccess').id;
    for (const kind of ['accounts', 'transactions'] as const)
      await addAccess(started, { consentId, kind, at: started.clock.now(), isAttended: kind === 'accounts' });
  });
  const browser = useBrowser();

  const visit = async (
    look: (page: Page) => Promise<void>,
    { lang = 'el', ...options }: BrowserContextOptions & { readonly lang?: string } = {},
  ): Promise<void> => {
    const context = await browser().newContext(options);
    try {
      const page = await context.newPage();
      await page.goto(`${service().url}${DASHBOARD}?lang=${lang}`);
      await look(page);
    } finally {
      await context.close();
    }
  };
  const enter = async (page: Page, username = 'eleni'): Promise<void> => {
    await logIn(page, username);
    await typeCode(page);
    await page.locator('form.sections .actions button').click();
    await page.locator('.tabs').waitFor();
  };
  const open = (page: Page, path: string) => page.goto(`${service().url}${DASHBOARD}${path}`);

  const isAccessible = async (page: Page): Promise<void> => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  };
  const fits = async (page: Page, width: number): Promise<void> => {
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    const small = await page.evaluate<string[]>(
      `[...document.querySelectorAll('button, nav a, .button, summary, select, .field input')]
        .filter((each) => each.getClientRects().length > 0 && each.getBoundingClientRect().height < 43.9)
        .map((each) => each.outerHTML)`,
    );
    expect(small).toEqual([]);
    const tabs = await page
      .locator('.tabs li')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(new Set(tabs).size).toBeLessThanOrEqual(1);
  };
  const pathsOf = (): readonly string[] => {
    const permission = `/permissions/${service().consent('AccountAccess').id}`;
    const app = `/apps/${service().consent('AccountAccess').application}`;
    const wrong = '/payments?q=x&from=2027-01-01&to=2026-01-01';
    return ['', app, '/payments', wrong, '/funds', permission, `${permission}/withdraw`];
  };
  /** The way in and everything behind it. */
  const walk = async (page: Page, look: () => Promise<void>): Promise<void> => {
    await look();
    await logIn(page);
    await look();
    await page.locator('form.sections .actions button').click();
    await look();
    await typeCode(page);
    await page.locator('form.sections .actions button').click();
    await page.locator('.tabs').waitFor();
    for (const path of pathsOf()) {
      await open(page, path);
      await look();
    }
  };

  const schemes = [
    { lang: 'el', width: 375, colorScheme: 'dark' },
    { lang: 'en', width: 1280, colorScheme: 'light' },
  ] as const;
  test.each(oneIn(2, schemes))(
    'every page is accessible: $lang, $width, $colorScheme',
    async ({ lang, width, colorScheme }) => {
      const viewport = { width, height: 812 };
      await visit((page) => walk(page, () => isAccessible(page)), { lang, colorScheme, viewport });
    },
    240_000,
  );

  const sizes = (['el', 'en'] as const).flatMap((lang) => [375, 1280].map((width) => ({ lang, width })));
  test.each(oneIn(4, sizes))('every page fits, in its language: $lang, $width', async ({ lang, width }) => {
    const look = async (page: Page): Promise<void> => {
      await fits(page, width);
      expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    };
    await visit((page) => walk(page, () => look(page)), { lang, viewport: { width, height: 812 } });
  });

  test('without script a payment is found by a search, read, and withdrawn', async () => {
    const id = await addRequest(service(), {
      status: 'Valid',
      psu: 'anna',
      accounts: [account('anna', 902)],
    });
    await visit(
      async (page) => {
        await enter(page, 'anna');
        await page.getByRole('link', { name: 'Payments', exact: true }).click();
        await page.getByLabel('Search').fill('finance');
        await page.getByRole('button', { name: 'Search' }).click();
        await page.locator('.row a').first().click();
        await page.getByRole('link', { name: 'Withdraw' }).click();
        expect(await headingOf(page)).toBe('Withdraw the permission of Finance App?');
        await page.getByRole('link', { name: 'Keep the permission' }).click();
        expect((await stored(service(), id)).status).toBe('Valid');
        await page.getByRole('link', { name: 'Withdraw' }).click();
        await page.getByRole('button', { name: 'Withdraw the permission' }).click();
        expect(await page.getByRole('status').textContent()).toContain('You have withdrawn your approval');
        await page.goBack();
        await page.reload();
        expect(await headingOf(page)).not.toContain('?');
      },
      { lang: 'en', javaScriptEnabled: false },
    );
    expect((await stored(service(), id)).status).toBe('RevokedByPsu');
  });

  test('the language changes where one is, with the filter that was chosen', async () => {
    await visit(async (page) => {
      await enter(page);
      await open(page, '/funds?from=2026-01-01');
      expect(await headingOf(page)).toBe('Έλεγχοι διαθέσιμου ποσού');
      await page.getByText('English', { exact: true }).click();
      expect(await headingOf(page)).toBe('Balance checks');
      expect(page.url()).toContain('from=2026-01-01');
    });
  });

  test('a file is downloaded under its name', async () => {
    await visit(async (page) => {
      await enter(page);
      await open(page, '/funds');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('.downloads a[href*="funds.csv"]').click(),
      ]);
      expect(download.suggestedFilename()).toBe('funds.csv');
    });
  });

  test('logging out leaves nothing to go back to', async () => {
    await visit(async (page) => {
      await enter(page);
      await open(page, '/funds');
      await page.locator('.visitor button').click();
      await page.locator('#username').waitFor();
      await page.goBack();
      expect(await page.locator('.records').count()).toBe(0);
    });
  });
});
