/** What the tags of OpenStreetMap say about an ATM, under the contract's names. */
import type { AccessibilityFeature, AtmService } from '../../atm.js';
import type { Finding } from '../../check-atm.js';
import type { JsonObject, LooseAddress, LooseValues } from './loose.js';

interface TagReading {
  readonly values: LooseValues;
  readonly address: LooseAddress;
  readonly brand: string;
  readonly used: readonly string[];
  readonly changes: readonly Finding[];
}

const ADDRESS_TAGS = {
  street: 'addr:street',
  buildingNumber: 'addr:housenumber',
  city: 'addr:city',
  postalCode: 'addr:postcode',
  country: 'addr:country',
} as const;

const FEATURE_TAGS: readonly (readonly [string, AccessibilityFeature])[] = [
  ['wheelchair', 'WheelchairAccess'],
  ['drive_through', 'DriveThru'],
  ['speech_output', 'AudioCashMachine'],
];

const YES_OR_NO: ReadonlySet<string> = new Set(['yes', 'no', 'designated', 'only']);

const says = (value: unknown): string => (typeof value === 'string' ? value.trim().toLowerCase() : '');
const isYes = (value: unknown): boolean => ['yes', 'designated', 'only'].includes(says(value));

/** `currency:EUR=yes` gives EUR. */
const suffixes = (tags: JsonObject, prefix: string): string[] | undefined => {
  const names = Object.keys(tags).filter((name) => name.startsWith(prefix));
  return names.length === 0
    ? undefined
    : names.filter((name) => isYes(tags[name])).map((name) => name.slice(prefix.length));
};

/** Undefined when no tag says anything; an empty list when all of them say no. */
const featuresOf = (tags: JsonObject): AccessibilityFeature[] | undefined => {
  const spoken = FEATURE_TAGS.filter(([tag]) => tags[tag] !== undefined);
  return spoken.length === 0
    ? undefined
    : spoken.filter(([tag]) => isYes(tags[tag])).map(([, feature]) => feature);
};

/** `amenity=atm`, or a bank with `atm=yes`, is a machine that gives out cash, unless it says otherwise. */
const servicesOf = (tags: JsonObject): AtmService[] | undefined => {
  const services: AtmService[] = [];
  const isMachine = says(tags.amenity) === 'atm' || isYes(tags.atm);
  if (isMachine && says(tags.cash_out) !== 'no') services.push('CashWithdrawal');
  if (isYes(tags.cash_in)) services.push('CashDeposits');
  const silent = tags.amenity === undefined && tags.cash_in === undefined;
  return silent ? undefined : services;
};

const defined = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** `currency:others` names no currency. */
const currencies = (tags: JsonObject): string[] | undefined =>
  suffixes(tags, 'currency:')?.filter((name) => /^[A-Z]{3}$/i.test(name));

/** `wheelchair=limited` is neither yes nor no: accessibility is not promised, and a finding says so. */
const doubts = (tags: JsonObject): Finding[] =>
  [...FEATURE_TAGS.map(([tag]) => tag), 'cash_in', 'cash_out']
    .filter((tag) => tags[tag] !== undefined && tags[tag] !== null && !YES_OR_NO.has(says(tags[tag])))
    .map((tag) => ({ field: tag, reason: 'is neither yes nor no; taken as no' }));

export const readTags = (tags: JsonObject): TagReading => {
  const owner = [tags.brand, tags.operator].find((value) => says(value) !== '');
  const phone = tags.phone ?? tags['contact:phone'];
  return {
    values: defined({
      atmid: tags.ref,
      name: owner,
      telephoneNumber: phone,
      accessibilityFeatures: featuresOf(tags),
      atmServices: servicesOf(tags),
      currency: currencies(tags),
      supportedLanguages: suffixes(tags, 'language:'),
    }),
    address: defined({
      street: tags[ADDRESS_TAGS.street],
      buildingNumber: tags[ADDRESS_TAGS.buildingNumber],
      city: tags[ADDRESS_TAGS.city],
      postalCode: tags[ADDRESS_TAGS.postalCode],
      country: tags[ADDRESS_TAGS.country],
    }),
    brand: typeof owner === 'string' ? owner.trim() : '',
    used: [
      ...['ref', 'brand', 'operator', 'phone', 'contact:phone', 'amenity', 'atm', 'cash_in', 'cash_out'],
      ...Object.values(ADDRESS_TAGS),
      ...FEATURE_TAGS.map(([tag]) => tag),
      ...Object.keys(tags).filter((name) => /^(currency:[a-z]{3}$|language:)/i.test(name)),
    ],
    changes: doubts(tags),
  };
};
