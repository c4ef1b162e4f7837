/** The funds check of a staged payment: amount and charges, in the currency of the account, while it can still be submitted. */
import { describe, expect, it } from 'vitest';
import { done, slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { account, ibanOf } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { ABROAD, approved, bookedOn, decide, stage, submit, type WantedPayment } from './support.js';

describe.each(engines)('the funds of a payment on %s', (engine) => {
  const use = useService({ engine });
  const ask = (id: string, psu?: string) =>
    use().call({ path: `/pis/psd2/v1/${id}/funds-confirmation`, as: psu === undefined ? {} : { psu } });

  // Dimitris has 888.00 EUR and no credit line; a domestic transfer costs 0.30.
  const dimitris = (amount: number): WantedPayment => ({
    psu: 'dimitris',
    body: { debitAccount: { iban: ibanOf('dimitris', 601) }, instructedAmount: { currency: 'EUR', amount } },
  });

  it.each([
    [887.7, true],
    [887.71, false],
  ])('%d EUR with its charges: %s', async (amount, fundsAvailable) => {
    const id = await approved(use(), dimitris(amount));
    expect((await ask(id, 'dimitris')).json).toEqual({ fundsAvailable });
  });

  // At 0.9213 and with 12.00 EUR of charges, 950.82 USD take 887.99 EUR and 950.84 USD take 888.01.
  it.each([
    [950.82, true],
    [950.84, false],
  ])('%d USD from an account in euro, at the quote: %s', async (amount, fundsAvailable) => {
    const body = {
      ...dimitris(1).body,
      creditAccount: { iban: ABROAD },
      instructedAmount: { currency: 'USD', amount },
    };
    const id = await approved(use(), { product: 'international', psu: 'dimitris', body });
    expect((await ask(id, 'dimitris')).json).toEqual({ fundsAvailable });
  });

  it('can be asked any number of times and holds nothing', async () => {
    const { id: accountId } = account('dimitris', 601);
    const before = await bookedOn(use(), accountId);
    const id = await approved(use(), dimitris(800));
    for (let time = 0; time < 3; time += 1)
      expect((await ask(id, 'dimitris')).json).toEqual({ fundsAvailable: true });
    expect(await bookedOn(use(), accountId)).toBe(before);
    expect((await submit(use(), id, { psu: 'dimitris' })).json).toMatchObject({ transactionStatus: 'ACSC' });
  });

  it('cannot be asked before the approval, after a refusal, or once it was submitted', async () => {
    const { consentId } = (await stage(use())).json as { consentId: string };
    expect([(await ask(consentId)).status, slugOf(await ask(consentId))]).toEqual([403, 'consent-not-valid']);
    done(await decide(use(), consentId, 'reject'));
    expect((await ask(consentId)).json).toMatchObject({ extensions: { consent: { status: 'Rejected' } } });
    const id = await approved(use());
    await submit(use(), id);
    expect([(await ask(id)).status, slugOf(await ask(id))]).toEqual([409, 'payment-already-submitted']);
  });
});
