/** The payee's bank. An IBAN names its bank and country; any other account number means nothing without them. */
import { COUNTRIES } from './countries.js';

export interface CreditorAgent {
  readonly bic?: string | null;
  readonly name?: string | null;
  /** ISO 3166 alpha-2. */
  readonly country: string;
}

const BIC = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/;

export const normalBic = (text: string): string => text.replace(/ /g, '').toUpperCase();

/** ISO 9362: party prefix, country, location, and perhaps a branch. */
export const isBic = (text: string): boolean => text.length <= 32 && BIC.test(normalBic(text));

/** Kosovo has no official code, but the banks there use XK. */
export const isCountry = (text: string): boolean => COUNTRIES.has(text) || text === 'XK';

export const countryOfBic = (bic: string): string => normalBic(bic).slice(4, 6);
