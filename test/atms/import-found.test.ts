/** Files as they are found: OpenStreetMap exports, UK files with their deviations, and the summary of what was dropped. */
import { describe, expect, it } from 'vitest';
import { kindsOf } from '../../src/atms/import/summary.js';
import { changesOf, faultsOf, importJson } from './support.js';

describe('UK Open Data as it is published', () => {
  it('takes one object in the place of each list, as real files have it', () => {
    const atm = { Identification: '1', Location: { PostalAddress: { Country: 'GB' } } };
    const brands = { BrandName: 'One', ATM: [atm] };
    const asLists = importJson({ data: [{ Brand: [brands] }] });
    expect(asLists.accepted).toHaveLength(1);
    for (const data of [{ Brand: [brands] }, { Brand: { ...brands, ATM: atm } }, [{ Brand: brands }]])
      expect(importJson({ meta: { TotalResults: 1 }, data })).toEqual(asLists);
  });

  it('makes a street of the address lines without repeating town and postcode', () => {
    const street = (lines: readonly string[]) => {
      const address = { Country: 'GB', TownName: 'LONDON', PostCode: 'ZZ1 1ZZ', AddressLine: lines };
      const atm = { Identification: '1', Location: { PostalAddress: address } };
      const result = importJson({ data: { Brand: [{ BrandName: 'One', ATM: [atm] }] } });
      return [result.accepted[0]?.address.street, changesOf(result)] as const;
    };
    const [found, changes] = street(['South End', 'Old Palace ZZ1 1ZZ', 'Old Palace', 'London', 'ZZ1 1ZZ']);
    expect(found).toBe('South End, Old Palace');
    expect(changes).toContain('address.street: is missing; AddressLine instead');
    expect(street(['London'])[0]).toBeUndefined();
  });
});

describe('OpenStreetMap as it is exported', () => {
  const feature = (properties: object, more: object = {}) => ({
    type: 'Feature',
    properties: { amenity: 'atm', operator: 'Τράπεζα', ...properties },
    geometry: { type: 'Point', coordinates: [23.72, 37.98] },
    ...more,
  });
  const read = (features: readonly object[], country?: string, more: object = {}) =>
    importJson({ type: 'FeatureCollection', ...more, features }, undefined, country);

  it('without ref and country takes the id on the map, and the country that was told', () => {
    const result = read([feature({ '@id': 'node/1' }, { id: 'node/1' })], 'GR');
    expect(result.accepted).toMatchObject([
      { atmid: 'node/1', address: { country: 'GR' }, geographicLocation: '37.98,23.72', name: 'Τράπεζα' },
    ]);
    expect(changesOf(result)).toEqual(
      expect.arrayContaining([
        'atmid: is missing; the id on the map instead',
        'address.country: is missing; GR as told',
      ]),
    );
    expect(faultsOf(read([feature({ '@id': 'node/1' })]))).toEqual(['address.country: is missing']);
  });

  it.each([
    ['overpass turbo', { '@id': 'way/7' }, {}, 'way/7'],
    ['an address of the website', { '@id': 'https://www.openstreetmap.org/way/7' }, {}, 'way/7'],
    ['QuickOSM', { full_id: 'w7', osm_id: '7', osm_type: 'way' }, {}, 'way/7'],
    ['osm2geojson', { osm_id: 7, osm_type: 'way', tags: { amenity: 'atm' } }, {}, 'way/7'],
    ['the id of the feature alone', {}, { id: 'way/7' }, 'way/7'],
    ['a number of the bank', { id: '5328001' }, {}, '5328001'],
    ['a ref', { '@id': 'node/1', ref: 'A1' }, {}, 'A1'],
  ])('by %s', (_tool, properties, more, atmid) => {
    expect(read([feature(properties, more)], 'GR').accepted).toMatchObject([{ atmid }]);
  });

  it('keeps the id of a machine when its owner changes, and needs some id', () => {
    const idOf = (operator: string) => read([feature({ '@id': 'node/1', operator })], 'GR').accepted[0]?.id;
    expect(idOf('One')).toBe(idOf('Two'));
    expect(faultsOf(read([feature({})], 'GR'))).toEqual(['atmid: is missing']);
  });

  it('a bank with a machine, an outline, and a currency without a name', () => {
    const ring = [
      [
        [20, 40],
        [22, 40],
        [22, 41],
        [20, 41],
        [20, 40],
      ],
    ];
    const bank = feature(
      { '@id': 'way/2', amenity: 'bank', atm: 'yes', 'currency:EUR': 'yes', 'currency:others': 'yes' },
      { geometry: { type: 'Polygon', coordinates: ring } },
    );
    const result = read([bank], 'GR');
    expect(result.accepted).toMatchObject([
      { atmServices: ['CashWithdrawal'], geographicLocation: '40.5,21.0', currency: ['EUR'] },
    ]);
    expect(changesOf(result)).toEqual(
      expect.arrayContaining([
        'geometry: is an outline; its middle instead',
        'currency:others: has no place in the contract; left out',
      ]),
    );
  });

  it('in another system of coordinates is refused as a whole', () => {
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::2100' } };
    expect(() => read([feature({ '@id': 'node/1' })], 'GR', { crs })).toThrow(
      'the coordinates are in urn:ogc:def:crs:EPSG::2100; save the file in WGS 84 (EPSG:4326)',
    );
  });
});

describe('the summary by kind', () => {
  const changes = (values: readonly string[]) =>
    values.map((value) => [{ field: 'atmServices', reason: `"${value}" is not known; dropped` }]);

  it('counts records, the most frequent kind first', () => {
    expect(
      kindsOf([...changes(['A', 'B', 'B']), [{ field: 'currency[2]', reason: 'is not a text' }]]),
    ).toEqual([
      { field: 'atmServices', reason: '"B" is not known; dropped', records: 2 },
      { field: 'atmServices', reason: '"A" is not known; dropped', records: 1 },
      { field: 'currency[]', reason: 'is not a text', records: 1 },
    ]);
  });

  it('is short even if every record has a value of its own', () => {
    const many = Array.from({ length: 1000 }, (_, index) => `value ${index}`);
    expect(kindsOf(changes(many))).toEqual([
      { field: 'atmServices', reason: '"…" is not known; dropped', records: 1000 },
    ]);
  });
});
