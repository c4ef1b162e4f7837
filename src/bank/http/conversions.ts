/**
 * Between the wire and the port: decimal text and minor units, RFC 3339 and milliseconds, rates and millionths. What cannot be
 * said exactly is refused, never rounded.
 */
import { parseInstant } from '../../lib/instant.js';
import { decimalsOf, decimalText, minorOf as exactMinorOf } from '../../model/amount.js';
import type { Quote } from '../../model/quote.js';
import type { Charge } from '../bank.js';
import { CoreFault, garbage } from './fault.js';

interface Money {
  readonly currency: string;
  readonly amount: string;
}

const decimalsIn = (currency: string): number => {
  const decimals = decimalsOf(currency);
  if (decimals === undefined) throw new CoreFault('wrong-currency', 'not a currency');
  return decimals;
};

/** `amount` is of the contract's pattern. */
export const minorOf = (amount: string, currency: string): number => {
  decimalsIn(currency);
  const minor = exactMinorOf(amount, currency);
  if (minor === undefined) throw garbage('more decimals than the currency has');
  if (!Number.isSafeInteger(Number(minor))) throw garbage('an amount that is too large');
  return Number(minor);
};

export const decimalOf = (minor: number | bigint, currency: string): string => {
  decimalsIn(currency);
  return decimalText(minor, currency);
};

const MAX_WHOLE = 10n ** 15n - 1n;

/** The largest amount that the contract can name. */
export const largestMinor = (currency: string): bigint => MAX_WHOLE * 10n ** BigInt(decimalsIn(currency));

export const momentOf = (text: string): number => {
  const ms = parseInstant(text);
  if (ms === undefined) throw garbage('not a moment');
  return ms;
};

/** A charge: never negative. */
export const chargeOf = ({ currency, amount }: Money): Charge => {
  const amountMinor = minorOf(amount, currency);
  if (amountMinor < 0) throw garbage('a negative charge');
  return { currency, amountMinor };
};

export const moneyOf = ({ currency, amountMinor }: Charge): Money => ({
  currency,
  amount: decimalOf(amountMinor, currency),
});

const MICRO_DIGITS = 6;

const microsOf = (rate: string): number => {
  const [whole = '0', fraction = ''] = rate.split('.');
  return Number(`${whole}${fraction.padEnd(MICRO_DIGITS, '0')}`);
};

const rateText = (micros: number): string => {
  const digits = String(micros).padStart(MICRO_DIGITS + 1, '0');
  return `${digits.slice(0, -MICRO_DIGITS)}.${digits.slice(-MICRO_DIGITS)}`;
};

interface WireQuote {
  readonly pay: Money;
  readonly rate: string;
  readonly charge: Money;
}

export const quoteFrom = (quote: WireQuote, asked: Charge): Quote => {
  const pay = chargeOf(quote.pay);
  const inCurrency = chargeOf(quote.charge);
  if (inCurrency.currency !== asked.currency) throw new CoreFault('wrong-currency', 'quote/charge');
  const rateMicros = microsOf(quote.rate);
  return {
    ...asked,
    payCurrency: pay.currency,
    payMinor: pay.amountMinor,
    rateMicros,
    chargeMinor: inCurrency.amountMinor,
  };
};

export const quoteText = (quote: Quote): WireQuote => ({
  pay: moneyOf({ currency: quote.payCurrency, amountMinor: quote.payMinor }),
  rate: rateText(quote.rateMicros),
  charge: moneyOf({ currency: quote.currency, amountMinor: quote.chargeMinor }),
});
