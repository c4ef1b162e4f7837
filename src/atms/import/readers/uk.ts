/**
 * Reads UK Open Data v2 (`data[].Brand[].ATM[]`); each of the three may be one object instead of a list. What it has beyond
 * the contract is reported as left out.
 */
import { LOCATION_CATEGORIES } from '../../atm.js';
import type { Finding } from '../../check-atm.js';
import { ImportError } from '../result.js';
import {
  isObject,
  type JsonObject,
  LEFT_OUT,
  type LoosePoint,
  type LooseRecord,
  leftOver,
  unreadable,
} from './loose.js';

const USED = {
  atm: new Set([
    'Identification',
    'SupportedLanguages',
    'ATMServices',
    'Accessibility',
    'SupportedCurrencies',
    'MinimumPossibleAmount',
    'Note',
    'OtherATMServices',
    'Branch',
    'Location',
  ]),
  branch: new Set(['Identification']),
  location: new Set(['LocationCategory', 'Site', 'PostalAddress']),
  site: new Set(['Name']),
  address: new Set([
    'AddressLine',
    'BuildingNumber',
    'StreetName',
    'TownName',
    'Country',
    'PostCode',
    'GeoLocation',
  ]),
} as const;

/** A nested object; anything else in its place is reported, because its content is lost. */
const part = (source: JsonObject, name: string, changes: Finding[]): JsonObject => {
  const value = source[name];
  if (isObject(value)) return value;
  if (value !== undefined && value !== null)
    changes.push({ field: name, reason: 'is not an object; left out' });
  return {};
};

/** Several lines make one text. A value that is no list of lines is handed on for the shared checks to judge. */
const joined = (value: unknown, separator: string): unknown => {
  if (!Array.isArray(value)) return value;
  if (value.length === 0) return undefined;
  if (!value.every((line) => typeof line === 'string')) return value;
  const lines = value.map((line) => line.trim()).filter((line) => line !== '');
  return lines.length === 1 ? value[0] : lines.join(separator);
};

/** `{ Code, Name, Description }`: the contract has one text for each. */
const otherServices = (value: unknown, changes: Finding[]): unknown => {
  if (!Array.isArray(value)) return value;
  if (
    value.some(
      (item: unknown) => isObject(item) && 'Code' in item && ('Name' in item || 'Description' in item),
    )
  ) {
    changes.push({ field: 'OtherATMServices.Code', reason: LEFT_OUT });
  }
  return value.map((item: unknown) => {
    if (!isObject(item)) return item;
    const { Name: name, Description: description } = item;
    return typeof name === 'string' && typeof description === 'string' && name !== description
      ? `${name}: ${description}`
      : (name ?? description ?? item.Code);
  });
};

/** The contract has one category, the UK feed a list: the first that the contract knows, else the first. */
const oneCategory = (value: unknown, changes: Finding[]): unknown => {
  if (!Array.isArray(value)) return value;
  if (value.length > 1) {
    changes.push({ field: 'locationCategory', reason: `has one value; one of the ${value.length} is kept` });
  }
  return (
    value.find((item: unknown) => (LOCATION_CATEGORIES as readonly unknown[]).includes(item)) ?? value[0]
  );
};

/** The lines without town and postcode, which have members of their own. */
const streetLines = (value: unknown, { TownName, PostCode }: JsonObject): unknown => {
  if (!Array.isArray(value) || !value.every((line) => typeof line === 'string')) return value;
  const plain = (text: unknown): string => (typeof text === 'string' ? text.trim().toLowerCase() : '');
  const [town, code] = [plain(TownName), plain(PostCode)];
  const withoutCode = value.map((line) => {
    const text = line.trim();
    return code !== '' && plain(text).endsWith(` ${code}`) ? text.slice(0, -code.length).trim() : text;
  });
  const lines = [...new Set(withoutCode)].filter((line) => ![town, code].includes(plain(line)));
  return lines.length === 0 ? undefined : lines;
};

