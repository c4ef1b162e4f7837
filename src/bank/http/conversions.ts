/**
 * Between the wire and the port: decimal text and minor units, RFC 3339 and milliseconds, rates and millionths. What cannot be
 * said exactly is refused, never rounded.
 */
import { parseInstant } from '../../lib/instant.js';
import { decimalsOf, decimalText, minorOf as exactMinorOf } from '../../model/amount.js';
import type { Quote } from '../../model/quote.js';
import { WrongAnswer, within } from '../guard/answers.js';
import type { Charge } from '../payments.js';

interface Money {
  readonly currency: string;
  readonly amount: string;
}

const decimalsIn = (currency: string): number => {
  const decimals = decimalsOf(currency);
  if (decimals === undefined)
    throw new WrongAnswer('wrong-currency', '/currency', 'there is no such currency');
  return decimals;
};

/** One amount of a row in the currency of the row; it is of the contract's pattern. */
export const minorIn = <Name extends string>(
  row: { readonly [Each in Name | 'currency']: string },
  name: Name,
): number => {
  decimalsIn(row.currency);
  const minor = exactMinorOf(row[name], row.currency);
  if (minor === undefined)
    throw new WrongAnswer('garbage', `/${name}`, 'more decimals than the currency has');
  if (!Number.isSafeInteger(Number(minor))) throw new WrongAnswer('garbage', `/${name}`, 'too large');
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
  if (ms === undefined) throw new WrongAnswer('garbage', '', 'not a date-time');
  return ms;
};

/** A charge: never negative. */
export const chargeOf = (money: Money): Charge => {
  const amountMinor = minorIn(money, 'amount');
  if (amountMinor < 0) throw new WrongAnswer('garbage', '/amount', 'negative');
  return { currency: money.currency, amountMinor };
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
  const pay = within('/pay', () => chargeOf(quote.pay));
  const inCurrency = within('/charge', () => chargeOf(quote.charge));
  if (inCurrency.currency !== asked.currency)
    throw new WrongAnswer('wrong-currency', '/charge/currency', 'not that of the amount');
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
