/** The smallest amount: amounts become the Greek label, look-alikes of the label are refused. */
import { describe, expect, it } from 'vitest';
import { MINIMUM_VALUES } from '../../src/atms/atm.js';
import { changesOf, faultsOf, importJson, importOne } from './support.js';

const FIELD = 'minimumValueDispensed';
const minimum = (written: unknown) => importOne({ [FIELD]: written });

/** Each has at least one letter that only looks right: Latin, Cyrillic, small, full-width, or with an accent. */
const lookAlikes = [
  'MIN',
  'M\u0399\u039D',
  '\u039CI\u039D',
  '\u039C\u0399N',
  'MI\u039D',
  '\u039CIN',
  'M\u0399N',
  '\u041C\u0399\u039D',
  '\u03BC\u03B9\u03BD',
  '\uFF2D\uFF29\uFF2E',
  '\u039C\u0399\u0301\u039D',
  '\u039C\u038A\u039D',
  '\u039C\u0399\u200B\u039D',
];

describe('a minimum', () => {
  it.each(MINIMUM_VALUES)('%s passes as it is', (label) => {
    expect(minimum(label)).toMatchObject({ refused: [], repaired: [], accepted: [{ [FIELD]: label }] });
    expect(minimum(` ${label} `)).toMatchObject({ refused: [], accepted: [{ [FIELD]: label }] });
  });

  it.each(MINIMUM_VALUES)('that looks like %s but is written with other letters is refused', (label) => {
    for (const letters of lookAlikes) {
      const result = minimum(label.replace('\u039C\u0399\u039D', letters));
      expect(result.accepted).toEqual([]);
      expect(faultsOf(result)).toHaveLength(1);
      expect(faultsOf(result)[0]).toContain('U+039C U+0399 U+039D');
    }
  });

  it('in Latin letters is refused with the code points that were found and expected', () => {
    expect(faultsOf(minimum('MIN_10'))).toEqual([
      `${FIELD}: "MIN_10" (U+004D U+0049 U+004E U+005F U+0031 U+0030) is not a value of the contract: the letters must be the Greek U+039C U+0399 U+039D, followed by _5, _10, _20, _50 or _100`,
    ]);
  });

  it('in Latin letters is refused in the other formats too', () => {
    const result = importJson('atmid,country,minimumValueDispensed\nA1,GR,MIN_10');
    expect(faultsOf(result)[0]).toContain('U+039C U+0399 U+039D');
  });

  it.each([
    'MIN 10',
    'MIN10',
    'EUR MIN_10',
    '\u039C\u0399\u039D10',
    '\u039C\u0399\u039D_15',
    'ten',
    '1e1',
    '-10',
    '10,000',
    '{}',
  ])('%s is neither a label nor an amount and is refused', (written) => {
    expect(faultsOf(minimum(written))).toHaveLength(1);
  });

  it.each([
    ['£10', 1],
    ['10.00', 1],
    ['10', 1],
    [10, 1],
    ['€ 5', 0],
    ['20 EUR', 2],
    ['GBP 50', 3],
    ['100,00 €', 4],
  ])('given as the amount %s becomes the label', (written, index) => {
    const result = minimum(written);
    expect(result.accepted[0]).toMatchObject({ [FIELD]: MINIMUM_VALUES[index] });
    expect(changesOf(result)).toHaveLength(1);
  });

  it.each(['30', '£1', '10.50', 0, 7.5, '200'])(
    'given as the amount %s has no label and is left out',
    (written) => {
      const result = minimum(written);
      expect(result.accepted[0]).not.toHaveProperty(FIELD);
      expect(changesOf(result)[0]).toMatch(/is none of 5, 10, 20, 50, 100; left out$/);
    },
  );

  it('that is null or blank is left out, because the contract does not let it be null', () => {
    for (const written of [null, '', ' ']) {
      expect(minimum(written).accepted[0]).not.toHaveProperty(FIELD);
      expect(changesOf(minimum(written))).toEqual([`${FIELD}: has no value; left out`]);
    }
    expect(faultsOf(minimum(['10']))).toEqual([`${FIELD}: is neither a label of the contract nor an amount`]);
  });
});
