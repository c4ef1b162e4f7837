/** How a request names an account (interface: "Account reference"): by IBAN, by BBAN, or by a registered phone number. */
import { isValidIBAN } from 'ibantools';
import { LruCache } from '../lib/lru-cache.js';

/** As it arrives: every member may be absent or null. */
export interface AccountReference {
  readonly iban?: string | null;
  readonly bban?: string | null;
  readonly msisdn?: string | null;
  readonly currency?: string | null;
}

/** IBANs are accepted with spaces and in lower case, as people print them. */
export const normalIban = (text: string): string => text.replace(/ /g, '').toUpperCase();

/** Callers ask about the same accounts again and again. */
const knownIbans = new LruCache<true>(20_000);

/** Length of the country and checksum mod 97. */
export const isIban = (text: string): boolean => {
  if (text.length > 64) return false;
  if (knownIbans.get(text)) return true;
  const isValid = isValidIBAN(normalIban(text));
  if (isValid) knownIbans.set(text, true);
  return isValid;
};

export const normalBban = (text: string): string => text.replace(/[ -]/g, '').toUpperCase();

export const isBban = (text: string): boolean =>
  text.length <= 64 && /^[A-Z0-9]{1,30}$/.test(normalBban(text));

export const normalMsisdn = (text: string): string =>
  `+${text.replace(/[ ()-]/g, '').replace(/^(\+|00)/, '')}`;

export const isMsisdn = (text: string): boolean =>
  text.length <= 64 && /^\+[1-9][0-9]{6,14}$/.test(normalMsisdn(text));

export const normalCard = (text: string): string => text.replace(/[ -]/g, '');

/** Digits as printed on a card; masked numbers and Luhn-less ranges exist, so no checksum is demanded. */
export const isCardNumber = (text: string): boolean =>
  text.length <= 64 && /^[0-9]{8,19}$/.test(normalCard(text));

/** As people read a number, on pages and on paper. */
export const inFours = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ');

/** For logs and pages: the country and the last four characters, nothing between. */
export const maskedIban = (iban: string): string => `${iban.slice(0, 2)}…${iban.slice(-4)}`;

/** Whether an account is one that the reference names: every member that was given fits. */
export const namesAccount = (reference: AccountReference, account: AccountReference): boolean =>
  (!reference.iban || account.iban === normalIban(reference.iban)) &&
  (!reference.bban || account.bban === normalBban(reference.bban)) &&
  (!reference.msisdn || account.msisdn === normalMsisdn(reference.msisdn)) &&
  (!reference.currency || account.currency === reference.currency);

/** Whether two references surely name one account: by any number they share, in a currency that does not tell them apart. */
export const isSameAccount = (a: AccountReference, b: AccountReference, currency: string): boolean => {
  const isNumber =
    (!!a.iban && !!b.iban && normalIban(a.iban) === normalIban(b.iban)) ||
    (!!a.bban && !!b.bban && normalBban(a.bban) === normalBban(b.bban)) ||
    (!!a.msisdn && !!b.msisdn && normalMsisdn(a.msisdn) === normalMsisdn(b.msisdn));
  return isNumber && (a.currency ?? currency) === (b.currency ?? currency);
};
