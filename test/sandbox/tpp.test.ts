/** The demo third party over HTTP: each flow, in each way, from the first press of a button to the refusal after a withdrawal. */
import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/lib/clock.js';
import { engines } from '../support/engines.js';
import { ibanOf, resetSandbox } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { htmlFaults } from '../web/html.js';
import { START, Walker } from './walk-support.js';

const funds = { iban: ibanOf('eleni', 101), card: 'Demo Card' };
const access = { permissions: 'AccountsBasic' };
const transfer = {
  creditor: 'Βασίλης Αλεξίου',
  creditIban: ibanOf('vasilis', 1101),
  transfer: '12.50',
  reference: 'INV-1',
};
const question = { iban: funds.iban, amount: '10', payee: 'Kiosk' };

/** The buttons that are the thing to do; there should be one. */
const primaryIn = ({ page }: Walker): string[] =>
  [...(page?.text ?? '').matchAll(/<button[^>]* class="button(?: big)?"[^>]*>([^<]+)</g)].map(
    ([, name = '']) => name,
  );

describe.each(engines)('with %s', (engine) => {
  const use = useService({ engine });

  it.each(['one', 'two'] as const)(
    'a card issuer asks, in %s, and is refused after the withdrawal',
    async (way) => {
      const walker = new Walker(use());
      await (way === 'one' ? walker.approveInOne('funds', funds) : walker.approveInTwo('funds', funds));
      expect(walker.text).toContain('Permission granted');
      expect(primaryIn(walker)).toEqual(['Check the funds']);
      await walker.press('confirm', question);
      expect(primaryIn(walker)).toEqual(['Withdraw as the account holder']);
      expect(walker.text).toContain('"fundsAvailable": true');
      await walker.press('confirm', { ...question, amount: '999999' });
      expect(walker.text).toContain('"fundsAvailable": false');

      await walker.press('withdraw');
      await walker.press('confirm', question);
      expect(walker.text).toContain('403 Forbidden');
      expect(walker.page?.text).toContain('href="/problems/consent-not-valid"');
      expect(walker.text).toContain('The permission has ended');

      await use().app.runJobs();
      const told = await walker.look();
      expect(told).toContain('Status change: RevokedByPsu');
      expect(told.split('Signature verified').length - 1).toBeGreaterThanOrEqual(2);
      expect(told).not.toContain('Not verified');
      expect(htmlFaults(walker.page?.text ?? '')).toEqual([]);
      expect(Buffer.byteLength(walker.page?.text ?? '')).toBeLessThan(100_000);
    },
  );

  it.each(['one', 'two'] as const)(
    'an account information service follows its consent, in %s',
    async (way) => {
      const walker = new Walker(use());
      await (way === 'one'
        ? walker.approveInOne('accounts', access)
        : walker.approveInTwo('accounts', access));
      expect(walker.text).toContain('Consent: Valid');
      await walker.press('status');
      expect(walker.text).toContain('"status": "Valid"');
      await walker.press('end');
      expect(walker.text).toContain('Consent: TerminatedByTpp');
    },
  );

  it.each(['one', 'two'] as const)(
    'a payment initiator submits what was approved and follows it, in %s',
    async (way) => {
      const walker = new Walker(use());
      await (way === 'one'
        ? walker.approveInOne('payment', transfer)
        : walker.approveInTwo('payment', transfer));
      await walker.press('record');
      expect(walker.text).toContain('"consentStatus": "Valid"');
      expect(walker.text).toContain('"creditorName": "Βασίλης Αλεξίου"');

      expect(primaryIn(walker)).toEqual(['Submit the order']);
      expect(walker.text).toContain('One approval pays once');
      await walker.press('submit');
      expect(primaryIn(walker)).toEqual(['Follow the order']);
      expect(walker.text).not.toContain('Withdraw as the account holder');
      use().clock.advance(MINUTE);
      await use().app.runJobs();
      await walker.press('order');
      expect(walker.text).toContain('"transactionStatus": "ACSC"');
      expect(walker.text).toContain('The order is complete');
      expect(primaryIn(walker)).toEqual(['Begin again']);
    },
  );

  it.each(['one', 'two'] as const)('a refusal at the bank is understood, in %s', async (way) => {
    const walker = new Walker(use());
    await walker.begin('payment', way);
    await walker.press('push', transfer);
    await walker.press('bank');
    await walker.logIn();
    if (way === 'two') {
      await walker.press('create', transfer);
      await walker.press('bank');
    }
    await walker.decide('refuse');
    expect(walker.text).toContain('The account holder did not agree');
    expect(walker.text).toContain(way === 'one' ? 'access_denied' : 'The consent is Rejected');
  });

  it('a walk is over after a reset, and the next one works', async () => {
    const walker = new Walker(use());
    await walker.begin('funds', 'two');
    await resetSandbox(use());
    expect(await walker.look()).toContain('This flow has ended');
    await walker.approveInTwo('funds', funds);
    expect(walker.text).toContain('Permission granted');
  });

  it('a walk is over when nobody has gone on for two hours, and is swept', async () => {
    const walker = new Walker(use());
    await walker.begin('funds', 'two');
    use().clock.advance(2 * 60 * 60 * 1000 + 1);
    expect(await walker.look()).toContain('This flow has ended');
    await use().app.runJobs();
    expect((await walker.browser.request(START)).text).not.toContain('Begun in this browser');
  });
});
