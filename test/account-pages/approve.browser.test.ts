/** The approval journey in a real browser: the one way to the end, with the mistake that most people make. The others: approve-more. */
import { describe, expect, test } from 'vitest';
import { hasBrowser } from '../support/browser.js';
import { account, statusPath } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { approve, askForCode, logIn, typeCode, useJourney } from './approve-browser.js';
import { accessDetails, stored } from './approve-support.js';

describe.skipIf(!hasBrowser)('approval in a browser', () => {
  const service = useService();
  const { addresses, ask, visit } = useJourney(service);

  test('account access is approved for the accounts that were ticked, and the API says so', async () => {
    const id = await ask({ kind: 'AccountAccess', details: accessDetails });
    await visit(id, async (page) => {
      await logIn(page);
      expect(await page.locator('.pick input:checked').count()).toBe(0);
      await page.getByLabel('Αποταμιευτικός').check();
      await typeCode(page);
      await approve(page);
      await page.waitForURL(`${addresses.redirectUri}?**`);
    });
    expect((await stored(service(), id)).accounts).toEqual([account('eleni', 102).id]);
    const { json } = await service().call({ path: statusPath(id), as: { psu: 'eleni' } });
    expect(json).toMatchObject({ status: 'Valid' });
  });

  test('a wrong code leads back to the field, and keeps what was picked', async () => {
    await visit(await ask(), async (page) => {
      await logIn(page);
      await page.locator('#account-1').check();
      await askForCode(page);
      await page.locator('#code').fill('12');
      await approve(page);
      expect(await page.title()).toMatch(/^Σφάλμα: /);
      expect(await page.locator('#account-1').isChecked()).toBe(true);
      await page.locator('[role=alert] a').click();
      expect(await page.evaluate<string>('location.hash')).toBe('#code');
      await typeCode(page);
      await approve(page);
      await page.waitForURL(`${addresses.redirectUri}?**`);
    });
  });
});
