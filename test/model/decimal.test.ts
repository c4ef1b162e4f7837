/** Money as decimal text: exact in both directions, strict about its form. */
import { describe, expect, it } from 'vitest';
import { decimalText, isCurrency, minorOf } from '../../src/model/amount.js';

describe('decimal text', () => {
  it.each([
    ['0', 'EUR', 0n],
    ['12', 'EUR', 1200n],
    ['12.5', 'EUR', 1250n],
    ['12.50', 'EUR', 1250n],
    ['-0.01', 'EUR', -1n],
    ['-7', 'JPY', -7n],
    ['1.234', 'KWD', 1234n],
    ['98765432109876543210.99', 'EUR', 9876543210987654321099n],
  ])('%s %s is %s minor units', (text, currency, minor) => {
    expect(minorOf(text, currency)).toBe(minor);
  });

  it.each([
    ['', 'EUR'],
    ['1.', 'EUR'],
    ['.5', 'EUR'],
    ['01', 'EUR'],
    ['+1', 'EUR'],
    ['1e3', 'EUR'],
    ['1,5', 'EUR'],
    ['x1', 'EUR'],
    ['1x', 'EUR'],
    ['1.x', 'EUR'],
    ['1.234', 'EUR'],
    ['1.5', 'JPY'],
    ['1', 'XXX'],
  ])('%j is no amount of %s', (text, currency) => {
    expect(minorOf(text, currency)).toBeUndefined();
  });

  it.each([
    [0, 'EUR', '0.00'],
    [5, 'EUR', '0.05'],
    [1250, 'EUR', '12.50'],
    [-1, 'EUR', '-0.01'],
    [-1250n, 'EUR', '-12.50'],
    [7, 'JPY', '7'],
    [-7, 'JPY', '-7'],
    [1, 'KWD', '0.001'],
    [12, 'XXX', '12'],
  ])('of %s minor units of %s is %s', (minor, currency, text) => {
    expect(decimalText(minor, currency)).toBe(text);
  });

  it('is of a currency that exists', () => {
    expect(['EUR', 'eur', ''].map(isCurrency)).toEqual([true, false, false]);
  });
});
