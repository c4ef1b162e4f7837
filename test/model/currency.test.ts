/** The currencies of ISO 4217 and their decimals. */
import { describe, expect, it } from 'vitest';
import { decimalsOf, isCurrency } from '../../src/model/amount.js';

/** List one of ISO 4217 by its codes: currencies of countries and their funds codes. */
const LIST_ONE = `
  AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD
  CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL
  GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW
  KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD
  NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP
  SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS
  VED VES VND VUV WST XAD XAF XCD XCG XOF XPF YER ZAR ZMW ZWG`;
/** All others have two. */
const DECIMALS: Readonly<Record<string, readonly string[]>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
};

describe('currencies', () => {
  it('are those of ISO 4217, with their decimals', () => {
    const codes = LIST_ONE.trim().split(/\s+/);
    expect(codes).toHaveLength(165);
    const decimals = (code: string): number =>
      Number(Object.keys(DECIMALS).find((count) => DECIMALS[count]?.includes(code)) ?? 2);
    expect(codes.map((code) => [code, decimalsOf(code)])).toEqual(
      codes.map((code) => [code, decimals(code)]),
    );
  });

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
