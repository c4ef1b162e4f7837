/** A developer's first hour in a real browser: sign-up, a 200 of the own application, a login at the bank, a rolled key, a refusal and its remedy. */
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasBrowser, oneIn, useBrowser } from '../support/browser.js';
import { useService } from '../support/use-service.js';

const words = {
  el: {
    console: 'Δοκιμή στην κονσόλα',
    primary: 'Κύριο κλειδί',
    roll: 'Αλλαγή: κύριο κλειδί',
    open: 'Άνοιγμα',
    log: 'Αρχείο κλήσεων',
    remedy: 'Τι να κάνετε',
  },
  en: {
    console: 'Try it in the console',
    primary: 'Primary key',
    roll: 'Roll the primary key',
    open: 'Open',
    log: 'Request log',
    remedy: 'What to do',
  },
} as const;

/** A folder for pictures of every page of the walk. */
const pictures = process.env.TEST_PICTURES;

describe.skipIf(!hasBrowser)('the first hour', () => {
  const service = useService({ engine: 'sqlite', env: { TRAPEZA_DEMO_MONTHS: '1' } });
  const browser = useBrowser();

  const looks = [
    { lang: 'el', width: 375, colorScheme: 'dark' },
    { lang: 'en', width: 1280, colorScheme: 'light' },
  ] as const;

  test.each(oneIn(2, looks))(
    '$lang, $width wide',
    { timeout: 120_000 },
    async ({ lang, width, colorScheme }) => {
      const { url } = service();
      const name = `dev-${lang}`;
      const texts = words[lang];
      const context = await browser().newContext({
        locale: lang === 'el' ? 'el-GR' : 'en-GB',
        viewport: { width, height: 800 },
        colorScheme,
      });
      const page = await context.newPage();
      const faults: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(`${url}/`)) faults.push(request.url());
      });
      page.on('pageerror', (error) => void faults.push(error.message));
      let clicks = 0;
      const click = async (where: Locator): Promise<void> => {
        clicks += 1;
        await where.click();
      };
      const check = async (picture: string): Promise<void> => {
        if (pictures)
          await page.screenshot({ path: join(pictures, `${picture}-${lang}.png`), fullPage: true });
        expect(await page.evaluate<number>('document.documentElement.scrollWidth'), picture).toBe(width);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(
          violations.map(({ id, nodes }) => `${picture}: ${id}: ${nodes[0]?.html}`),
          picture,
        ).toEqual([]);
      };
      const answered = (status: number) => page.getByText(`Answered with ${status}.`).waitFor();
      const press = (button: string) => click(page.getByRole('button', { name: button, exact: true }));
      const block = (of: Page, caption: string) =>
        of.locator(`figure:has(figcaption:has-text("${caption}")) code`);

      await page.goto(`${url}/portal`);
      await check('1-sign-up');
      await page.fill('#sign-up-name', name);
      await page.fill('#sign-up-passphrase', 'correct horse battery');
      await click(page.locator('form[action*="/sign-up?"] button'));
      await page.getByRole('link', { name: texts.console }).waitFor();
      await check('2-ready');
      const key = /KEY='([^']+)'/.exec(await page.locator('figure code').first().innerText())?.[1] ?? '';
      await click(page.getByRole('link', { name: texts.console }));
      await press('Fill in');
      await page.getByText('Filled in.').waitFor();
      await press('Send');
      await answered(200);
      expect(clicks).toBeLessThanOrEqual(5);
      expect(await page.locator('[data-shown=request] code').innerText()).toContain(key);
      expect(await page.locator('[data-shown=answer] code').innerText()).toContain('"fundsAvailable": true');
      await check('3-console');

      // The same with a person who logs in: the token is of this tab alone.
      const before = await page.locator('[name=Authorization]').inputValue();
      await click(page.locator('summary', { hasText: 'A token by login' }));
      await press('Log in at the bank');
      await page.fill('[name=username]', 'eleni');
      await page.fill('[name=password]', 'eleni-demo');
      await page.locator('form:has([name=password]) button[type=submit]').first().click();
      await page.getByText('Logged in. The token is filled in.').waitFor();
      expect(await page.locator('[name=Authorization]').inputValue()).not.toBe(before);
      expect(await page.evaluate<string | null>('sessionStorage.getItem("console grant")')).toBeNull();
      await press('Send');
      await answered(200);
      await check('4-logged-in');

      await page.getByRole('link', { name: 'your request log' }).click();
      await check('5-portal');
      await page.getByRole('link', { name: `${texts.open} ${name}` }).click();
      await check('6-application');
      await page.getByRole('button', { name: texts.roll }).click();
      const rolled = await block(page, texts.primary).innerText();
      expect(rolled).not.toBe(key);
      await check('7-rolled');
      await page.getByRole('link', { name: texts.console }).click();
      expect(await page.locator('[name=Ocp-Apim-Subscription-Key]').inputValue()).toBe(rolled);
      expect(await page.locator('[data-known=CLIENT_SECRET]').inputValue()).not.toBe('');
      await page.fill('[data-place=body]', '{"instructedAmount":{"currency":"EUR","amount":-1}}');
      await press('Send');
      await answered(400);

      await page.getByRole('link', { name: 'your request log' }).click();
      await page.getByRole('link', { name: `${texts.log} ${name}` }).click();
      await expect
        .poll(async () => {
          await page.reload();
          return page.locator('summary', { hasText: 'validation-failed' }).count();
        })
        .toBe(1);
      await page.locator('summary', { hasText: 'validation-failed' }).click();
      await page.getByText(texts.remedy).first().waitFor();
      await check('8-log');
      expect(await page.locator('main').innerText()).not.toContain(rolled);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});
