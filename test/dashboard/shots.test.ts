/** Screenshots for the eye only; removed before the work is handed over. */
import { chromium } from 'playwright-core';
import { test } from 'vitest';
import { useService } from '../support/use-service.js';
import { addAccess, askForFunds } from './support.js';

const service = useService();
test('shots', async () => {
  const out = '/tmp/dsh';
  for (let i = 0; i < 60; i += 1)
    await askForFunds(
      service(),
      ((i * 97.31) % 3000) + 0.5 > 0 ? Math.round((((i * 97.31) % 3000) + 0.5) * 100) / 100 : 1,
      {
        application: i % 3 ? 'demo-finance-app' : 'demo-budget-app',
        ...(i % 4 ? { payee: i % 2 ? 'Βιβλιοπωλείο Αθηνά' : 'Super Market Ο Κήπος του Νότου ΑΕ' } : {}),
      },
    );
  const consentId = service().consent('AccountAccess').id;
  for (const [i, kind] of (
    ['accounts', 'balances', 'transactions', 'transaction', 'statements', 'statement', 'account'] as const
  ).entries())
    await addAccess(service(), {
      consentId,
      kind,
      at: service().clock.now() - i * 86400000,
      isAttended: i % 2 === 0,
      isOfAll: kind === 'accounts',
    });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  for (const lang of ['el', 'en'])
    for (const width of [1280, 375]) {
      const context = await browser.newContext({
        viewport: { width, height: 812 },
        ...(process.env.DARK ? { colorScheme: 'dark' as const } : {}),
      });
      const page = await context.newPage();
      const shot = (name: string) =>
        page.screenshot({ path: `${out}/${name}-${lang}-${width}.png`, fullPage: true });
      await page.goto(`${service().url}/dashboard?lang=${lang}`);
      await shot('1login');
      await page.locator('#username').fill('eleni');
      await page.locator('#password').fill('eleni-demo');
      await page.locator('.login-form button').click();
      await shot('2code');
      await page.locator('#code').fill((await page.locator('.demo-code').textContent()) ?? '');
      await page.locator('form.sections button').click();
      await page.locator('.tabs').waitFor();
      await shot('3list');
      await page.goto(`${service().url}/dashboard?state=Valid`);
      await shot('3filter');
      await page.goto(`${service().url}/dashboard/funds`);
      await shot('4funds');
      await page.goto(`${service().url}/dashboard/accesses`);
      await shot('5accesses');
      await page.goto(`${service().url}/dashboard/permissions/${consentId}`);
      await shot('6detail');
      await page.goto(
        `${service().url}/dashboard/permissions/${service().consent('ConfirmationOfFunds').id}`,
      );
      await shot('6detailf');
      await page.goto(`${service().url}/dashboard/permissions/${consentId}/withdraw`);
      await shot('7withdraw');
      await context.close();
    }
  await browser.close();
}, 120000);