const streetOf = (address: JsonObject, changes: Finding[]): unknown => {
  const { StreetName: street, AddressLine: lines } = address;
  if (street === undefined || street === null || street === '') {
    const kept = joined(streetLines(lines, address), ', ');
    if (kept !== undefined && kept !== null)
      changes.push({ field: 'address.street', reason: 'is missing; AddressLine instead' });
    return kept;
  }
  if (Array.isArray(lines) && lines.length > 0) {
    changes.push({ field: 'AddressLine', reason: 'StreetName is the street; AddressLine is left out' });
  }
  return street;
};

const pointOf = (address: JsonObject, changes: Finding[]): LoosePoint | undefined => {
  const location = part(address, 'GeoLocation', changes);
  const { Latitude: latitude, Longitude: longitude } = part(location, 'GeographicCoordinates', changes);
  return latitude === undefined && longitude === undefined ? undefined : { latitude, longitude };
};

const readAtm = (atm: unknown, brand: string): LooseRecord => {
  if (!isObject(atm)) return unreadable('is not an object');
  const changes: Finding[] = [];
  const branch = part(atm, 'Branch', changes);
  const location = part(atm, 'Location', changes);
  const site = part(location, 'Site', changes);
  const address = part(location, 'PostalAddress', changes);
  changes.push(
    ...leftOver(atm, USED.atm),
    ...leftOver(branch, USED.branch, 'Branch.'),
    ...leftOver(location, USED.location, 'Location.'),
    ...leftOver(site, USED.site, 'Location.Site.'),
    ...leftOver(address, USED.address, 'Location.PostalAddress.'),
  );
  return {
    values: {
      name: site.Name,
      description: joined(atm.Note, ' '),
      branchCode: branch.Identification,
      // The contract lets atmid and country be null; a null here only means that the feed does not know.
      atmid: atm.Identification ?? undefined,
      locationCategory: oneCategory(location.LocationCategory, changes),
      accessibilityFeatures: atm.Accessibility,
      supportedLanguages: atm.SupportedLanguages,
      atmServices: atm.ATMServices,
      additionalATMServices: otherServices(atm.OtherATMServices, changes),
      currency: atm.SupportedCurrencies,
      minimumValueDispensed: atm.MinimumPossibleAmount,
    },
    address: {
      street: streetOf(address, changes),
      buildingNumber: address.BuildingNumber,
      city: address.TownName,
      postalCode: address.PostCode,
      country: address.Country ?? undefined,
    },
    point: pointOf(address, changes),
    brand,
    idIsMeant: false,
    changes,
    faults: [],
  };
};

/** A list, or the one object that stands in its place. */
const listOf = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value;
  return isObject(value) ? [value] : undefined;
};

const readBrand = (brand: unknown): LooseRecord[] => {
  if (!isObject(brand)) return [unreadable('is a Brand that is not an object')];
  const { BrandName: name } = brand;
  const atms = listOf(brand.ATM);
  if (!atms) return [unreadable('is a Brand without the list ATM')];
  return atms.map((atm: unknown) => readAtm(atm, typeof name === 'string' ? name.trim() : ''));
};

export const isUkDocument = (document: unknown): boolean =>
  isObject(document) &&
  (listOf(document.data) ?? []).some((entry) => isObject(entry) && listOf(entry.Brand) !== undefined);

export const readUk = (document: unknown): LooseRecord[] => {
  if (!isUkDocument(document) || !isObject(document)) {
    throw new ImportError('the JSON is not UK Open Data v2: data[].Brand[].ATM[] is missing');
  }
  return (listOf(document.data) ?? []).flatMap(
    (entry) =>
      (isObject(entry) ? listOf(entry.Brand) : undefined)?.flatMap(readBrand) ?? [
        unreadable('is an entry of data without the list Brand'),
      ],
  );
};
