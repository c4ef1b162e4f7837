/** Login, approval and the way back in one visit, in a real browser: accessible, silent, without script, on phone and desk. */
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { RETURN } from '../../../packages/sandbox/src/applications.js';
import { approve, headingOf, logIn, refuse, typeCode } from '../../account-pages/approve-browser.js';
import { hasBrowser, useBrowser } from '../../support/browser.js';
import { useService } from '../../support/use-service.js';
import { discover, redeem } from '../provider-journey.js';
import { accessDetail, ask, paymentDetail } from './journey.js';

/** For people who want to look: TEST_PICTURES names a folder. */
const picture = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.TEST_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
};

const check = async (page: Page, name: string): Promise<void> => {
  await picture(page, name);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
};

describe.skipIf(!hasBrowser)('in a browser', () => {
  const use = useService();
  const browser = useBrowser();

  const open = async (locale: string, width: number) => {
    const context = await browser().newContext({ locale, viewport: { width, height: 800 } });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    return { context, page, complaints };
  };
  const BACK = `**${RETURN}/demo-finance-app?**`;

  test.each([
    { locale: 'el-GR', width: 360, details: accessDetail, says: 'ζητά να βλέπει τους λογαριασμούς σας' },
    { locale: 'en-GB', width: 1280, details: paymentDetail, says: 'Approve' },
  ])('an account holder logs in and approves $details.type ($locale, $width px)', async (look) => {
    const service = use();
    const configuration = await discover(service);
    const started = await ask(service, configuration, { details: look.details, withPar: true });
    const { context, page, complaints } = await open(look.locale, look.width);
    const name = `one-redirect-${look.locale}`;
    await page.goto(started.url.href);
    await check(page, `${name}-1-login`);
    await logIn(page);
    await page.waitForURL('**/authorise/*');
    expect(await headingOf(page)).toContain(look.says);
    await check(page, `${name}-2-approval`);
    await page.locator('input[name=account]:not([disabled])').first().check();
    await typeCode(page);
    await approve(page);
    await page.waitForURL(BACK);
    const tokens = await redeem(configuration, {
      ...started,
      callback: new URL(page.url()),
    });
    expect(tokens.authorization_details).toMatchObject([{ type: look.details.type, consentStatus: 'Valid' }]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('a refusal leads back, and the back button ends on a calm page', async () => {
    const service = use();
    const { url } = await ask(service, await discover(service), { details: accessDetail });
    const { context, page, complaints } = await open('el-GR', 360);
    await page.goto(url.href);
    await logIn(page);
    await page.waitForURL('**/authorise/*');
    const address = page.url();
    await refuse(page);
    await page.waitForURL(BACK);
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied');
    await page.goto(address);
    expect(await headingOf(page)).toBe('Το αίτημα απορρίφθηκε');
    await check(page, 'one-redirect-refused');
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('another browser says where to go on', async () => {
    const service = use();
    const { url } = await ask(service, await discover(service), { details: accessDetail });
    const first = await open('el-GR', 360);
    await first.page.goto(url.href);
    await logIn(first.page);
    await first.page.waitForURL('**/authorise/*');
    const second = await open('en-GB', 360);
    await second.page.goto(first.page.url());
    await logIn(second.page);
    expect(await headingOf(second.page)).toBe('Go on where you began');
    await check(second.page, 'one-redirect-elsewhere');
    await first.context.close();
    await second.context.close();
  });
});
