/** The currencies of ISO 4217 and their decimals. */
import { describe, expect, it } from 'vitest';
import { decimalsOf, isCurrency } from '../../src/model/currency.js';

describe('currencies', () => {
  it.each([
    ['EUR', 2],
    ['USD', 2],
    ['GBP', 2],
    ['CHF', 2],
    ['PLN', 2],
    ['HUF', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['CLP', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['JOD', 3],
    ['CLF', 4],
    ['UYW', 4],
  ])('%s has %d decimals', (code, count) => {
    expect(decimalsOf(code)).toBe(count);
    expect(isCurrency(code)).toBe(true);
  });

  it.each([
    '',
    'eur',
    'Eur',
    'EU',
    'EURO',
    ' EUR',
    'EUR ',
    'XXX',
    'XTS',
    'XAU',
    'ABC',
    'GRD',
    'DEM',
    'HRK',
    'ΕUR',
    'ЕUR',
    'constructor',
    '__proto__',
  ])('%j is none', (code) => {
    expect(isCurrency(code)).toBe(false);
    expect(decimalsOf(code)).toBeUndefined();
  });
});
