/** A developer in a real browser: from the portal to a 200, a rolled key, and a failed call with its remedy. */
import { randomUUID } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, useBrowser } from '../support/browser.js';
import { send } from '../support/client.js';
import { useService } from '../support/use-service.js';
import { portalOptions, VISITOR } from './support.js';

const ATMS = '/psd2/v1/opendata/atm';

describe.skipIf(!hasBrowser)('in a browser', () => {
  const service = useService(portalOptions);
  const browser = useBrowser();
  let tppId = '';
  beforeAll(async () => {
    const { admin } = service().app;
    tppId = await admin.createTpp({ name: 'Own', registration: 'PSDGR-BOG-OWN1', roles: ['PSP_IC'] });
    await admin.createApplication({ tppId, name: 'Ledger', redirectUris: ['https://own.example/back'] });
  });

  const fits = async (page: Page): Promise<void> => {
    await page.evaluate('document.querySelectorAll("details").forEach((each) => { each.open = true; })');
    await page.setViewportSize({ width: 375, height: 700 });
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(375);
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  const check = async (page: Page): Promise<void> => {
    await fits(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  };

  test('two clicks to the keys and a call with 200; the call that fails is in the log with its remedy', async () => {
    const { url } = service();
    const context = await browser().newContext({ locale: 'el-GR', viewport: { width: 1280, height: 800 } });
    await context.addCookies([{ name: VISITOR, value: tppId, url }]);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => void complaints.push(message.text()));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`)) complaints.push(request.url());
    });
    await page.goto(`${url}/portal`);
    await check(page);
    await page.getByRole('button', { name: 'Πάρτε τα κλειδιά' }).click();
    await fits(page);
    const code = (name: string) =>
      page.locator(`figure:has(figcaption:has-text("${name}")) code`).innerText();
    const [clientId, key] = [await code('Client id'), await code('Κύριο κλειδί')];
    const Authorization = `Bearer ${await service().token({ application: clientId })}`;
    const call = { path: ATMS, headers: { 'Ocp-Apim-Subscription-Key': key, 'X-Request-ID': randomUUID() } };
    expect((await send(url, { ...call, headers: { ...call.headers, Authorization } })).status).toBe(200);
    expect((await send(url, call)).status).toBe(401);
    await page.getByRole('link', { name: 'Δείτε την στο αρχείο κλήσεων' }).click();
    await page.getByRole('link', { name: 'Ζωντανή παρακολούθηση' }).click();
    await page.getByText('token-missing').first().waitFor();
    await page.getByRole('link', { name: 'Τέλος παρακολούθησης' }).click();
    await check(page);
    await page.getByText('Τι να κάνετε').first().waitFor();
    for (const name of ['Χρήση', 'Ειδοποιήσεις', 'Πιστοποιητικά', 'Επισκόπηση']) {
      await page.getByRole('link', { name, exact: true }).click();
      await (name === 'Ειδοποιήσεις' ? check(page) : fits(page));
    }
    await page.getByRole('link', { name: 'Άνοιγμα Ledger' }).click();
    await check(page);
    await page.getByRole('button', { name: 'Αλλαγή: κύριο κλειδί' }).click();
    expect(await code('Κύριο κλειδί')).not.toBe(key);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
