/** Reads a GeoJSON FeatureCollection of points; properties have the contract's names or OpenStreetMap's tags. */
import { ADDRESS_MEMBERS, ATM_MEMBERS, type AtmAddress } from '../../atm.js';
import type { Finding } from '../../check-atm.js';
import { isListMember } from '../../csv-cells.js';
import { ImportError } from '../result.js';
import {
  isObject,
  type JsonObject,
  type LooseAddress,
  type LoosePoint,
  type LooseRecord,
  type LooseValues,
  leftOver,
  unreadable,
} from './loose.js';
import { readTags } from './osm-tags.js';

const flatAddressNames = ADDRESS_MEMBERS.map((name) => `address.${name}`);
const contractNames: ReadonlySet<string> = new Set([...ATM_MEMBERS, ...flatAddressNames]);

/** A nested object, or flat `address.street` properties as map editors write them. */
const addressOf = (properties: JsonObject): LooseAddress => {
  const nested = properties.address;
  const address: Partial<Record<keyof AtmAddress, unknown>> = {};
  ADDRESS_MEMBERS.forEach((name, index) => {
    const value = isObject(nested) ? nested[name] : properties[flatAddressNames[index] ?? ''];
    if (value !== undefined) address[name] = value;
  });
  return address;
};

const addressLeftOver = (properties: JsonObject): Finding[] => {
  const nested = properties.address;
  if (nested === undefined || nested === null) return [];
  if (!isObject(nested)) return [{ field: 'address', reason: 'is not an object; left out' }];
  return leftOver(nested, new Set(ADDRESS_MEMBERS), 'address.');
};

const membersOf = (properties: JsonObject): LooseValues => {
  const values: Record<string, unknown> = {};
  for (const member of ATM_MEMBERS) {
    const value = properties[member];
    if (member === 'address' || value === undefined) continue;
    // Map editors and OpenStreetMap write lists as one text.
    values[member] = isListMember(member) && typeof value === 'string' ? splitList(value) : value;
  }
  return values;
};

const splitList = (text: string): string[] => (text.trim() === '' ? [] : text.split(/[|;]/));

/** GeoJSON puts the longitude first. */
const pointOf = (geometry: unknown, changes: Finding[], faults: Finding[]): LoosePoint | undefined => {
  if (geometry === null || geometry === undefined) return undefined;
  const { type, coordinates } = isObject(geometry) ? geometry : ({} as JsonObject);
  if (type !== 'Point' || !Array.isArray(coordinates)) {
    faults.push({ field: 'geometry', reason: 'is not a Point' });
    return undefined;
  }
  if (coordinates.length > 2) changes.push({ field: 'geometry', reason: 'has a height; left out' });
  return { latitude: coordinates[1], longitude: coordinates[0] };
};

/** The text stands as long as it names the same point: numbers lose final zeros. A point moved on the map wins. */
const isSamePlace = (written: unknown, point: LoosePoint): boolean => {
  if (typeof written !== 'string') return false;
  const [latitude, longitude] = written.split(',').map(Number);
  return latitude === point.latitude && longitude === point.longitude;
};

const readFeature = (feature: unknown): LooseRecord => {
  if (!isObject(feature)) return unreadable('is not an object');
  if (feature.type !== 'Feature') return unreadable('is not a Feature');
  const properties = isObject(feature.properties) ? feature.properties : {};
  const members = membersOf(properties);
  const tags = readTags(properties);
  const faults: Finding[] = [];
  const changes: Finding[] = [];
  const point = pointOf(feature.geometry, changes, faults);
  return {
    values: { ...tags.values, ...members, id: members.id ?? feature.id },
    address: { ...tags.address, ...addressOf(properties) },
    point: point && !isSamePlace(members.geographicLocation, point) ? point : undefined,
    brand: tags.brand,
    idIsMeant: false,
    changes: [
      ...changes,
      ...tags.changes,
      ...addressLeftOver(properties),
      ...leftOver(properties, new Set([...contractNames, ...tags.used])),
    ],
    faults,
  };
};

export const isGeoJson = (document: unknown): boolean =>
  isObject(document) && document.type === 'FeatureCollection';

export const readGeoJson = (document: unknown): LooseRecord[] => {
  const features = isObject(document) && isGeoJson(document) ? document.features : undefined;
  if (!Array.isArray(features)) {
    throw new ImportError('the JSON is not a GeoJSON FeatureCollection with a list "features"');
  }
  return features.map(readFeature);
};
