/** The name that a misspelt one means. */
import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/gate/nearest.js';

describe('the nearest name', () => {
  const known = ['dateFrom', 'dateTo', 'limit', 'Consent-ID'];

  it.each([
    ['limit', 'limit'],
    ['LIMIT', 'limit'],
    ['limmit', 'limit'],
    ['lmit', 'limit'],
    ['limix', 'limit'],
    ['date-from', 'dateFrom'],
    ['date_to', 'dateTo'],
    ['dateForm', 'dateFrom'],
    ['consentid', 'Consent-ID'],
    ['conentId', 'Consent-ID'],
  ])('to %s is %s', (name, meant) => {
    expect(nearest(name, known)).toBe(meant);
  });

  it('is as far as a third of its letters, rounded down, or one letter, and no further', () => {
    expect(nearest('ab', ['abc'])).toBe('abc');
    expect(nearest('a', ['abc'])).toBeUndefined();
    expect(nearest('x', ['y'])).toBe('y');
    expect(nearest('xx', ['yy'])).toBeUndefined();
    expect(nearest('abcdxx', ['abcdef'])).toBe('abcdef');
    expect(nearest('abcxxx', ['abcdef'])).toBeUndefined();
    expect(nearest('abcdefxx', ['abcdefgh'])).toBe('abcdefgh');
    expect(nearest('', ['abcdef'])).toBeUndefined();
  });

  it('is the closest of several, the first of equals', () => {
    expect(nearest('abcdez', ['abcdxx', 'abcdef'])).toBe('abcdef');
    expect(nearest('abcdez', ['abcdef', 'abcdeg'])).toBe('abcdef');
    expect(nearest('anything', [])).toBeUndefined();
  });
});
