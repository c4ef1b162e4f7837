/**
 * The console as an operator uses it, in both languages, on a phone and a desktop, with and without a script: search, a third party
 * suspended and let in again, a consent ended. `npm test` walks two of eight, `npm run prove -- pages` all.
 */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../src/lib/clock.js';
import { shoot } from '../account-pages/approve-browser.js';
import { areAllPagesWanted, hasBrowser, oneIn, useBrowser } from '../support/browser.js';
import { useService } from '../support/use-service.js';

/** Of which one in seven is the first and the last. */
const cells = (['el', 'en'] as const).flatMap((lang) =>
  ([375, 1280] as const).flatMap((width) => [true, false].map((hasScript) => ({ lang, width, hasScript }))),
);
type Cell = (typeof cells)[number];

const sections = [
  '',
  '/parties',
  '/calls',
  '/payments',
  '/events',
  '/atms',
  '/statistics',
  '/announcements',
  '/settings',
  '/audit',
] as const;
const REASON = 'asked by phone';

describe.skipIf(!hasBrowser)('the operator console', () => {
  const service = useService();
  const browser = useBrowser();
  const used = new Set<string>();

  /** The newest row of the audit log. */
  const row = async () => (await service().app.admin.audit({}, 1))[0];
  const nextConsent = (): string => {
    const open = service().credentials.consents.find(
      ({ id, status, type }) => status === 'Valid' && type !== 'PaymentInitiation' && !used.has(id),
    );
    if (!open) throw new Error('no consent is left');
    used.add(open.id);
    return open.id;
  };

  const check = async (page: Page, { lang, width, hasScript }: Cell, name: string): Promise<void> => {
    await shoot(page, `console-${name}-${lang}-${width}`);
    // Axe is a script, and a slow one.
    const isJudged = hasScript && (areAllPagesWanted || !name.startsWith('section'));
    const { violations } = isJudged ? await new AxeBuilder({ page }).analyze() : { violations: [] };
    expect(violations.map(({ id, nodes }) => `${name} ${id}: ${nodes[0]?.html}`)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBe(width);
    const small = await page.evaluate<string[]>(
      `[...document.querySelectorAll('button, nav a, .button, .field input, .field select')]
      .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.9).map((each) => each.outerHTML)`,
    );
    expect(small).toEqual([]);
  };

  const logIn = async (page: Page): Promise<void> => {
    const [name = '', passphrase = '', code = ''] = await page.locator('.callout code').allTextContents();
    await page.locator('#name').fill(name);
    await page.locator('#passphrase').fill(passphrase);
    await page.locator('#code').fill(code);
    await page.locator('main form button').click();
    await page.locator('nav.tabs').waitFor();
  };

  /** Without a reason nothing happens; with one the page says what was done. */
  const act = async (page: Page, id: string): Promise<void> => {
    const before = await row();
    const button = page.locator(`section[aria-labelledby=${id}] button`);
    await button.click();
    await page.locator('.error-summary').waitFor();
    expect((await row())?.position).toBe(before?.position);
    await page.locator(`#${id}-reason`).fill(REASON);
    await button.click();
    await page.locator('.callout.good').waitFor();
  };

  /** What was typed is still there if the reason was forgotten. */
  const announceAll = async (page: Page, base: string, cell: Cell): Promise<void> => {
    const write = async (section: string): Promise<void> => {
      for (const field of ['textEl', 'textEn'])
        await page.locator(`#${section}-${field}`).fill(`${section} ${cell.lang}`);
    };
    await page.goto(`${base}/announcements`);
    for (const [index, field] of ['from', 'to'].entries()) {
      const moment = new Date(service().clock.now() + (index + 2) * DAY).toISOString().slice(0, 16);
      await page.locator(`#announce-${field}`).fill(moment);
    }
    await write('announce');
    await act(page, 'announce');
    expect(await row()).toMatchObject({ act: 'downtime.announce', actor: 'operator:demo', reason: REASON });
    await write('open');
    await act(page, 'open');
    await check(page, cell, 'announced');
    const [incident] = await service().app.admin.incidents();
    for (const name of ['update', 'close']) {
      await write(`${name}-${incident?.id}`);
      await act(page, `${name}-${incident?.id}`);
      expect(await row()).toMatchObject({ act: `incident.${name}`, subject: `incident:${incident?.id}` });
    }
    const [planned] = (await service().app.admin.plannedDowntimes()).filter((each) => !each.cancelledAt);
    await act(page, `cancel-${planned?.id}`);
    expect(await row()).toMatchObject({ act: 'downtime.cancel', subject: `downtime:${planned?.id}` });
    await check(page, cell, 'cancelled');
  };

  test.each(oneIn(7, cells))('in $lang at $width px, script: $hasScript', async (cell) => {
    const { lang, width, hasScript } = cell;
    // A code opens one session.
    service().clock.advance(MINUTE);
    const base = `${service().app.consoleUrl}/operator`;
    const viewport = { width, height: 800 };
    const context = await browser().newContext({ locale: lang, viewport, javaScriptEnabled: hasScript });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(service().app.consoleUrl)) complaints.push(request.url());
    });
    await page.goto(base);
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    await check(page, cell, 'login');
    await logIn(page);
    for (const section of sections) {
      await page.goto(`${base}${section}`);
      await check(page, cell, `section${section.replace('/', '-')}`);
    }

    const [party] = await service().app.admin.tpps();
    await page.goto(base);
    await page.locator('#q').fill(party?.name ?? '');
    await page.locator('#q').press('Enter');
    await check(page, cell, 'found');
    await page.getByRole('link', { name: party?.name ?? '' }).click();
    await check(page, cell, 'party');
    await act(page, 'suspend');
    expect(await row()).toMatchObject({ act: 'tpp.suspend', actor: 'operator:demo', reason: REASON });
    await check(page, cell, 'suspended');
    await act(page, 'resume');
    expect(await row()).toMatchObject({ act: 'tpp.resume', actor: 'operator:demo', reason: REASON });

    await announceAll(page, base, cell);
    const consentId = nextConsent();
    await page.goto(`${base}?q=${consentId}`);
    await page.locator('.records a').click();
    await act(page, 'opening');
    await check(page, cell, 'consent');
    await act(page, 'end');
    expect(await row()).toMatchObject({
      act: 'consent.end',
      subject: `consent:${consentId}`,
      reason: REASON,
    });
    await check(page, cell, 'ended');
    await page.locator('.summary a[href*="/people/"]').click();
    await check(page, cell, 'person');
    await page.locator('.visitor button').click();
    await page.locator('#passphrase').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });
});
