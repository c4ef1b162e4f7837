/** Money as decimal text, such as "12.50": exact however large, with no more decimals than its currency has. */
import { decimalsOf } from './currency.js';

const DECIMAL = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** In minor units; undefined for what is no decimal text, no currency, or has more decimals than the currency. */
export const minorOf = (text: string, currency: string): bigint | undefined => {
  const [, sign = '', whole, fraction = ''] = DECIMAL.exec(text) ?? [];
  const decimals = decimalsOf(currency);
  if (whole === undefined || decimals === undefined || fraction.length > decimals) return undefined;
  return BigInt(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
};

/** With exactly as many decimals as the currency has. */
export const decimalText = (minor: bigint | number, currency: string): string => {
  const decimals = decimalsOf(currency) ?? 0;
  const value = BigInt(minor);
  const digits = String(value < 0n ? -value : value).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return value < 0n ? `-${text}` : text;
};
