/** How accounts are named: every form that is accepted, what it means, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isBban,
  isCardNumber,
  isIban,
  isMsisdn,
  maskedIban,
  normalBban,
  normalCard,
  normalIban,
  normalMsisdn,
} from '../../src/model/account-reference.js';

const ibans = [
  'GR1601101250000000012300695',
  'CY17002001280000001200527600',
  'DE89370400440532013000',
  'GB29NWBK60161331926819',
  'FR1420041010050500013M02606',
  'IT60X0542811101000000123456',
  'ES9121000418450200051332',
  'NL91ABNA0417164300',
  'BE68539007547034',
  'AT611904300234573201',
  'PL61109010140000071219812874',
  'SE4550000000058398257466',
  'NO9386011117947',
  'CH9300762011623852957',
  'MT84MALT011000012345MTLCAST001S',
  'LU280019400644750000',
];

describe('an IBAN', () => {
  it.each(ibans)('%s is valid, also in lower case and with spaces as printed', (iban) => {
    const printed = iban.replace(/(.{4})/g, '$1 ').trim();
    for (const form of [iban, printed, iban.toLowerCase(), ` ${printed.toLowerCase()} `]) {
      expect(isIban(form)).toBe(true);
      expect(normalIban(form)).toBe(iban);
    }
  });

  it.each([
    ['a wrong checksum', 'GR1601101250000000012300696'],
    ['check digits swapped', 'DE98370400440532013000'],
    ['check digits 00', 'GR0001101250000000012300695'],
    ['one digit too few', 'GR160110125000000001230069'],
    ['one digit too many', 'GR16011012500000000123006950'],
    ['the length of another country', 'DE8937040044053201300000000'],
    ['an unknown country', 'XX8937040044053201300000'],
    ['no country', '1601101250000000012300695'],
    ['letters where the country has digits', 'GR16011O1250000000012300695'],
    ['a Greek letter that looks Latin', '\u0393R1601101250000000012300695'],
    ['a Cyrillic letter that looks Latin', 'D\u041589370400440532013000'],
    ['dashes', 'DE89-3704-0044-0532-0130-00'],
    ['a tab', 'DE89\t370400440532013000'],
    ['full-width digits', 'DE８９370400440532013000'],
    ['nothing', ''],
    ['only spaces', '    '],
    ['a text', 'not an iban'],
    ['far too much', `DE89370400440532013000${' '.repeat(60)}`],
  ])('with %s is refused', (_what, text) => {
    expect(isIban(text)).toBe(false);
  });

  it('with any single digit changed is refused', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ibans),
        fc.nat(30),
        fc.integer({ min: 1, max: 9 }),
        (iban, position, step) => {
          const at = position % iban.length;
          const digit = iban[at] ?? '';
          if (!/\d/.test(digit)) return;
          const changed = `${iban.slice(0, at)}${(Number(digit) + step) % 10}${iban.slice(at + 1)}`;
          expect(isIban(changed)).toBe(false);
        },
      ),
    );
  });

  it('is shown with its country and last four characters only', () => {
    expect(maskedIban('GR1601101250000000012300695')).toBe('GR…0695');
  });
});

describe('a BBAN', () => {
  it.each([
    ['0110125 0000000012300695', '01101250000000012300695'],
    ['nwbk-6016-1331-926819', 'NWBK60161331926819'],
    ['1', '1'],
  ])('%j is %s', (text, normal) => {
    expect(isBban(text)).toBe(true);
    expect(normalBban(text)).toBe(normal);
  });

  it.each(['', ' ', '-', 'ΑΒΓ1', '12/34', '1'.repeat(31), '1'.padEnd(65)])('%j is refused', (text) => {
    expect(isBban(text)).toBe(false);
  });
});

describe('a phone number', () => {
  it.each(['+306912345678', '00306912345678', '306912345678', '+30 691 234 5678', '+30 (691) 234-5678'])(
    '%j is +306912345678',
    (text) => {
      expect(isMsisdn(text)).toBe(true);
      expect(normalMsisdn(text)).toBe('+306912345678');
    },
  );

  it.each([
    '',
    '+',
    '+0306912345678',
    '+12345',
    '+1234567890123456',
    '+30691234567a',
    '++306912345678',
    '+30.691.2345678',
    '٣٠٦٩١٢٣٤٥٦٧٨',
    `+306912345678${' '.repeat(60)}`,
  ])('%j is refused', (text) => {
    expect(isMsisdn(text)).toBe(false);
  });

  it('has 7 to 15 digits', () => {
    for (let digits = 1; digits <= 20; digits += 1)
      expect(isMsisdn(`+${'3'.repeat(digits)}`)).toBe(digits >= 7 && digits <= 15);
  });
});

describe('a card number', () => {
  it.each(['4111111111111111', '4111 1111 1111 1111', '4111-1111-1111-1111'])(
    '%j is 4111111111111111',
    (text) => {
      expect(isCardNumber(text)).toBe(true);
      expect(normalCard(text)).toBe('4111111111111111');
    },
  );

  it('has 8 to 19 digits', () => {
    for (let digits = 1; digits <= 25; digits += 1)
      expect(isCardNumber('4'.repeat(digits))).toBe(digits >= 8 && digits <= 19);
  });

  it.each([
    '',
    '4111 1111 1111 111x',
    '4111.1111.1111.1111',
    '٤١١١١١١١١١١١١١١١',
    `4111111111111111${' '.repeat(60)}`,
  ])('%j is refused', (text) => {
    expect(isCardNumber(text)).toBe(false);
  });
});

describe('the normal forms', () => {
  it('do not change when made twice', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        for (const normal of [normalIban, normalBban, normalCard])
          expect(normal(normal(text))).toBe(normal(text));
        const msisdn = normalMsisdn(text);
        if (isMsisdn(text)) expect(normalMsisdn(msisdn)).toBe(msisdn);
      }),
    );
  });
});
