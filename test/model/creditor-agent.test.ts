/** The payee's bank: how a BIC is written, and which countries there are. */
import { describe, expect, it } from 'vitest';
import { countryOfBic, isBic, isCountry, normalBic } from '../../src/model/creditor-agent.js';

describe('a BIC', () => {
  it.each(['ETHNGRAA', 'ETHNGRAAXXX', 'deutdeff500', ' NDEA FI HH ', '1A2BGR3C'])(
    '%s is accepted',
    (text) => {
      expect(isBic(text)).toBe(true);
    },
  );

  it.each([
    ['nothing', ''],
    ['seven characters', 'ETHNGRA'],
    ['nine characters', 'ETHNGRAAX'],
    ['ten characters', 'ETHNGRAAXX'],
    ['twelve characters', 'ETHNGRAAXXXX'],
    ['something before it', 'x-ETHNGRAA'],
    ['a prefix that is too short', 'ETHGRAA'],
    ['a dash in the prefix', 'ET-NGRAA'],
    ['digits for the country', 'ETHN1RAA'],
    ['a digit in the second place of the country', 'ETHNG1AA'],
    ['a dash in the location', 'ETHNGRA-'],
    ['a dash in the branch', 'ETHNGRAAX-X'],
    ['more than 32 characters', `ETHNGRAA${' '.repeat(25)}`],
  ])('with %s is refused', (_what, text) => {
    expect(isBic(text)).toBe(false);
  });

  it('may have spaces up to 32 characters, and is written without them', () => {
    expect(isBic(`ETHNGRAA${' '.repeat(24)}`)).toBe(true);
    expect(normalBic(' ethn gr aa ')).toBe('ETHNGRAA');
  });

  it('names its country', () => {
    expect(countryOfBic('ethn graa xxx')).toBe('GR');
  });
});

describe('a country', () => {
  it('is one of ISO 3166, or Kosovo', () => {
    expect(['GR', 'US', 'XK'].map(isCountry)).toEqual([true, true, true]);
    expect(['XX', 'gr', '', 'GRC'].map(isCountry)).toEqual([false, false, false, false]);
  });
});
