/** Amounts against exact decimal arithmetic: what is accepted, what it is in minor units, and what it decides. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDemoBank } from '../../packages/sandbox/src/bank/demo-bank.js';
import { amountFault, fromMinor, toMinor } from '../../src/model/amount.js';
import type { Db } from '../../src/store/db.js';

const currencies = [
  ['JPY', 0],
  ['EUR', 2],
  ['KWD', 3],
] as const;

const RUNS = { numRuns: 2000 };

/** A decimal as its digits: value = units × 10^-scale, exactly. */
interface Exact {
  readonly text: string;
  readonly units: bigint;
  readonly scale: number;
}

/** At most 15 significant digits: such a text and its double are in one-to-one correspondence. */
const decimals = (mostDecimals: number): fc.Arbitrary<Exact> =>
  fc
    .record({
      digits: fc.integer({ min: 1, max: 15 }),
      seed: fc.bigInt({ min: 1n, max: 999_999_999_999_999n }),
      scale: fc.integer({ min: 0, max: mostDecimals }),
    })
    .map(({ digits, seed, scale }) => {
      const units = BigInt(String(seed).slice(0, digits));
      const padded = String(units).padStart(scale + 1, '0');
      const text = scale === 0 ? padded : `${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
      return { text, units, scale };
    });

/** How many decimals are left once final zeros are gone. */
const neededDecimals = ({ units, scale }: Exact): number => {
  let [rest, left] = [units, scale];
  while (left > 0 && rest % 10n === 0n) [rest, left] = [rest / 10n, left - 1];
  return left;
};

/** The fewest digits that still name this very double: found by trial, not by reading its text. */
const shortestDigits = (value: number): number => {
  for (let digits = 1; digits < 17; digits += 1) {
    if (Number(value.toPrecision(digits)) === value) return digits;
  }
  return 17;
};

describe.each(currencies)('an amount in %s, which has %d decimals', (currency, count) => {
  it('is accepted exactly when it needs no more decimals than that', () => {
    fc.assert(
      fc.property(decimals(6), (exact) => {
        const expected = neededDecimals(exact) > count ? 'too-many-decimals' : undefined;
        expect(amountFault(Number(exact.text), currency)).toBe(expected);
      }),
      RUNS,
    );
  });

  it('has the minor units of exact arithmetic', () => {
    fc.assert(
      fc.property(decimals(count), ({ text, units, scale }) => {
        expect(toMinor(Number(text), currency)).toBe(units * 10n ** BigInt(count - scale));
      }),
      RUNS,
    );
  });

  it('reads the same however it is written', () => {
    fc.assert(
      fc.property(decimals(count), fc.integer({ min: -5, max: 5 }), ({ text, units, scale }, shift) => {
        const exponent = `${units}e${-scale}`;
        const shifted = `${text.replace('.', '')}${'0'.repeat(Math.max(shift, 0))}e${-scale - Math.max(shift, 0)}`;
        for (const spelling of [exponent, shifted, `${text}${scale > 0 ? '000' : ''}`])
          expect(toMinor(Number(spelling), currency)).toBe(toMinor(Number(text), currency));
      }),
      RUNS,
    );
  });

  it('comes back from its minor units as the very same number', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999_999 }), (minor) => {
        const value = fromMinor(minor, currency);
        expect(amountFault(value, currency)).toBeUndefined();
        expect(toMinor(value, currency)).toBe(BigInt(minor));
      }),
      RUNS,
    );
  });

  it('is covered by an account exactly when exact arithmetic says so', async () => {
    const near = fc
      .tuple(decimals(count), fc.integer({ min: -2, max: 2 }))
      .filter(([{ units, scale }]) => units * 10n ** BigInt(count - scale) < 9_000_000_000_000_000n);
    await fc.assert(
      fc.asyncProperty(near, async ([exact, difference]) => {
        const minor = exact.units * 10n ** BigInt(count - exact.scale);
        const available = Number(minor) + difference;
        const db = { batchedReads: { one: async () => ({ available }) } } as unknown as Db;
        const answer = await createDemoBank(db, { bankTime: async () => 0, timeZone: 'UTC' }).hasFunds({
          accountId: 'any',
          currency,
          amountMinor: toMinor(Number(exact.text), currency),
          context: { psuId: 'anybody' },
        });
        expect(answer).toBe(BigInt(available) >= minor);
      }),
      { numRuns: 500 },
    );
  });
});

describe('every double', () => {
  it('is too precise exactly when it has no form of 15 digits', () => {
    fc.assert(
      fc.property(fc.double({ min: 5e-324, noNaN: true, noDefaultInfinity: true }), (value) => {
        const fault = amountFault(value, 'EUR');
        expect(fault === 'too-precise').toBe(shortestDigits(value) > 15);
      }),
      RUNS,
    );
  });

  it('has minor units without loss when it is accepted, however large', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, noNaN: true, noDefaultInfinity: true }), (value) => {
        const rounded = Number(value.toPrecision(15));
        if (amountFault(rounded, 'JPY') !== undefined) return;
        expect(Number(toMinor(rounded, 'JPY'))).toBe(rounded);
      }),
      RUNS,
    );
  });

  it('is refused when it is zero, negative or no number', () => {
    for (const value of [0, -0, -1, -0.01, -5e-324, -1e300])
      expect(amountFault(value, 'EUR')).toBe('not-positive');
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number('1e400')])
      expect(amountFault(value, 'EUR')).toBe('not-finite');
  });
});

describe('the boundaries', () => {
  it.each([
    [0.01, 'EUR', undefined],
    [0.001, 'EUR', 'too-many-decimals'],
    [0.011, 'EUR', 'too-many-decimals'],
    [0.001, 'KWD', undefined],
    [0.0001, 'KWD', 'too-many-decimals'],
    [1, 'JPY', undefined],
    [0.1, 'JPY', 'too-many-decimals'],
    [1.0, 'JPY', undefined],
    [0.0001, 'CLF', undefined],
    [0.00001, 'CLF', 'too-many-decimals'],
    [9_999_999_999_999.99, 'EUR', undefined],
    [Number('99999999999999.99'), 'EUR', 'too-precise'],
    [999_999_999_999_999, 'EUR', undefined],
    [1_000_000_000_000_001, 'EUR', 'too-precise'],
    [Number('9007199254740993'), 'EUR', 'too-precise'],
    [1e15, 'EUR', undefined],
    [1e21, 'EUR', undefined],
    [1e300, 'EUR', undefined],
    [1.5e-7, 'EUR', 'too-many-decimals'],
    [5e-324, 'EUR', 'too-many-decimals'],
    [Number.MAX_VALUE, 'EUR', 'too-precise'],
    [0.1 + 0.2, 'EUR', 'too-precise'],
    [0.3, 'EUR', undefined],
    [4.35, 'EUR', undefined],
    [1.005, 'EUR', 'too-many-decimals'],
  ] as const)('%d %s', (value, currency, fault) => {
    expect(amountFault(value, currency)).toBe(fault);
  });

  it('allow four decimals while the currency is not known yet', () => {
    expect(amountFault(0.0001)).toBeUndefined();
    expect(amountFault(0.00001)).toBe('too-many-decimals');
  });

  it.each([
    [0.1, 'EUR', 10n],
    [0.29, 'EUR', 29n],
    [1.15, 'EUR', 115n],
    [4.35, 'EUR', 435n],
    [19.99, 'EUR', 1999n],
    [1.001, 'KWD', 1001n],
    [5, 'JPY', 5n],
    [1e21, 'JPY', 10n ** 21n],
    [1e300, 'EUR', 10n ** 302n],
    [123_456_789.12, 'EUR', 12_345_678_912n],
  ] as const)('%d %s is %d minor units', (value, currency, minor) => {
    expect(toMinor(value, currency)).toBe(minor);
  });
});
