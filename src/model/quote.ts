/**
 * What an amount costs in another currency, at a rate that is held from the moment it was shown. Amounts are minor units;
 * the rate is in millionths, so that every figure follows from whole numbers.
 */
import { decimalsOf } from './amount.js';

export interface Quote {
  /** What the payee is to get. */
  readonly currency: string;
  readonly amountMinor: number;
  /** What an account in the other currency pays for it. */
  readonly payCurrency: string;
  readonly payMinor: number;
  /** Millionths of `payCurrency` for one unit of `currency`. */
  readonly rateMicros: number;
  /** The payer's charge, which is in `payCurrency`, for an account in `currency`. */
  readonly chargeMinor: number;
}

const MICRO = 1_000_000n;
const unitOf = (currency: string): bigint => 10n ** BigInt(decimalsOf(currency) ?? 0);

const rounded = (numerator: bigint, denominator: bigint): number =>
  Number((2n * numerator + denominator) / (2n * denominator));

/** Rounded to the nearest minor unit, and never to nothing. */
export const exchanged = (amountMinor: number, from: string, to: string, rateMicros: number): number =>
  Math.max(1, rounded(BigInt(amountMinor) * BigInt(rateMicros) * unitOf(to), MICRO * unitOf(from)));

/** The other way: an amount of the currency that the rate leads to. */
const exchangedBack = (amountMinor: number, from: string, to: string, rateMicros: number): number =>
  amountMinor === 0
    ? 0
    : Math.max(1, rounded(BigInt(amountMinor) * MICRO * unitOf(to), BigInt(rateMicros) * unitOf(from)));

export const quoteOf = (
  { currency, amountMinor }: Pick<Quote, 'currency' | 'amountMinor'>,
  { currency: payCurrency, amountMinor: chargeMinor }: { currency: string; amountMinor: number },
  rateMicros: number,
): Quote => ({
  currency,
  amountMinor,
  payCurrency,
  payMinor: exchanged(amountMinor, currency, payCurrency, rateMicros),
  rateMicros,
  chargeMinor: exchangedBack(chargeMinor, payCurrency, currency, rateMicros),
});
