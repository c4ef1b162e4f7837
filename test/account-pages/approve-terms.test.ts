/** The bank's terms for the person who approves: asked before the page, shown, hashed, approved, and sent as they were shown. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { TransferTerms } from '../../src/bank/payments.js';
import { Problem } from '../../src/problem/problem.js';
import { engines } from '../support/engines.js';
import { account, ibanOf, psuId } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';
import {
  addRequest,
  challenges,
  forgetCodes,
  paymentDetails,
  stored,
  titleOf,
  Visitor,
} from './approve-support.js';
import { cents, free, personalBank } from './personal-bank.js';

const [CURRENT, SAVINGS] = [account('eleni', 101).id, account('eleni', 102).id];
describe.each(engines)('terms for the person on %s', (engine) => {
  const core = personalBank();
  const service = useService({ engine, bank: core.bank });
  beforeEach(async () => {
    core.begin();
    await forgetCodes(service());
  });

  const details = { ...paymentDetails, instructedAmount: { currency: 'EUR', amount: 100 } };
  const ask = (accounts = [account('eleni', 101)]) => addRequest(service(), { details, accounts });
  const submit = (id: string) => service().call({ method: 'POST', path: `/pis/psd2/v1/${id}/payment` });
  const open = async (id: string) => {
    const visitor = new Visitor(service());
    return { visitor, page: await visitor.open(id) };
  };
  const notes = (id: string) =>
    withStore(service(), async (db) => {
      const row = await db.one<{ notes: string | null }>(
        'select payment_notes as notes from consents where id = ?',
        [id],
      );
      return JSON.parse(row?.notes ?? 'null') as unknown;
    });

  test('are asked with person, account, payee and language, and are what is stored and sent', async () => {
    core.says(({ psuId: who }) => ({
      ...free,
      charge: cents(who ? 123 : 30),
      ...(who
        ? { payeeCheck: { result: 'match' } as const, executionDate: '2026-11-20', instant: false }
        : {}),
    }));
    const id = await ask();
    const { visitor, page } = await open(id);
    expect(core.asked).toHaveLength(1);
    expect(core.asked[0]).toMatchObject({
      psuId: psuId('eleni'),
      payerAccountId: CURRENT,
      creditorName: details.creditorName,
      language: 'el',
      amountMinor: 10_000,
    });
    for (const text of ['1,23', '101,23', 'Το όνομα ταιριάζει', 'στις 20 Νοεμβρίου 2026'])
      expect(page.text.replace(/\s/g, ' ')).toContain(text);
    expect((await visitor.decide(id, page, { account: CURRENT })).status).toBe(303);
    expect((await stored(service(), id)).details.expenses).toEqual({ currency: 'EUR', amount: 1.23 });
    expect(await notes(id)).toMatchObject({ payeeCheck: { result: 'match' }, executionDate: '2026-11-20' });
    expect((await submit(id)).status).toBe(201);
    await expect.poll(() => core.sent.length).toBe(1);
    expect(core.sent[0]).toMatchObject({ charge: cents(123), payeeCheck: 'match', psuId: psuId('eleni') });
    const record = await service().call({ path: `/pis/psd2/v1/${id}` });
    expect(record.json).toMatchObject({ details: { expenses: { currency: 'EUR', amount: 1.23 } } });
    expect(record.text).not.toContain('payeeCheck');
  });

  test('that the bank refuses are told in its own words, without a code, and only to the person', async () => {
    core.says(({ psuId: who, language }) => ({
      ...free,
      faults: who
        ? { creditAccount: [language === 'el' ? 'Έχετε μπλοκάρει <b>τον</b> δικαιούχο.' : 'Blocked.'] }
        : {},
    }));
    const id = await ask();
    const before = await challenges(service());
    const { visitor, page } = await open(id);
    expect(page.text).toContain('Έχετε μπλοκάρει &lt;b>τον&lt;/b> δικαιούχο.');
    expect(page.text).not.toContain('value="approve"');
    expect(await challenges(service())).toBe(before);
    expect((await visitor.get(`/authorise/${id}?lang=en`)).text).toContain('Blocked.');
    const refused = await visitor.decide(id, page, { decision: 'refuse' });
    expect([refused.status, (await stored(service(), id)).status]).toEqual([303, 'Rejected']);
  });

  test('above the limit of the account that is picked are refused before the code, and another account may pay', async () => {
    core.says(({ payerAccountId }) => ({ ...free, limitMinor: payerAccountId === CURRENT ? 9_999 : 10_000 }));
    const id = await ask([]);
    const { visitor, page } = await open(id);
    const tooMuch = await visitor.decide(id, page, { account: CURRENT });
    expect(tooMuch.status).toBe(400);
    expect(tooMuch.text.replace(/\s/g, ' ')).toContain('Αυτή τη στιγμή μπορείτε να πληρώσετε έως 99,99 €.');
    expect((await stored(service(), id)).status).toBe('Received');
    expect((await visitor.decide(id, tooMuch, { account: SAVINGS })).status).toBe(303);
    expect((await stored(service(), id)).accounts).toEqual([SAVINGS]);
  });

  test('of an account that differ from those shown are shown first, and a code for the others does not approve them', async () => {
    core.says(({ payerAccountId }) => ({ ...free, charge: cents(payerAccountId === SAVINGS ? 500 : 30) }));
    const id = await ask([]);
    const { visitor, page } = await open(id);
    const answer = await visitor.decide(id, page, { account: SAVINGS });
    expect([answer.status, titleOf(answer)]).toEqual([409, 'Το αίτημα άλλαξε']);
    expect((await stored(service(), id)).status).toBe('Received');
    const [, again = ''] = /href="([^"]*\?account=[^"]+)"/.exec(answer.text) ?? [];
    const other = await visitor.get(again);
    expect(other.text.replace(/\s/g, ' ')).toContain('105,00 €');
    // Two tabs: the first one still shows what the other account pays.
    const mixed = await visitor.decide(id, page, { account: SAVINGS, code: '' });
    expect(mixed.status).toBe(409);
    expect((await visitor.decide(id, other, { account: CURRENT })).status).toBe(409);
    expect((await visitor.decide(id, other, { account: SAVINGS })).status).toBe(303);
    expect((await stored(service(), id)).details.expenses).toEqual({ currency: 'EUR', amount: 5 });
  });

  test.each([
    ['the charge', { charge: cents(31) }],
    ['the payee check', { payeeCheck: { result: 'no-match' } as const }],
    ['the day', { executionDate: '2026-11-21' }],
    ['the cut-off', { cutOff: Date.UTC(2026, 10, 20, 14) }],
    ['instant', { instant: true }],
  ])('that change between page and approval are not approved: %s', async (_name, change) => {
    const first: TransferTerms = {
      ...free,
      charge: cents(30),
      payeeCheck: { result: 'match' },
      executionDate: '2026-11-20',
      cutOff: Date.UTC(2026, 10, 20, 13),
      instant: false,
    };
    core.says(() => first);
    const id = await ask();
    const { visitor, page } = await open(id);
    core.says(() => ({ ...first, ...change }));
    expect((await visitor.decide(id, page, { account: CURRENT })).status).toBe(409);
    expect((await stored(service(), id)).status).toBe('Received');
  });

  test.each([
    ['late', () => Promise.reject(new Problem('processing-timeout'))],
    ['wrong', () => ({ ...free, charge: cents(-1) })],
    ['of another currency', () => ({ ...free, charge: cents(1, 'USD') })],
    ['a close match without a name', () => ({ ...free, payeeCheck: { result: 'close' } as const })],
  ])(
    'that are %s at the second question approve nothing, and the request stays open',
    async (_name, answer) => {
      const id = await ask();
      const { visitor, page } = await open(id);
      core.says(answer);
      expect((await visitor.decide(id, page, { account: CURRENT })).status).toBe(503);
      expect((await stored(service(), id)).status).toBe('Received');
      core.says(() => free);
      expect((await visitor.decide(id, page, { account: CURRENT })).status).toBe(303);
    },
  );

  test.each([
    ['close', 'Το όνομα διαφέρει ελαφρώς', 'Μαρία &lt;i>Ε&lt;/i>'],
    ['no-match', 'Το όνομα δεν ταιριάζει με τον λογαριασμό', 'λάθος πρόσωπο'],
    ['unavailable', 'Το όνομα δεν ελέγχθηκε', 'δεν μπόρεσε'],
  ] as const)(
    'warn of a payee check that is %s, and leave the decision to the person',
    async (result, title, text) => {
      const name = result === 'close' ? { name: 'Μαρία <i>Ε</i>' } : {};
      core.says(() => ({ ...free, payeeCheck: { result, ...name } }));
      const id = await ask();
      const { visitor, page } = await open(id);
      expect(page.text).toContain(title);
      expect(page.text).toContain(text);
      expect((await visitor.decide(id, page, { account: CURRENT })).status).toBe(303);
      expect(await notes(id)).toMatchObject({ payeeCheck: { result, ...name } });
    },
  );

  test('at staging name no person; a fault and a limit for everybody are told to the third party in its language', async () => {
    const stage = (amount: number) =>
      service().call({
        method: 'POST',
        path: '/pis/psd2/v1/transfers/domestic',
        headers: { 'Accept-Language': 'el-GR,en;q=0.5' },
        body: {
          creditAccount: { iban: ibanOf('vasilis', 1101) },
          creditorName: 'Βασίλης Αλεξίου',
          instructedAmount: { currency: 'EUR', amount },
        },
      });
    core.says(({ psuId: who, language }) => ({
      ...free,
      limitMinor: 5_000,
      faults: language === 'el' && who === undefined ? { chargeBearer: ['μόνο sha'] } : {},
    }));
    expect((await stage(60)).json).toMatchObject({
      errors: { chargeBearer: ['μόνο sha'], 'instructedAmount.amount': ['must be at most 50.00'] },
    });
    expect(core.asked[0]).toMatchObject({ creditorName: 'Βασίλης Αλεξίου', language: 'el' });
    expect(core.asked[0]?.psuId).toBeUndefined();
  });
});
