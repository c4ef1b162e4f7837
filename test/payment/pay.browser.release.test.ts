/** From staging to ACSC in a real browser: what is staged is what is shown, approved, read back and booked. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { RETURN } from '../../packages/sandbox/src/applications.js';
import { createDemoBank } from '../../packages/sandbox/src/bank/demo-bank.js';
import {
  approve,
  askForCode,
  headingOf,
  logIn,
  typeCode,
  useJourney,
} from '../account-pages/approve-browser.js';
import { hasBrowser } from '../support/browser.js';
import { account, ibanOf, psuId } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import {
  ABROAD,
  consentStatus,
  insideBody,
  orderIn,
  orderPath,
  readOrder,
  stage,
  submit,
} from './support.js';

const staged = (answer: { json: unknown }): string => (answer.json as { consentId: string }).consentId;
const plain = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ');

/** For people who want to look: TEST_SCREENSHOTS names a folder. */
const keep = async (page: Page, name: string): Promise<void> => {
  const folder = process.env.TEST_SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
};

describe.skipIf(!hasBrowser)('a payment in a browser', () => {
  const service = useService();
  const { visit } = useJourney(service);
  /** Approves, and is back at the third party, which has a page in the sandbox. */
  const approveAndLeave = async (page: Page): Promise<void> => {
    await typeCode(page);
    await approve(page);
    await page.waitForURL(`**${RETURN}/demo-finance-app?**`);
  };

  test('goes from staging to ACSC, is read back as it was staged, and lies among the transactions', async () => {
    const body = { ...insideBody, chargeBearer: 'sha' } as const;
    const id = staged(await stage(service(), { body }));
    await visit(id, async (page) => {
      await logIn(page);
      expect(await headingOf(page)).toMatch(/^Έγκριση πληρωμής 10,00\s€$/);
      expect(plain(await page.locator('.payment').textContent())).toContain('Συνολική χρέωση10,30 €');
      await approveAndLeave(page);
    });
    const answer = await submit(service(), id);
    expect([answer.status, orderIn(answer).transactionStatus]).toEqual([201, 'ACSC']);
    expect((await readOrder(service(), id)).transactionStatus).toBe('ACSC');
    const record = await service().call({ path: `/pis/psd2/v1/${id}` });
    expect(record.json).toMatchObject({
      consentStatus: 'Expired',
      details: { ...body, paymentProduct: 'domestic', expenses: { currency: 'EUR', amount: 0.3 } },
    });
    const found = await withStore(service(), (db) =>
      createDemoBank(db, {
        bankTime: async () => service().clock.now(),
        timeZone: 'Europe/Athens',
      }).transactions({
        accountId: account('eleni', 101).id,
        from: '2000-01-01',
        to: '2999-01-01',
        status: 'booked',
        after: null,
        limit: 2,
        context: { psuId: psuId('eleni') },
      }),
    );
    expect(
      found.items.find(
        ({ code, details }) => details.paymentId === orderIn(answer).paymentId && !code?.endsWith('CHRG'),
      ),
    ).toMatchObject({
      status: 'booked',
      amountMinor: -1_000,
      details: { counterpartyName: body.creditorName, remittanceInformation: body.remittanceInformation },
    });
  });

  test.each([
    ['el-GR', 375, 'Πληρώνετε 92,13 € για 100,00 $, με ισοτιμία 1 $ = 0,9213 €.', 'Συνολική χρέωση104,13 €'],
    ['el-GR', 1280, 'Πληρώνετε 92,13 € για 100,00 $, με ισοτιμία 1 $ = 0,9213 €.', 'Συνολική χρέωση104,13 €'],
    ['en-GB', 375, 'You pay €92.13 for US$100.00, at US$1 = €0.9213.', 'Total from your account€104.13'],
    ['en-GB', 1280, 'You pay €92.13 for US$100.00, at US$1 = €0.9213.', 'Total from your account€104.13'],
  ])('shows the exchange before it is approved: %s, %d wide', async (locale, width, exchange, total) => {
    const wanted = {
      product: 'international',
      body: {
        debitAccount: undefined,
        creditAccount: { iban: ABROAD },
        creditorName: 'Buchhandlung Morgenstern',
        instructedAmount: { currency: 'USD', amount: 100 },
      },
    } as const;
    const id = staged(await stage(service(), wanted));
    await visit(
      id,
      async (page) => {
        await logIn(page);
        const shown = plain(await page.locator('.payment').textContent());
        expect(shown).toContain(exchange);
        expect(shown).toContain(total);
        await page.locator('#account-1').check();
        await askForCode(page);
        expect(plain(await page.locator('.phone').textContent())).toMatch(/1(,| \$)?.*0[.,]9213/);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
        await keep(page, `exchange-${locale}-${width}`);
        await approveAndLeave(page);
      },
      { locale, viewport: { width, height: 900 } },
    );
    expect(orderIn(await submit(service(), id)).transactionStatus).toBe('ACSP');
    await visit(
      id,
      async (page) => {
        await logIn(page);
        expect(await headingOf(page)).toMatch(/εκτελείται|being carried out/);
        await keep(page, `submitted-${locale}-${width}`);
      },
      { locale, viewport: { width, height: 900 } },
    );
    expect(await consentStatus(service(), id)).toBe('Valid');
    expect((await service().call({ path: orderPath(id) })).status).toBe(200);
  });

  test('offers an account in each currency that can pay, with what it would pay', async () => {
    const body = {
      debitAccount: { iban: ibanOf('nikos', 201) },
      creditAccount: { iban: ABROAD },
      instructedAmount: { currency: 'USD', amount: 20 },
    };
    const id = staged(await stage(service(), { product: 'international', psu: 'nikos', body }));
    await visit(
      id,
      async (page) => {
        await logIn(page, 'nikos');
        const shown = plain(await page.locator('.payment').textContent());
        expect(shown).toContain('Total from an account in EUR€30.43');
        expect(shown).toContain('Total from an account in USDUS$33.03');
        expect(shown).toContain('Total from an account in GBP£26.36');
        expect(await page.locator('.pick input:enabled').count()).toBe(3);
        await keep(page, 'three-currencies');
      },
      { locale: 'en-GB', viewport: { width: 1280, height: 900 } },
    );
  });
});
