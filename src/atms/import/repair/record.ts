/** The one pipeline that all formats share: a loose record becomes an ATM of the contract, or is refused with all reasons. */
import { derivedId, isUuid } from '../../../lib/id.js';
import { ACCESSIBILITY_FEATURES, ATM_SERVICES, type Atm, LOCATION_CATEGORIES } from '../../atm.js';
import { atmFaults, type Finding } from '../../check-atm.js';
import type { LooseRecord } from '../readers/loose.js';
import { quote } from '../show.js';
import { cleanAddress } from './address.js';
import { keepKnown, knownValues, oneKnown } from './known-values.js';
import { type Ledger, openLedger } from './ledger.js';
import { cleanLocation } from './location.js';
import { cleanMinimum } from './minimum.js';
import { cleanTelephone } from './telephone.js';
import { cleanList, cleanText, requireList } from './text.js';

export interface RepairOutcome {
  /** Absent when there are faults. */
  readonly atm: Atm | undefined;
  readonly id: string | null;
  readonly changes: readonly Finding[];
  readonly faults: readonly Finding[];
}

const categories = knownValues(LOCATION_CATEGORIES);
const features = knownValues(ACCESSIBILITY_FEATURES);
const services = knownValues(ATM_SERVICES);

/** The contract lets atmid be null, but only if the source has an explicit null and another id identifies the ATM. */
const cleanAtmid = ({ values }: LooseRecord, ledger: Ledger): string | null | undefined => {
  const raw = values.atmid;
  if (raw === undefined || (typeof raw === 'string' && raw.trim() === ''))
    return ledger.refuse('atmid', 'is missing');
  return cleanText(raw, 'atmid', ledger);
};

/** Stable: the same machine has the same id in every import. */
const deriveId = (loose: LooseRecord, atmid: string | null | undefined, why: string, ledger: Ledger) => {
  if (atmid === null) return ledger.refuse('id', 'is missing, and without an atmid none can be made');
  if (atmid === undefined) return undefined;
  const source = loose.brand === '' ? 'atmid' : 'brand and atmid';
  ledger.change('id', `${why}; made from ${source}`);
  return derivedId(`atm:${JSON.stringify([loose.brand, atmid])}`);
};

const cleanId = (
  loose: LooseRecord,
  atmid: string | null | undefined,
  ledger: Ledger,
): string | undefined => {
  const raw = loose.values.id;
  const text = typeof raw === 'string' ? raw.trim() : '';
  if (isUuid(text)) {
    const id = text.toLowerCase();
    if (id !== raw) ledger.change('id', `${quote(String(raw))} is written ${id}`);
    return id;
  }
  if (raw === undefined || raw === null) return deriveId(loose, atmid, 'is missing', ledger);
  if (loose.idIsMeant) return ledger.refuse('id', `${quote(text)} is not a UUID`);
  return deriveId(loose, atmid, 'is not a UUID', ledger);
};

const cleanCurrencies = (raw: unknown, ledger: Ledger): string[] | null | undefined => {
  const codes = requireList(raw, 'currency', ledger);
  if (codes === undefined || codes === null) return codes;
  const wrong = codes.find((code) => !/^[A-Za-z]{3}$/.test(code));
  if (wrong !== undefined) return ledger.refuse('currency', `${quote(wrong)} is not an ISO 4217 code`);
  const upper = codes.map((code) => code.toUpperCase());
  if (upper.some((code, index) => code !== codes[index])) ledger.change('currency', 'is written in capitals');
  return [...new Set(upper)];
};

const withoutUndefined = (value: object): object =>
  Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined));

const cleanMembers = (loose: LooseRecord, ledger: Ledger, usualCountry: string | undefined): object => {
  const { values } = loose;
  const atmid = cleanAtmid(loose, ledger);
  const listOf = (name: 'accessibilityFeatures' | 'additionalATMServices') =>
    cleanList(values[name], name, ledger);
  const accessible = listOf('accessibilityFeatures');
  const offered = requireList(values.atmServices, 'atmServices', ledger);
  return withoutUndefined({
    id: cleanId(loose, atmid, ledger),
    code: cleanText(values.code, 'code', ledger),
    name: cleanText(values.name, 'name', ledger),
    description: cleanText(values.description, 'description', ledger),
    branchCode: cleanText(values.branchCode, 'branchCode', ledger),
    atmid,
    locationCategory: oneKnown(values.locationCategory, categories, 'locationCategory', ledger),
    address: loose.address && withoutUndefined(cleanAddress(loose.address, ledger, usualCountry)),
    geographicLocation: cleanLocation(loose, ledger),
    accessibilityFeatures: keepKnown(accessible, features, 'accessibilityFeatures', ledger),
    supportedLanguages: requireList(values.supportedLanguages, 'supportedLanguages', ledger),
    atmServices: keepKnown(offered, services, 'atmServices', ledger),
    additionalATMServices: listOf('additionalATMServices'),
    currency: cleanCurrencies(values.currency, ledger),
    minimumValueDispensed: cleanMinimum(values.minimumValueDispensed, ledger),
    telephoneNumber: cleanTelephone(values.telephoneNumber, ledger),
  });
};

const root = (finding: Finding): string => finding.field.split(/[.[]/, 1)[0] ?? '';

/** `usualCountry` is for addresses that name none. */
export const repairRecord = (loose: LooseRecord, usualCountry?: string): RepairOutcome => {
  const ledger = openLedger(loose.changes, loose.faults);
  const { changes, faults } = ledger;
  if (faults.some(({ field }) => field === 'record')) return { atm: undefined, id: null, changes, faults };
  const members = cleanMembers(loose, ledger, usualCountry);
  // A member refused above is missing now, and so is an id that would have been made from atmid: no need to say it twice.
  const reported = new Set(faults.map(root));
  if (reported.has('atmid')) reported.add('id');
  faults.push(...atmFaults(members).filter((fault) => !reported.has(root(fault))));
  const id = 'id' in members && typeof members.id === 'string' ? members.id : null;
  return { atm: faults.length === 0 ? (members as Atm) : undefined, id, changes, faults };
};
