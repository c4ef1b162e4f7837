/** What a payment takes from an account, and which accounts can pay it. */
import { describe, expect, it } from 'vitest';
import { isOver, mayFollow } from '../../src/payment/lifecycle.js';
import { isPayee, type PaymentTerms, payableIn, payerFault, termsOf } from '../../src/payment/payable.js';
import { orderStatuses } from '../../src/payment/record.js';

const quote = {
  currency: 'USD',
  amountMinor: 1000,
  payCurrency: 'EUR',
  payMinor: 925,
  rateMicros: 925_000,
  chargeMinor: 54,
};
const terms: PaymentTerms = {
  currency: 'USD',
  amountMinor: 1000,
  charge: { currency: 'EUR', amountMinor: 50 },
  creditAccount: { iban: 'GR16 0110 1250 0000 0001 2300 695' },
  quote,
};

describe('the terms of a payment', () => {
  it('are its amount and charge in minor units; a charge without a currency is in that of the amount', () => {
    const details = {
      instructedAmount: { currency: 'JPY', amount: 12 },
      expenses: { amount: 3 },
      creditAccount: { bban: '1' },
    };
    expect(termsOf(details, quote)).toEqual({
      currency: 'JPY',
      amountMinor: 12,
      charge: { currency: 'JPY', amountMinor: 3 },
      creditAccount: { bban: '1' },
      quote,
    });
    expect(termsOf({ instructedAmount: { currency: 'EUR', amount: 1.5 } }, null)).toEqual({
      currency: 'EUR',
      amountMinor: 150,
      charge: { currency: 'EUR', amountMinor: 0 },
      creditAccount: {},
      quote: null,
    });
  });

  it('are nothing if nothing was said, or a currency is unknown', () => {
    const nothing = { currency: '', amountMinor: 0 };
    expect(termsOf({}, null)).toEqual({ ...nothing, charge: nothing, creditAccount: {}, quote: null });
    const unknown = {
      instructedAmount: { currency: 'XXY', amount: 5 },
      expenses: { currency: null, amount: 0 },
    };
    expect(termsOf(unknown, null)).toMatchObject({
      currency: 'XXY',
      amountMinor: 0,
      charge: { currency: 'XXY' },
    });
  });
});

describe('what an account pays', () => {
  it('in the currency of the payment is the amount, and the charge as the quote has it', () => {
    expect(payableIn(terms, 'USD')).toEqual({ currency: 'USD', amountMinor: 1000, chargeMinor: 54 });
    const inOne = { ...terms, charge: { currency: 'USD', amountMinor: 7 } };
    expect(payableIn(inOne, 'USD')).toEqual({ currency: 'USD', amountMinor: 1000, chargeMinor: 7 });
  });

  it('in the currency of the quote is what was quoted, with the charge as it is', () => {
    expect(payableIn(terms, 'EUR')).toEqual({ currency: 'EUR', amountMinor: 925, chargeMinor: 50 });
    expect(payableIn(terms, 'GBP')).toBeUndefined();
    expect(payableIn({ ...terms, quote: null }, 'EUR')).toBeUndefined();
  });

  it('without a quote is nothing if the charge is in another currency, unless there is none', () => {
    expect(payableIn({ ...terms, quote: null }, 'USD')).toBeUndefined();
    const free = { ...terms, quote: null, charge: { currency: 'EUR', amountMinor: 0 } };
    expect(payableIn(free, 'USD')).toEqual({ currency: 'USD', amountMinor: 1000, chargeMinor: 0 });
  });
});

describe('an account that cannot pay', () => {
  const account = { iban: null, bban: null, msisdn: null, currency: 'USD', status: 'enabled' } as const;

  it('is blocked, closed, the payee itself, or in a currency without a price', () => {
    expect(payerFault(terms, account)).toBeUndefined();
    expect(payerFault(terms, { ...account, status: 'blocked' })).toBe('blocked');
    expect(payerFault(terms, { ...account, status: 'closed' })).toBe('closed');
    expect(payerFault(terms, { ...account, currency: 'GBP' })).toBe('currency');
    expect(payerFault(terms, { ...account, iban: 'GR1601101250000000012300695' })).toBe('payee');
  });

  it.each([
    [{ iban: 'gr1601101250000000012300695' }, { iban: 'GR1601101250000000012300695' }],
    [{ bban: '12-34 ab' }, { bban: '1234AB' }],
    [{ msisdn: '0030 697 1234567' }, { msisdn: '+306971234567' }],
  ])('is the payee by %j', (creditAccount, number) => {
    const paid = { ...terms, creditAccount };
    expect(isPayee(paid, { ...account, ...number })).toBe(true);
    expect(isPayee(paid, account)).toBe(false);
    expect(isPayee(paid, { ...account, ...number, currency: 'EUR' })).toBe(false);
    const inEuro = { ...paid, creditAccount: { ...creditAccount, currency: 'EUR' } };
    expect(isPayee(inEuro, { ...account, ...number, currency: 'EUR' })).toBe(true);
    expect(isPayee(inEuro, { ...account, ...number })).toBe(false);
  });

  it('is not the payee because both lack a number', () => {
    expect(isPayee({ ...terms, creditAccount: {} }, account)).toBe(false);
    const empty = { ...terms, creditAccount: { iban: '', bban: '', msisdn: '' } };
    expect(isPayee(empty, { ...account, iban: '', bban: '', msisdn: '+' })).toBe(false);
  });
});

describe('the table of an order', () => {
  it('is this one', () => {
    const followers = Object.fromEntries(
      orderStatuses.map((from) => [from, orderStatuses.filter((to) => mayFollow(from, to)).join(' ')]),
    );
    expect(followers).toEqual({
      RCVD: 'PDNG ACTC ACSP ACSC RJCT CANC',
      PDNG: 'ACTC ACSP ACSC RJCT CANC',
      ACTC: 'ACSP ACSC RJCT CANC',
      ACSP: 'ACSC RJCT CANC',
      ACSC: '',
      RJCT: '',
      CANC: '',
    });
    expect(orderStatuses.filter(isOver)).toEqual(['ACSC', 'RJCT', 'CANC']);
  });
});
