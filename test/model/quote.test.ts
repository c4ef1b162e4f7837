/** Exchange at a held rate: whole numbers only, rounded to the nearest minor unit. */
import { describe, expect, it } from 'vitest';
import { exchanged, quoteOf } from '../../src/model/quote.js';

describe('an exchange', () => {
  it.each([
    [1000, 'USD', 'EUR', 925_000, 925],
    [1, 'USD', 'EUR', 500_000, 1],
    [3, 'USD', 'EUR', 500_000, 2],
    [3, 'USD', 'EUR', 499_999, 1],
    [1, 'USD', 'EUR', 1, 1],
    [100, 'JPY', 'EUR', 6_200, 62],
    [1000, 'KWD', 'EUR', 3_000_000, 300],
    [500, 'EUR', 'JPY', 161_000_000, 805],
  ])('of %d minor units of %s in %s at %d millionths is %d', (minor, from, to, rate, paid) => {
    expect(exchanged(minor, from, to, rate)).toBe(paid);
  });
});

describe('a quote', () => {
  const charge = (amountMinor: number) => ({ currency: 'EUR', amountMinor });

  it('has both amounts, the rate, and the charge in the currency of the payment', () => {
    expect(quoteOf({ currency: 'JPY', amountMinor: 1000 }, charge(150), 6_200)).toEqual({
      currency: 'JPY',
      amountMinor: 1000,
      payCurrency: 'EUR',
      payMinor: 620,
      rateMicros: 6_200,
      chargeMinor: 242,
    });
  });

  it('keeps a charge of nothing, and makes none vanish', () => {
    expect(quoteOf({ currency: 'USD', amountMinor: 1 }, charge(0), 925_000).chargeMinor).toBe(0);
    expect(quoteOf({ currency: 'USD', amountMinor: 1 }, charge(1), 9_000_000).chargeMinor).toBe(1);
    expect(quoteOf({ currency: 'USD', amountMinor: 1 }, charge(3), 2_000_000).chargeMinor).toBe(2);
  });
});
