/** Reads a GeoJSON FeatureCollection; properties have the contract's names or OpenStreetMap's tags. */

import { isUuid } from '../../../lib/id.js';
import { ADDRESS_MEMBERS, ATM_MEMBERS, type AtmAddress } from '../../atm.js';
import type { Finding } from '../../check-atm.js';
import { isListMember } from '../../csv-cells.js';
import { ImportError } from '../result.js';
import { showName } from '../show.js';
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
const contractNames: ReadonlySet<string> = new Set([...ATM_MEMBERS, ...ADDRESS_MEMBERS, ...flatAddressNames]);

/** A nested object, or flat properties as map editors write them: `address.street`, or `street`. */
const addressOf = (properties: JsonObject): LooseAddress => {
  const nested = properties.address;
  const address: Partial<Record<keyof AtmAddress, unknown>> = {};
  ADDRESS_MEMBERS.forEach((name, index) => {
    const value = isObject(nested)
      ? nested[name]
      : (properties[flatAddressNames[index] ?? ''] ?? properties[name]);
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

type Position = readonly [unknown, unknown, ...unknown[]];

const positionsIn = (coordinates: unknown): Position[] => {
  if (!Array.isArray(coordinates)) return [];
  return Array.isArray(coordinates[0])
    ? coordinates.flatMap(positionsIn)
    : [coordinates as unknown as Position];
};

/** A building on the map stands at the middle of its outline. */
const middleOf = (positions: readonly Position[]): LoosePoint => {
  const middle = (index: 0 | 1): number => {
    const values = positions.map((position) => Number(position[index]));
    // A spread would put a long outline on the stack.
    const [least, most] = values.reduce(
      ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ) as [number, number];
    return Number(((least + most) / 2).toFixed(7));
  };
  return { latitude: middle(1), longitude: middle(0) };
};

/** GeoJSON puts the longitude first. */
const pointOf = (geometry: unknown, changes: Finding[], faults: Finding[]): LoosePoint | undefined => {
  if (geometry === null || geometry === undefined) return undefined;
  const { type, coordinates } = isObject(geometry) ? geometry : ({} as JsonObject);
  const positions = positionsIn(coordinates);
  if (!['Point', 'Polygon', 'MultiPolygon'].includes(String(type)) || positions.length === 0) {
    faults.push({ field: 'geometry', reason: 'is neither a Point nor an outline' });
    return undefined;
  }
  if (type !== 'Point' || !Array.isArray(coordinates)) {
    changes.push({ field: 'geometry', reason: 'is an outline; its middle instead' });
    return middleOf(positions);
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

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

/** How overpass turbo, osmtogeojson, QuickOSM and others name the element; else the id of the feature, if it is no UUID. */
const idOnMap = (
  feature: JsonObject,
  properties: JsonObject,
): { readonly id: string; readonly used: readonly string[] } | undefined => {
  const { osm_type: kind, osm_id: number } = properties;
  const whole = isBlank(kind) || isBlank(number) ? undefined : `${String(kind)}/${String(number)}`;
  const candidates = [properties['@id'], whole, properties.full_id, number, feature.id, properties.id];
  const found = candidates.find(
    (each) => typeof each === 'number' || (typeof each === 'string' && each !== ''),
  );
  if (found === undefined || isUuid(String(found))) return undefined;
  const id = /(?:node|way|relation)\/\d+$/.exec(String(found))?.[0] ?? String(found);
  return { id, used: ['@id', 'osm_type', 'osm_id', 'full_id'] };
};

const readFeature = (feature: unknown): LooseRecord => {
  if (!isObject(feature)) return unreadable('is not an object');
  if (feature.type !== 'Feature') return unreadable('is not a Feature');
  const own = isObject(feature.properties) ? feature.properties : {};
  // Some tools keep the tags of OpenStreetMap in a member of their own.
  const { tags: nested, ...plain } = own;
  const properties = isObject(nested) ? { ...plain, ...nested } : own;
  const members = membersOf(properties);
  const tags = readTags(properties);
  const mapId = isBlank(members.atmid ?? tags.values.atmid) ? idOnMap(feature, properties) : undefined;
  const faults: Finding[] = [];
  const changes: Finding[] = [];
  const point = pointOf(feature.geometry, changes, faults);
  return {
    values: {
      ...tags.values,
      ...members,
      ...(mapId && { atmid: mapId.id }),
      id: members.id ?? feature.id,
    },
    address: { ...tags.address, ...addressOf(properties) },
    point: point && !isSamePlace(members.geographicLocation, point) ? point : undefined,
    // The map's ids are unique by themselves, and owners change.
    brand: mapId ? '' : tags.brand,
    idIsMeant: false,
    changes: [
      ...changes,
      ...(mapId ? [{ field: 'atmid', reason: 'is missing; the id on the map instead' }] : []),
      ...tags.changes,
      ...addressLeftOver(properties),
      ...leftOver(properties, new Set([...contractNames, ...tags.used, ...(mapId?.used ?? [])])),
    ],
    faults,
  };
};

/** RFC 7946 knows WGS 84 alone; older files may name another system, whose numbers would be refused one by one. */
const assertWgs84 = (crs: unknown): void => {
  const name = isObject(crs) && isObject(crs.properties) ? crs.properties.name : undefined;
  if (typeof name === 'string' && !/CRS84|4326/.test(name))
    throw new ImportError(`the coordinates are in ${showName(name)}; save the file in WGS 84 (EPSG:4326)`);
};

export const isGeoJson = (document: unknown): boolean =>
  isObject(document) && document.type === 'FeatureCollection';

export const readGeoJson = (document: unknown): LooseRecord[] => {
  const features = isObject(document) && isGeoJson(document) ? document.features : undefined;
  if (!Array.isArray(features)) {
    throw new ImportError('the JSON is not a GeoJSON FeatureCollection with a list "features"');
  }
  assertWgs84(isObject(document) ? document.crs : undefined);
  return features.map(readFeature);
};
