/** Operation 1: how a question finds its account, by each kind of reference and by several at once. */
import { describe, expect, it } from 'vitest';
import { type Answer, slugOf } from '../support/client.js';
import { addFundsConsent } from '../support/consents.js';
import { engines } from '../support/engines.js';
import {
  account,
  BUDGET,
  FUNDS,
  type FundsBody,
  fundsBody,
  ibanOf,
  unknownIban,
} from '../support/operations.js';
import type { Service } from '../support/service.js';
import { type Use, useService } from '../support/use-service.js';

type As = { psu?: string; application?: string };

const ask = (service: Service, body: Partial<FundsBody>, as: As = { psu: 'eleni' }): Promise<Answer> =>
  service.call({ method: 'POST', path: FUNDS, body: fundsBody(body), as });

const yes = { fundsAvailable: true };
const no = { fundsAvailable: false };
const iban = ibanOf('eleni', 101);
const card = account('eleni', 101).cardNumber ?? '';
const bban = account('sofia', 701).bban ?? '';
const euros = (amount: number) => ({ instructedAmount: { currency: 'EUR', amount } });
const spaced = (text: string): string => text.replace(/(.{4})/g, '$1 ').trim();

const spellings = (service: Use): void => {
  it.each([
    ['an IBAN', { iban }],
    ['an IBAN in groups of four', { iban: spaced(iban) }],
    ['an IBAN in lower case', { iban: iban.toLowerCase() }],
    ['an IBAN in lower case groups', { iban: spaced(iban.toLowerCase()) }],
    ['a phone number', { msisdn: '+306900000101' }],
    ['a phone number with 00', { msisdn: '00306900000101' }],
    ['a phone number without plus', { msisdn: '306900000101' }],
    ['a phone number with blanks', { msisdn: '+30 690 000 0101' }],
    ['a phone number with hyphens and brackets', { msisdn: '(+30) 690-000-0101' }],
    ['IBAN and phone number together', { iban, msisdn: '+306900000101' }],
    ['nulls beside the IBAN', { iban, bban: null, msisdn: null, currency: null }],
  ])('finds the account by %s', async (_what, reference) => {
    expect((await ask(service(), { account: reference, ...euros(2330.25) })).json).toEqual(yes);
    expect((await ask(service(), { account: reference, ...euros(2330.26) })).json).toEqual(no);
  });

  it.each([bban, spaced(bban), bban.replace(/(.{7})/, '$1-')])(
    'finds an account without IBAN by its BBAN written %s',
    async (written) => {
      const as = { psu: 'sofia' };
      expect((await ask(service(), { account: { bban: written }, ...euros(543.21) }, as)).json).toEqual(yes);
      expect((await ask(service(), { account: { bban: written }, ...euros(543.22) }, as)).json).toEqual(no);
    },
  );

  it('finds the account of another phone number for its own holder only', async () => {
    const question = { account: { msisdn: '+306900000801' }, ...euros(731.19) };
    expect((await ask(service(), question, { psu: 'kostas' })).json).toEqual(yes);
    expect(slugOf(await ask(service(), question))).toBe('consent-required');
  });
};

const cards = (service: Use): void => {
  it.each([card, spaced(card), card.replace(/(.{8})/, '$1-')])(
    'finds the account by the card number %s beside an empty account',
    async (cardNumber) => {
      expect((await ask(service(), { account: {}, cardNumber, ...euros(2330.25) })).json).toEqual(yes);
      expect((await ask(service(), { account: {}, cardNumber, ...euros(2330.26) })).json).toEqual(no);
    },
  );

  it('takes card and account of the same account together', async () => {
    for (const reference of [{ iban }, { msisdn: '+306900000101' }, { iban, currency: 'EUR' }])
      expect((await ask(service(), { account: reference, cardNumber: card })).json).toEqual(yes);
  });

  it('takes a null card number for none', async () => {
    expect((await ask(service(), { cardNumber: null })).json).toEqual(yes);
  });

  it('needs a card number where the account is empty', async () => {
    for (const reference of [{}, { currency: 'EUR' }, { iban: null, bban: null, msisdn: null }]) {
      for (const more of [{}, { cardNumber: null }]) {
        const answer = await ask(service(), { account: reference, ...more });
        expect([answer.status, slugOf(answer)]).toEqual([400, 'validation-failed']);
        expect(answer.json).toMatchObject({ errors: { account: [expect.stringContaining('cardNumber')] } });
      }
    }
  });

  it('finds a card of this application only', async () => {
    const kostas = account('kostas', 801).cardNumber;
    const answer = await ask(
      service(),
      { account: {}, cardNumber: kostas },
      { psu: 'kostas', application: BUDGET },
    );
    expect([answer.status, slugOf(answer)]).toEqual([403, 'consent-required']);
  });
};

