/** Which accounts a payment page offers: in which currencies, who may pay, and how many must sign. */
import { beforeEach, describe, expect, test } from 'vitest';
import { bankWith } from '../bank/banks.js';
import { account } from '../support/operations.js';
import { useService } from '../support/use-service.js';
import { addRequest, forgetCodes, paymentDetails, stored, Visitor } from './approve-support.js';
import { cents, personalBank } from './personal-bank.js';

const [CURRENT, SAVINGS] = [account('eleni', 101).id, account('eleni', 102).id];
const details = { ...paymentDetails, instructedAmount: { currency: 'EUR', amount: 100 } };

describe('the accounts of a payment page', () => {
  const core = personalBank();
  const service = useService({ bank: core.bank });
  beforeEach(async () => {
    core.begin();
    await forgetCodes(service());
  });

  test('are one in each quoted currency, at its own price, which is approved and sent', async () => {
    const quote = (payCurrency: string, payMinor: number, rateMicros: number) => ({
      ...cents(10_000, 'USD'),
      payCurrency,
      payMinor,
      rateMicros,
      chargeMinor: 1_300,
    });
    core.says(() => ({
      faults: {},
      charge: cents(1_200),
      quote: quote('EUR', 9_213, 921_300),
      otherPrices: [{ charge: cents(1_040, 'GBP'), quote: quote('GBP', 7_982, 798_200) }],
    }));
    const dollars = {
      ...details,
      paymentProduct: 'international',
      instructedAmount: { currency: 'USD', amount: 100 },
      expenses: undefined,
    };
    const id = await addRequest(service(), { psu: 'nikos', details: dollars });
    const visitor = new Visitor(service());
    const page = await visitor.open(id, 'nikos');
    const shown = page.text.replace(/\s/g, ' ');
    for (const text of ['79,82 £', '90,22 £', '92,13 €', '104,13 €', '113,00 $'])
      expect(shown).toContain(text);
    const pounds = account('nikos', 201, 'GBP').id;
    expect((await visitor.decide(id, page, { account: pounds })).status).toBe(303);
    expect((await stored(service(), id)).details.expenses).toEqual({ currency: 'GBP', amount: 10.4 });
    const as = { psu: 'nikos' };
    const answer = await service().call({ method: 'POST', path: `/pis/psd2/v1/${id}/payment`, as });
    expect(answer.status).toBe(201);
    await expect.poll(() => core.sent.length).toBe(1);
    expect(core.sent[0]).toMatchObject({
      payer: { id: pounds },
      charge: cents(1_040, 'GBP'),
      quote: { payCurrency: 'GBP', payMinor: 7_982 },
    });
  });

  test('leave out those from which the person may not pay, and tell how many others must sign', async () => {
    core.lists(async (id) =>
      (await bankWith({}).accountsOf(id)).map((each) =>
        each.id === CURRENT ? { ...each, mayPay: false } : { ...each, signaturesNeeded: 3 },
      ),
    );
    const id = await addRequest(service(), { details });
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    expect(page.text).toContain('Δεν έχετε δικαίωμα να πληρώνετε από αυτόν τον λογαριασμό.');
    expect(page.text).toContain('πρέπει να υπογράψουν ακόμη 2 πρόσωπα');
    expect((await visitor.decide(id, page, { account: CURRENT })).status).toBe(400);
    expect((await visitor.decide(id, page, { account: SAVINGS })).status).toBe(303);
    const named = await addRequest(service(), { details, accounts: [account('eleni', 101)] });
    expect((await visitor.get(`/authorise/${named}`)).text).not.toContain('value="approve"');
  });

  test('are approved with the signatures that were shown: fewer or more are shown first', async () => {
    const needs = (signaturesNeeded: number) =>
      core.lists(async (id) =>
        (await bankWith({}).accountsOf(id)).map((each) => ({ ...each, signaturesNeeded })),
      );
    needs(2);
    const id = await addRequest(service(), { details });
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    needs(1);
    expect((await visitor.decide(id, page, { account: SAVINGS })).status).toBe(409);
    expect((await stored(service(), id)).status).toBe('Received');
    const again = await visitor.get(`/authorise/${id}`);
    expect((await visitor.decide(id, again, { account: SAVINGS })).status).toBe(303);
  });
});
