/** The renewal in a browser: in both languages, without script, on a phone, in light and dark. */
import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, test } from 'vitest';
import {
  approve,
  askForCode,
  headingOf,
  logIn,
  refuse,
  typeCode,
  useJourney,
} from '../../account-pages/approve-browser.js';
import { hasBrowser } from '../../support/browser.js';
import { account } from '../../support/operations.js';
import { useService, withStore } from '../../support/use-service.js';
import { addAccess, pathOf, read } from './support.js';

const STALE = { scaAgeMs: 181 * 86_400_000, accounts: [account('eleni', 101), account('eleni', 102)] };

describe.skipIf(!hasBrowser)('a renewal', () => {
  const service = useService();
  const { addresses, visit } = useJourney(service);

  /** A consent with an open renewal; the way back leads to the third party of these tests. */
  const renewed = async () => {
    const access = await addAccess(service(), STALE);
    const path = `/ais/psd2/v1/consents/${access.id}/authorisations`;
    expect((await service().call({ method: 'POST', path, as: access.as })).status).toBe(201);
    await withStore(service(), (db) =>
      db.run('update consents set redirect_uri = ? where id = ?', [addresses.redirectUri, access.id]),
    );
    return access;
  };

  test('is confirmed with a code, without script, and leads back to the app', async () => {
    const access = await renewed();
    await visit(
      access.id,
      async (page) => {
        await logIn(page);
        expect(await headingOf(page)).toContain('Να συνεχίσει η εφαρμογή');
        expect(await page.locator('input[type=checkbox]').count()).toBe(0);
        await askForCode(page);
        await approve(page);
        expect(await page.locator('.error-summary, [role=alert]').first().textContent()).toContain('κωδικό');
        await typeCode(page);
        await approve(page);
        await page.waitForURL(`${addresses.redirectUri}?**`);
      },
      { javaScriptEnabled: false },
    );
    expect((await read(service(), access, pathOf('getBalances', access.first))).status).toBe(200);
  });

  test('can be left for later, in English', async () => {
    const access = await renewed();
    await visit(access.id, async (page) => {
      await page.getByText('English', { exact: true }).click();
      await logIn(page);
      expect(await headingOf(page)).toMatch(/^Shall .+ go on seeing your accounts\?$/);
      await refuse(page);
      await page.waitForURL(`${addresses.redirectUri}?**`);
    });
    expect((await read(service(), access, pathOf('getBalances', access.first))).status).toBe(403);
  });

  test.each([
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 360 },
  ] as const)('fits and has no fault that axe can find: %o', async ({ colorScheme, width }) => {
    const access = await renewed();
    await visit(
      access.id,
      async (page) => {
        await logIn(page);
        await askForCode(page);
        await page.locator('.demo-code').waitFor();
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect(wide).toBeLessThanOrEqual(width);
      },
      { colorScheme, viewport: { width, height: 800 } },
    );
  });
});
