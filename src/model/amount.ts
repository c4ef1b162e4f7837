/**
 * Money. On the wire an amount is a JSON number (interface: "Amount"); inside it is an integer of minor units. The value
 * of a double is its shortest decimal form, so 0.1 is a tenth and never 0.1000000000000000055.
 */
import { decimalsOf } from './currency.js';

const SIGNIFICANT_DIGITS = 15;

export type AmountFault = 'not-finite' | 'not-positive' | 'too-precise' | 'too-many-decimals';

interface Decimal {
  /** All digits without the point, without leading or trailing zeros. */
  readonly digits: string;
  /** Where the point is: value = digits × 10^exponent. */
  readonly exponent: number;
}

const decompose = (value: number): Decimal => {
  const [mantissa = '0', power = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const raw = `${whole}${fraction}`.replace(/^0+(?=\d)/, '');
  const digits = raw.replace(/0+$/, '');
  return { digits, exponent: Number(power) - fraction.length + (raw.length - digits.length) };
};

/** What is wrong with an amount of this currency, or of any currency if none is given. */
export const amountFault = (value: number, currency?: string): AmountFault | undefined => {
  if (!Number.isFinite(value)) return 'not-finite';
  if (value <= 0) return 'not-positive';
  const { digits, exponent } = decompose(value);
  if (digits.length > SIGNIFICANT_DIGITS) return 'too-precise';
  const allowed = currency === undefined ? 4 : (decimalsOf(currency) ?? 4);
  return -exponent > allowed ? 'too-many-decimals' : undefined;
};

/** The amount in minor units, exact however large. Call only after `amountFault` found nothing for the same currency. */
export const toMinor = (value: number, currency: string): bigint => {
  const { digits, exponent } = decompose(value);
  return BigInt(digits + '0'.repeat(exponent + (decimalsOf(currency) ?? 0)));
};

/** The number that is written to the wire for an amount in minor units. */
export const fromMinor = (minor: number, currency: string): number =>
  Number(`${minor}e-${decimalsOf(currency) ?? 0}`);
