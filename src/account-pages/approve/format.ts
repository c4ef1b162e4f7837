/** Amounts, dates and account numbers as people read them. */
import { MINUTE, SECOND } from '../../lib/clock.js';
import { dateAt } from '../../lib/day.js';
import { dateFormat, numberFormat } from '../../lib/format/intl.js';
import { decimalsOf, fromMinor } from '../../model/amount.js';
import { type CreditorAgent, normalBic } from '../../model/creditor-agent.js';
import type { Money } from './asked-for.js';

export const amountText = ({ amount, currency }: Money, locale: string): string => {
  if (!/^[A-Z]{3}$/.test(currency)) return `${amount} ${currency}`;
  const digits = decimalsOf(currency) ?? 2;
  return numberFormat(locale, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
};

/** `1 $ = 0,9213 €`: one unit, and its price with as many digits as it has. */
export const rateText = (currency: string, pay: string, rate: number, locale: string): string => {
  const text = (amount: number, code: string, least: number): string =>
    numberFormat(locale, {
      style: 'currency',
      currency: code,
      minimumFractionDigits: least,
      maximumFractionDigits: 6,
    }).format(amount);
  return `${text(1, currency, 0)} = ${text(rate, pay, 4)}`;
};

export const minorText = (minor: number, currency: string, locale: string): string =>
  amountText({ amount: fromMinor(minor, currency), currency }, locale);

/** `2026-05-14` as `14 Μαΐου 2026`. */
export const dateText = (date: string, locale: string): string =>
  dateFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(`${date}T00:00:00Z`));

/** A bank as `Bank of America, BOFAUS3N, United States`. */
export const bankText = ({ bic, name, country }: CreditorAgent, locale: string): string => {
  const place = new Intl.DisplayNames(locale, { type: 'region' }).of(country);
  return [name, bic && normalBic(bic), place].filter(Boolean).join(', ');
};

/** The last day of something that ends with this moment. */
export const lastDay = (expiresAt: number, timeZone: string): string => dateAt(expiresAt - 1, timeZone);

/** A moment as `15 Νοε 2026, 14:05` in the bank's zone. */
export const momentText = (ms: number, locale: string, timeZone: string): string =>
  dateFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone,
  }).format(ms);

/** A day as `15 Νοε 2026`. */
export const dayText = (ms: number, locale: string, timeZone: string): string =>
  dateFormat(locale, { dateStyle: 'medium', timeZone }).format(ms);

/** The time of day of an end, as `14:05`, never before it. */
export const clockText = (
  ms: number,
  locale: string,
  timeZone: string,
  exactness: 'minutes' | 'seconds' = 'minutes',
): string => {
  const step = exactness === 'minutes' ? MINUTE : SECOND;
  return dateFormat(locale, {
    timeStyle: exactness === 'minutes' ? 'short' : 'medium',
    hourCycle: 'h23',
    timeZone,
  }).format(Math.ceil(ms / step) * step);
};