const conflicts = (service: Use): void => {
  it.each([
    ['card and IBAN', 'eleni', { account: { iban: ibanOf('eleni', 102) }, cardNumber: card }],
    ['phone number and IBAN', 'eleni', { account: { iban: ibanOf('eleni', 102), msisdn: '+306900000101' } }],
    [
      'card and the IBAN of a rejected consent',
      'nikos',
      { account: { iban: ibanOf('nikos', 202) }, cardNumber: account('nikos', 201).cardNumber },
    ],
  ])('tells that %s of the caller name different accounts', async (_what, psu, question) => {
    const answer = await ask(service(), question, { psu });
    expect([answer.status, slugOf(answer)]).toEqual([409, 'reference-conflict']);
  });

  it.each([
    ['an unknown IBAN', { account: { iban: unknownIban }, cardNumber: card }],
    ["another holder's IBAN", { account: { iban: ibanOf('nikos', 201) }, cardNumber: card }],
    ["another holder's card", { cardNumber: account('kostas', 801).cardNumber }],
    ['an unknown card', { cardNumber: '4111111111111111' }],
    ["another holder's phone number", { account: { iban, msisdn: '+306900000801' } }],
    ["another holder's BBAN", { account: { iban, bban } }],
  ])('never tells a conflict with %s', async (_what, question) => {
    const answer = await ask(service(), question);
    expect([answer.status, slugOf(answer)]).toEqual([403, 'consent-required']);
  });
};

const nikos = { psu: 'nikos' };
const multi = ibanOf('nikos', 201);
const inCurrency = (picked: string | null | undefined, currency: string | null, amount: number) => ({
  account: { iban: multi, ...(picked === undefined ? {} : { currency: picked }) },
  instructedAmount: { currency, amount },
});

const subAccounts = (service: Use): void => {
  it.each([
    ['account.currency', 'USD', 'USD', 1500, 1500.01],
    ['account.currency, beside a null currency', 'USD', null, 1500, 1500.01],
    ['instructedAmount.currency', undefined, 'GBP', 40.2, 40.21],
    ['instructedAmount.currency, beside a null one', null, 'EUR', 984.1, 984.11],
  ] as const)('are picked by %s', async (_what, picked, currency, all, more) => {
    expect((await ask(service(), inCurrency(picked, currency, all), nikos)).json).toEqual(yes);
    expect((await ask(service(), inCurrency(picked, currency, more), nikos)).json).toEqual(no);
  });

  it('are picked beside a card too', async () => {
    const { cardNumber } = account('nikos', 201);
    const question = { account: {}, cardNumber, instructedAmount: { currency: 'GBP', amount: 40.21 } };
    expect((await ask(service(), question, nikos)).json).toEqual(no);
  });

  it('need a currency where there are several', async () => {
    const { cardNumber } = account('nikos', 201);
    for (const question of [
      inCurrency(undefined, null, 1),
      { ...inCurrency(null, null, 1), account: {}, cardNumber },
    ]) {
      const answer = await ask(service(), question, nikos);
      expect([answer.status, slugOf(answer)]).toEqual([400, 'validation-failed']);
      expect(answer.json).toMatchObject({ errors: { 'instructedAmount.currency': [expect.any(String)] } });
    }
  });

  it.each([
    ['no such sub-account', inCurrency('CHF', 'CHF', 1), 403, 'consent-required'],
    ['another currency than the picked one', inCurrency('USD', 'EUR', 1), 400, 'currency-mismatch'],
    ['a currency without sub-account', inCurrency(undefined, 'CHF', 1), 400, 'currency-mismatch'],
  ] as const)('refuse %s', async (_what, question, status, slug) => {
    const answer = await ask(service(), question, nikos);
    expect([answer.status, slugOf(answer)]).toEqual([status, slug]);
  });
};

const narrowConsent = (service: Use): void => {
  const budget = { psu: 'nikos', application: BUDGET };

  it('covers no other sub-account than the one it names', async () => {
    await addFundsConsent(service(), {
      psu: 'nikos',
      application: BUDGET,
      status: 'Valid',
      accounts: [account('nikos', 201, 'USD')],
    });
    expect((await ask(service(), inCurrency('USD', 'USD', 1500), budget)).json).toEqual(yes);
    expect((await ask(service(), inCurrency(undefined, null, 1500.01), budget)).json).toEqual(no);
    const named = await ask(service(), inCurrency('EUR', 'EUR', 1), budget);
    expect([named.status, slugOf(named)]).toEqual([403, 'consent-required']);
  });

  it('answers a foreign currency like an account that has no such sub-account', async () => {
    const bodies = await Promise.all(
      ['EUR', 'CHF'].map((currency) => ask(service(), inCurrency(undefined, currency, 1), budget)),
    );
    expect(bodies.map(slugOf)).toEqual(['currency-mismatch', 'currency-mismatch']);
  });
};

describe.each(engines)('the account of a funds question on %s', (engine) => {
  const service = useService({ engine });
  describe('200 OK: spellings', () => spellings(service));
  describe('200 OK: cards', () => cards(service));
  describe('409 Conflict: references', () => conflicts(service));
  describe('200 OK: sub-accounts of a consent without currency', () => subAccounts(service));
  describe('a consent for one sub-account', () => narrowConsent(service));
});
