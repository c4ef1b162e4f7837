/** The postal address. Its country decides whether a record is usable: it is the one part the contract demands. */
import { COUNTRIES } from '../../../model/countries.js';
import type { AtmAddress } from '../../atm.js';
import type { LooseAddress } from '../readers/loose.js';
import { quote } from '../show.js';
import type { Ledger } from './ledger.js';
import { cleanText, tidy } from './text.js';

/** Codes that are used for a country but are not its ISO 3166 code. The European Union writes EL for Greece. */
const OTHER_CODES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
]);

const FIELD = 'address.country';

/** The ISO 3166 code, if the text is one or stands for one. */
export const countryOf = (text: string): string | undefined => {
  const upper = text.toUpperCase();
  const code = OTHER_CODES.get(upper) ?? upper;
  return COUNTRIES.has(code) ? code : undefined;
};

const cleanCountry = (raw: unknown, ledger: Ledger, usual?: string): string | null | undefined => {
  if (raw === null) return null;
  const text = raw === undefined ? '' : tidy(raw, FIELD, ledger);
  if (text === undefined) return undefined;
  if (text === '' && usual !== undefined) {
    ledger.change(FIELD, `is missing; ${usual} as told`);
    return usual;
  }
  if (text === '') return ledger.refuse(FIELD, 'is missing');
  const code = countryOf(text);
  if (code === undefined) return ledger.refuse(FIELD, `${quote(text)} is not an ISO 3166 alpha-2 code`);
  if (code !== text) ledger.change(FIELD, `${quote(text)} is written ${code}`);
  return code;
};

/** Members that are absent stay absent; undefined members are taken out by the caller. */
export const cleanAddress = (
  loose: LooseAddress,
  ledger: Ledger,
  usualCountry: string | undefined,
): { [K in keyof AtmAddress]?: unknown } => ({
  street: cleanText(loose.street, 'address.street', ledger),
  buildingNumber: cleanText(loose.buildingNumber, 'address.buildingNumber', ledger),
  city: cleanText(loose.city, 'address.city', ledger),
  postalCode: cleanText(loose.postalCode, 'address.postalCode', ledger),
  country: cleanCountry(loose.country, ledger, usualCountry),
});
