/** The approval journey in a real browser: logins, decisions, and everything people do twice, late or backwards. */
import { describe, expect, test } from 'vitest';
import { DAY, MINUTE } from '../../src/lib/clock.js';
import { dateAt, endOfDay } from '../../src/lib/day.js';
import { hasBrowser } from '../support/browser.js';
import { account, moveBankClock, resetSandbox } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { approve, headingOf, logIn, refuse, typeCode, useJourney, ZONE } from './approve-browser.js';
import { changeDetails, paymentDetails, stored } from './approve-support.js';

describe.skipIf(!hasBrowser)('approval in a browser', () => {
  const service = useService();
  const { addresses, ask, askForFunds, visit } = useJourney(service);

  test('a wrong login is told, a right one shows the request', async () => {
    await visit(await ask(), async (page) => {
      await logIn(page, 'eleni', 'not this');
      expect(await page.locator('[role=alert] a').getAttribute('href')).toBe('#username');
      await logIn(page);
      expect(await headingOf(page)).toMatch(/^Έγκριση πληρωμής 1\.120,50\s€$/);
      expect(await page.locator('.who').textContent()).toContain('PSDGR-BOG-DEMO0001');
    });
  });

  test('after five wrong logins even the right password is refused, in the same words as under a name that nobody has, which say for how long', async () => {
    const id = await ask({ psu: 'kostas' });
    const texts = new Set<string>();
    for (const username of ['kostas', 'nobody']) {
      await visit(id, async (page) => {
        for (let attempt = 0; attempt < 5; attempt += 1) {
          await logIn(page, username, 'not this');
          texts.add((await page.locator('[role=alert]').textContent()) ?? '');
        }
        await logIn(page, username);
        expect(await headingOf(page)).toBe('Πάρα πολλές προσπάθειες');
        expect(await page.locator('.outcome .lead').textContent()).toMatch(/Δοκιμάστε ξανά σε \d+ λεπτά\./);
      });
    }
    expect(texts.size).toBe(1);
    service().clock.advance(15 * MINUTE);
    await visit(id, async (page) => {
      await logIn(page, 'kostas');
      expect(await page.locator('.who').textContent()).toContain('PSDGR-BOG-DEMO0001');
    });
  });

  test('a funds consent is approved until the day its account holder has chosen', async () => {
    const id = await askForFunds();
    const day = dateAt(service().clock.now() + 40 * DAY, ZONE);
    await visit(id, async (page) => {
      await logIn(page);
      await page.locator('#date').fill(day);
      await typeCode(page);
      await approve(page);
      await page.waitForURL(`${addresses.redirectUri}?consentId=${id}&state=*`);
    });
    expect(await stored(service(), id)).toMatchObject({ status: 'Valid', expiresAt: endOfDay(day, ZONE) });
  });

  test('a refusal goes to the address for refusals, and the back button explains what became of it', async () => {
    const id = await ask();
    await visit(id, async (page) => {
      await logIn(page);
      await refuse(page);
      await page.waitForURL(`${addresses.nokRedirectUri}&consentId=${id}&state=*`);
      await page.goBack();
      expect(await headingOf(page)).toBe('Η πληρωμή απορρίφθηκε');
      expect(await page.locator('.outcome a.button').getAttribute('href')).toContain(
        addresses.nokRedirectUri,
      );
    });
  });

  test('a payment that has changed since it was shown is not approved', async () => {
    const id = await ask();
    await visit(id, async (page) => {
      await logIn(page);
      await page.locator('#account').check();
      await typeCode(page);
      await changeDetails(service(), id, { ...paymentDetails, creditorName: 'Άλλος' });
      await approve(page);
      expect(await headingOf(page)).toBe('Το αίτημα άλλαξε');
      await page.locator('.outcome a.button').click();
      expect(await page.locator('.payment').textContent()).toContain('Άλλος');
    });
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test('a double click approves once', async () => {
    const id = await ask({ accounts: [account('eleni', 101)] });
    await visit(id, async (page) => {
      await logIn(page);
      await typeCode(page);
      await page.locator('button[value=approve]').dblclick();
      const isOver = async () =>
        page.url().startsWith(addresses.redirectUri) || (await page.locator('.outcome').count()) > 0;
      await expect.poll(isOver).toBe(true);
    });
    await expect.poll(async () => (await stored(service(), id)).steps).toEqual(['Received', 'Valid']);
  });

  test('another account holder sees no request, and can log in as the right one', async () => {
    await visit(await ask(), async (page) => {
      await logIn(page, 'nikos');
      expect(await headingOf(page)).toBe('Δεν υπάρχει τέτοιο αίτημα');
      await page.locator('.outcome button').click();
      await logIn(page);
      expect(await headingOf(page)).toMatch(/^Έγκριση πληρωμής 1\.120,50\s€$/);
    });
  });

  test('a link that is older than a day says so', async () => {
    const id = await ask();
    await moveBankClock(service(), 'PT24H');
    await visit(id, async (page) => {
      await logIn(page);
      expect(await headingOf(page)).toBe('Η προθεσμία του αιτήματος έληξε');
    });
    await resetSandbox(service());
  });
});
