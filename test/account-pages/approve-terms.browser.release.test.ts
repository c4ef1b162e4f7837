/** The terms of a payment in a real browser: in both languages, on a phone and on a desk nothing is cut off, and the warning is seen. */
import { describe, expect, test } from 'vitest';
import { hasBrowser, oneIn } from '../support/browser.js';
import { ibanOf } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { approve, logIn, typeCode, useJourney } from './approve-browser.js';
import { paymentDetails, stored } from './approve-support.js';

const results = [
  ['close', 'Βασίλης Αλεξίο', /Βασίλης Αλεξίου/],
  ['no-match', 'Μαρία Οικονόμου', /δεν ταιριάζει|does not match/],
  ['match', 'Αλεξίου Βασίλης', /ταιριάζει με|matches/],
] as const;
const looks = oneIn(
  3,
  [375, 1280].flatMap((width) => (['el-GR', 'en-GB'] as const).map((locale) => ({ width, locale }))),
);

describe.skipIf(!hasBrowser)('the terms of a payment in a browser', () => {
  const service = useService();
  const { addresses, ask, visit } = useJourney(service);

  test.each(results)(
    'a payee check that is %s is shown in every look, and the person may go on',
    async (name, creditorName, text) => {
      const details = { ...paymentDetails, creditorName, creditAccount: { iban: ibanOf('vasilis', 1101) } };
      const id = await ask({ details });
      for (const { width, locale } of looks)
        await visit(
          id,
          async (page) => {
            await logIn(page);
            expect(await page.locator('.payment .callout').textContent()).toMatch(text);
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
              width,
            );
            const folder = process.env.TEST_SCREENSHOTS;
            if (folder)
              await page.screenshot({
                path: `${folder}/payee-${name}-${locale}-${width}.png`,
                fullPage: true,
              });
          },
          { locale, viewport: { width, height: 900 } },
        );
      await visit(id, async (page) => {
        await logIn(page);
        await page.locator('.pick input:enabled').first().check();
        await typeCode(page);
        await approve(page);
        await page.waitForURL(`${addresses.redirectUri}?consentId=${id}&state=*`);
      });
      expect((await stored(service(), id)).status).toBe('Valid');
    },
  );

  test.each(looks)(
    'above the limit of the day the page says how much can be paid: $locale, $width wide',
    async ({ width, locale }) => {
      const instructedAmount = { currency: 'EUR', amount: 15_000.01 };
      const id = await ask({ psu: 'kostas', details: { ...paymentDetails, instructedAmount } });
      await visit(
        id,
        async (page) => {
          await logIn(page, 'kostas');
          expect(await page.locator('.callout.bad').textContent()).toMatch(/15\.000,00|15,000\.00/);
          expect(await page.locator('button[value=approve]').count()).toBe(0);
          const folder = process.env.TEST_SCREENSHOTS;
          if (folder)
            await page.screenshot({ path: `${folder}/limit-${locale}-${width}.png`, fullPage: true });
        },
        { locale, viewport: { width, height: 900 } },
      );
    },
  );
});
