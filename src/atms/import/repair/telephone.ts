/** Telephone numbers: rewritten to the contract's pattern if the country code is certain, else null. */
import { TELEPHONE_NUMBER_PATTERN } from '../../atm.js';
import { quote } from '../show.js';
import type { Ledger } from './ledger.js';
import { tidy } from './text.js';

const FIELD = 'telephoneNumber';
const PATTERN = new RegExp(TELEPHONE_NUMBER_PATTERN);

/** Country codes are prefix-free: 1 and 7 stand alone, these have two digits, all others three. */
const TWO_DIGITS: ReadonlySet<string> = new Set(
  '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
);

const countryCode = (digits: string): string => {
  if (/^[17]/.test(digits)) return digits.slice(0, 1);
  const two = digits.slice(0, 2);
  return TWO_DIGITS.has(two) ? two : digits.slice(0, 3);
};

/** Undefined when the number is not certainly an international one. Of several numbers the first is taken. */
const rewrite = (text: string): string | undefined => {
  const first = text.split(';', 1)[0] ?? '';
  const number = first.trim().replace(/^tel:/i, '').replace(/^00/, '+');
  if (number.length > 40 || !/^\+[\d\s()./\u2010-\u2015-]+$/.test(number)) return undefined;
  // "(0)" is dialled only inside the country.
  const digits = number.replace('(0)', '').replace(/\D/g, '');
  // E.164 allows 15 digits; what is shorter than 8 is a short code, not a number one can call from abroad.
  if (digits.startsWith('0') || digits.length < 8 || digits.length > 15) return undefined;
  const code = countryCode(digits);
  return `+${code}-${digits.slice(code.length)}`;
};

export const cleanTelephone = (raw: unknown, ledger: Ledger): string | null | undefined => {
  if (raw === null) return null;
  if (raw === undefined) {
    ledger.change(FIELD, 'is missing; null instead');
    return null;
  }
  const text = tidy(raw, FIELD, ledger);
  if (text === undefined || PATTERN.test(text)) return text;
  const rewritten = rewrite(text);
  if (rewritten === undefined) {
    const what = text === '' ? 'is blank' : `${quote(text)} has no certain country code`;
    ledger.change(FIELD, `${what}; null instead`);
    return null;
  }
  ledger.change(FIELD, `${quote(text)} is written ${rewritten}`);
  return rewritten;
};
