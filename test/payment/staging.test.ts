/** What is refused before anybody is asked, what is quoted, and what the record says of it. */
import { describe, expect, it } from 'vitest';
import { slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { ibanOf } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import { ABROAD, decide, insideBody, stage } from './support.js';

const abroad = { debitAccount: undefined, creditAccount: { iban: ABROAD } };
const multi = ibanOf('nikos', 201);

describe.each(engines)('staging on %s', (engine) => {
  const use = useService({ engine });

  it.each([
    [
      'the same account on both sides',
      'domestic',
      { creditAccount: insideBody.debitAccount },
      'creditAccount',
    ],
    [
      'the same account, written differently',
      'domestic',
      { creditAccount: { iban: ibanOf('eleni', 101).toLowerCase(), currency: 'EUR' } },
      'creditAccount',
    ],
    [
      'a domestic transfer in dollars',
      'domestic',
      { instructedAmount: { currency: 'USD', amount: 1 } },
      'instructedAmount.currency',
    ],
    [
      'a currency that the bank does not pay in',
      'international',
      { ...abroad, instructedAmount: { currency: 'THB', amount: 100 } },
      'instructedAmount.currency',
    ],
    [
      'a domestic transfer to an account outside the SEPA area',
      'domestic',
      { creditAccount: { iban: 'TR330006100519786457841326' } },
      'creditAccount.iban',
    ],
    [
      'an international transfer in euro to an account in the SEPA area',
      'international',
      { creditAccount: { iban: 'DE89370400440532013000' } },
      'creditAccount.iban',
    ],
    [
      'an amount that the charges of the payee would eat up',
      'international',
      { ...abroad, chargeBearer: 'ben', instructedAmount: { currency: 'EUR', amount: 12 } },
      'instructedAmount.amount',
    ],
    [
      'a payer who bears the charges of both sides at home',
      'domestic',
      { chargeBearer: 'our' },
      'chargeBearer',
    ],
    [
      'a payee who bears them in another country of the SEPA area',
      'domestic',
      { chargeBearer: 'ben', creditAccount: { iban: 'DE89370400440532013000' } },
      'chargeBearer',
    ],
    [
      'an amount above any transfer',
      'international',
      { ...abroad, instructedAmount: { currency: 'EUR', amount: 1e9 } },
      'instructedAmount.amount',
    ],
  ] as const)('refuses %s, and names the member', async (_what, product, body, member) => {
    const answer = await stage(use(), { product, body });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'validation-failed']);
    expect(Object.keys((answer.json as { errors: object }).errors)).toEqual([member]);
  });

  it.each([
    ['domestic', { instructedAmount: { currency: 'USD', amount: 1 } }, 'international'],
    ['domestic', { creditAccount: { iban: ABROAD } }, 'international'],
    ['international', {}, 'domestic'],
  ] as const)('says which product is right instead of %s for %j', async (product, body, right) => {
    const answer = await stage(use(), { product, body });
    expect(answer.status).toBe(400);
    const [[sentence = ''] = []] = Object.values(
      (answer.json as { errors: Record<string, string[]> }).errors,
    );
    const path = /POST (\/pis\/psd2\/v1\/transfers\/\w+)$/.exec(sentence)?.[1] ?? '';
    expect(path).toBe(`/pis/psd2/v1/transfers/${right}`);
    const again = await use().call({ method: 'POST', path, body: { ...insideBody, ...body } });
    expect(again.status, again.text).toBe(201);
  });

  it('says who bears the charges of a transfer inside the SEPA area, and why', async () => {
    for (const product of ['domestic', 'international'] as const)
      for (const chargeBearer of ['our', 'ben']) {
        const { json } = await stage(use(), { product, body: { chargeBearer } });
        expect(json).toMatchObject({
          errors: { chargeBearer: [expect.stringContaining('(PSD2 Art. 62(2))')] },
          extensions: { errors: { chargeBearer: [{ code: 'not-allowed', allowed: ['sha'] }] } },
        });
      }
    for (const chargeBearer of ['sha', 'our', 'ben']) {
      const body = { ...abroad, chargeBearer, instructedAmount: { currency: 'EUR', amount: 20 } };
      expect((await stage(use(), { product: 'international', body })).status).toBe(201);
    }
  });

  it('takes another currency of one number for another account', async () => {
    const body = {
      debitAccount: { iban: multi, currency: 'EUR' },
      creditAccount: { iban: multi, currency: 'USD' },
      instructedAmount: { currency: 'USD', amount: 1 },
    };
    expect((await stage(use(), { product: 'international', psu: 'nikos', body })).status).toBe(201);
  });

  it('quotes a foreign amount, keeps the quote with the consent and out of the record', async () => {
    const body = { ...abroad, instructedAmount: { currency: 'USD', amount: 100 } };
    const answer = await stage(use(), { product: 'international', body });
    const { consentId } = answer.json as { consentId: string };
    const row = await withStore(use(), (db) =>
      db.one<{ quote: string }>('select quote from consents where id = ?', [consentId]),
    );
    expect(JSON.parse(row?.quote ?? '')).toEqual({
      currency: 'USD',
      amountMinor: 10_000,
      payCurrency: 'EUR',
      payMinor: 9_213,
      rateMicros: 921_300,
      chargeMinor: 1_303,
    });
    const record = await use().call({ path: `/pis/psd2/v1/${consentId}` });
    expect(record.json).toMatchObject({
      details: {
        instructedAmount: { currency: 'USD', amount: 100 },
        expenses: { currency: 'EUR', amount: 12 },
      },
    });
    expect(record.text).not.toMatch(/quote|rate|9213/);
  });

  it('lets nobody approve with an account that cannot pay', async () => {
    const toSavings = { debitAccount: undefined, creditAccount: { iban: ibanOf('eleni', 102) } };
    const { consentId } = (await stage(use(), { body: toSavings })).json as { consentId: string };
    // The payee's own account, an account of somebody else, and one that is closed.
    expect(slugOf(await decide(use(), consentId, 'approve', [ibanOf('eleni', 102)]))).toBe('state-conflict');
    expect(slugOf(await decide(use(), consentId, 'approve', [ibanOf('nikos', 202)]))).toBe(
      'validation-failed',
    );
    const yen = await stage(use(), { psu: 'maria', body: { debitAccount: { iban: ibanOf('maria', 301) } } });
    const { consentId: inYen } = yen.json as { consentId: string };
    expect(slugOf(await decide(use(), inYen, 'approve'))).toBe('state-conflict');
  });

  it('picks the currency of the payment where the account holder has it', async () => {
    const body = { ...abroad, instructedAmount: { currency: 'USD', amount: 5 } };
    const staged = await stage(use(), { product: 'international', psu: 'nikos', body });
    const { consentId } = staged.json as { consentId: string };
    expect((await decide(use(), consentId, 'approve')).status).toBe(200);
    const record = await use().call({ path: `/pis/psd2/v1/${consentId}`, as: { psu: 'nikos' } });
    expect(record.json).toMatchObject({ details: { debitAccount: { iban: multi, currency: 'USD' } } });
  });
});
