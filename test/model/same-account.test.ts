/** When a reference names an account, and when two references name the same one. */
import { describe, expect, it } from 'vitest';
import {
  inFours,
  isBban,
  isCardNumber,
  isIban,
  isMsisdn,
  isSameAccount,
  namesAccount,
  normalMsisdn,
} from '../../src/model/account-reference.js';

const IBAN = 'GR1601101250000000012300695';
const OTHER = 'DE89370400440532013000';
const account = { iban: IBAN, bban: '01101250000000012300695', msisdn: '+306912345678', currency: 'EUR' };

describe('a reference names an account', () => {
  it.each([
    [{}],
    [{ iban: IBAN }],
    [{ iban: 'gr16 0110 1250 0000 0001 2300 695' }],
    [{ bban: '0110-1250 000 000 012 300 695' }],
    [{ msisdn: '0030 691 2345678' }],
    [{ currency: 'EUR' }],
    [{ iban: IBAN, bban: null, msisdn: '', currency: 'EUR' }],
  ])('%j', (reference) => {
    expect(namesAccount(reference, account)).toBe(true);
  });

  it.each([
    [{ iban: OTHER }],
    [{ bban: '1' }],
    [{ msisdn: '+306900000000' }],
    [{ currency: 'USD' }],
    [{ iban: IBAN, bban: '1' }],
    [{ iban: OTHER, bban: account.bban }],
    [{ bban: account.bban, msisdn: '+306900000000' }],
    [{ msisdn: account.msisdn, currency: 'USD' }],
  ])('but not %j', (reference) => {
    expect(namesAccount(reference, account)).toBe(false);
  });
});

describe('two references name one account', () => {
  it.each([
    [{ iban: IBAN }, { iban: IBAN.toLowerCase() }],
    [{ bban: '12-3' }, { bban: '123' }],
    [{ msisdn: '+30691' }, { msisdn: '0030 691' }],
    [{ iban: IBAN, currency: 'EUR' }, { iban: IBAN }],
    [{ iban: IBAN }, { iban: IBAN, currency: 'EUR' }],
    [
      { iban: OTHER, bban: '1' },
      { iban: IBAN, bban: '1' },
    ],
  ])('%j and %j', (a, b) => {
    expect(isSameAccount(a, b, 'EUR')).toBe(true);
  });

  it.each([
    [{ iban: IBAN }, { iban: OTHER }],
    [{ bban: '1' }, { bban: '2' }],
    [{ msisdn: '+30691' }, { msisdn: '+30692' }],
    [{ iban: IBAN }, { bban: '1' }],
    [{ bban: '1' }, { msisdn: '1' }],
    [{ msisdn: '1' }, { iban: IBAN }],
    [{}, {}],
    [
      { iban: null, bban: '', msisdn: null },
      { iban: null, bban: '', msisdn: null },
    ],
    [{ iban: IBAN, currency: 'USD' }, { iban: IBAN }],
    [{ iban: IBAN }, { iban: IBAN, currency: 'USD' }],
  ])('but not %j and %j', (a, b) => {
    expect(isSameAccount(a, b, 'EUR')).toBe(false);
  });
});

describe('a number', () => {
  it('may be printed with spaces up to 64 characters', () => {
    const padded = (text: string, length: number): string => text + ' '.repeat(length - text.length);
    const kinds = [
      [isIban, IBAN],
      [isBban, '123'],
      [isMsisdn, '+306912345678'],
      [isCardNumber, '4111111111111111'],
    ] as const;
    for (const [isOne, text] of kinds)
      expect([isOne(padded(text, 64)), isOne(padded(text, 65))]).toEqual([true, false]);
  });

  it('of a phone loses one prefix at its beginning only', () => {
    expect(normalMsisdn('0030 69 00+1')).toBe('+306900+1');
  });

  it('is read in fours, without a space at its end', () => {
    expect([inFours('12345678'), inFours('123456789'), inFours('123')]).toEqual([
      '1234 5678',
      '1234 5678 9',
      '123',
    ]);
  });
});
