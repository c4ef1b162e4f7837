/** The approval journey for everyone: without script, by keyboard alone, on a phone, in light and dark. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser, oneIn } from '../support/browser.js';
import { account } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { approve, askForCode, headingOf, logIn, shownCode, typeCode, useJourney } from './approve-browser.js';
import { accessDetails } from './approve-support.js';

describe.skipIf(!hasBrowser)('approval for everyone', () => {
  const service = useService();
  const { addresses, ask, askForFunds, visit } = useJourney(service);

  test('without script everything works, in the other language too', async () => {
    const id = await ask({ redirectUri: null, nokRedirectUri: null });
    const look = async (page: Page): Promise<void> => {
      await page.getByText('English', { exact: true }).click();
      await logIn(page);
      expect(await headingOf(page)).toBe('Approve a payment of €1,120.50');
      await page.locator('#account').check();
      await typeCode(page);
      await approve(page);
      expect(await headingOf(page)).toBe('You have approved the payment');
    };
    await visit(id, look, { javaScriptEnabled: false });
  });

  /** What has the focus: whether it is seen there, and where it is on the page. */
  const focused = `(() => {
    const at = document.activeElement;
    const ring = at.closest('.pick') ?? at;
    const { outlineStyle, outlineWidth } = getComputedStyle(ring);
    return { isRinged: outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2, top: Math.round(at.getBoundingClientRect().top + scrollY) };
  })()`;
  const tabTo = async (page: Page, selector: string): Promise<void> => {
    let lowest = 0;
    for (let presses = 0; presses < 40; presses += 1) {
      if (await page.evaluate<boolean>(`document.activeElement.matches('${selector}')`)) return;
      await page.keyboard.press('Tab');
      const { isRinged, top } = await page.evaluate<{ isRinged: boolean; top: number }>(focused);
      expect([selector, isRinged]).toEqual([selector, true]);
      // Down the page, as it is read: what lies beside each other may differ by a line.
      expect(top).toBeGreaterThanOrEqual(lowest - 60);
      lowest = top;
    }
    throw new Error(`the keyboard never reaches ${selector}`);
  };

  test('the keyboard alone is enough, with the focus in sight', async () => {
    await visit(await ask(), async (page) => {
      await tabTo(page, '#username');
      await page.keyboard.type('eleni');
      await tabTo(page, '#password');
      await page.keyboard.type('eleni-demo');
      await page.keyboard.press('Enter');
      await page.locator('button[value=begin]').waitFor();
      await tabTo(page, '#account');
      await page.keyboard.press('Space');
      await tabTo(page, 'button[value=begin]');
      await page.keyboard.press('Enter');
      // The page goes on at the field.
      await page.locator('#code:focus').waitFor();
      const code = await shownCode(page);
      await page.keyboard.press('Enter');
      // An error has the focus, and its link leads to the field.
      await page.locator('.error-summary:focus').waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.keyboard.type(code);
      await tabTo(page, 'button[value=approve]');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${addresses.redirectUri}?**result=approved`);
    });
  });

  test('the language changes with what was entered, without script', async () => {
    await visit(
      await askForFunds({ accounts: [], details: {}, expiresAt: null }),
      async (page) => {
        await page.locator('#username').fill('eleni');
        await page.getByRole('button', { name: 'English' }).click();
        expect(await headingOf(page)).toBe('Log in to see the request');
        expect(await page.locator('#username').inputValue()).toBe('eleni');
        await page.locator('#password').fill('wrong');
        await page.locator('#password').press('Enter');
        await page.locator('.error-summary:focus').waitFor();
        await logIn(page);
        await page.locator('#account-1').check();
        await page.getByLabel('Until a date').check();
        await page.locator('#date').fill('2031-05-14');
        await askForCode(page);
        await page.locator('#code').fill('12');
        await page.getByRole('button', { name: 'Ελληνικά' }).click();
        expect(await page.locator('.error-summary').count()).toBe(0);
        expect(await page.locator('html').getAttribute('lang')).toBe('el');
        expect(await page.locator('#account-1').isChecked()).toBe(true);
        expect(await page.locator('#date').inputValue()).toBe('2031-05-14');
        expect(await page.locator('#code').inputValue()).toBe('12');
        // Enter approves, here with a wrong code.
        await page.locator('#code').press('Enter');
        await page.locator('.error-summary:focus').waitFor();
        await typeCode(page);
        await page.locator('#code').press('Enter');
        await page.waitForURL(`${addresses.redirectUri}?**result=approved`);
      },
      { javaScriptEnabled: false },
    );
  });

  const states = ['login', 'payment', 'funds', 'access', 'errors', 'foreign', 'outcome'] as const;
  const idOf = (state: (typeof states)[number]): Promise<string> => {
    if (state === 'funds' || state === 'errors') return askForFunds();
    if (state === 'access') return ask({ kind: 'AccountAccess', details: accessDetails });
    if (state === 'foreign') return askForFunds({ accounts: [account('nikos', 202)] });
    return ask(state === 'outcome' ? { status: 'Valid' } : {});
  };
  const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
    states.map((state) => ({ state, colorScheme })),
  );

  test.each(oneIn(4, looks))(
    '$state ($colorScheme) is accessible and fits a phone',
    async ({ state, colorScheme }) => {
      const options = { colorScheme, viewport: { width: 375, height: 812 } };
      const complaints: string[] = [];
      const look = async (page: Page): Promise<void> => {
        page.on('pageerror', (error) => complaints.push(error.message));
        if (state !== 'login') await logIn(page);
        if (state === 'errors') await askForCode(page);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(grave.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(375);
        const small = await page.evaluate<string[]>(
          `[...document.querySelectorAll('button, nav a, nav button, .button, .pick, .choice, [role=alert] a, .field input')]
          .filter((each) => each.getBoundingClientRect().height < 43.9).map((each) => each.outerHTML)`,
        );
        expect(small).toEqual([]);
      };
      await visit(await idOf(state), look, options);
      expect(complaints).toEqual([]);
    },
  );
});
