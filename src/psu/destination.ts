/** Where a code went, as the page may show it: a thief with the password must not learn a phone number or an address. */
import { undisguised } from '../lib/format/undisguised.js';

const LONGEST = 60;
const SHOWN_DIGITS = 4;
/** More of them are a phone number that the bank forgot to mask. */
const HARMLESS_DIGITS = 6;

const maskDigits = (text: string): string => {
  const digits = text.replace(/\D/g, '').length;
  if (digits <= HARMLESS_DIGITS) return text;
  let left = digits - SHOWN_DIGITS;
  return text.replace(/\d/g, (digit) => (left-- > 0 ? '*' : digit));
};

/** The first character and the domain of an address stay. */
const maskAddress = (text: string): string => text.replace(/(?<![^\s@*])([^\s@*])[^\s@*]*(?=@)/gu, '$1***');

export const masked = (sentTo: string): string =>
  maskAddress(maskDigits(undisguised(sentTo.normalize('NFKC')).slice(0, LONGEST)));
