/** The four formats: recognised by content, read with all their dirt, nothing dropped silently. */
import { describe, expect, it } from 'vitest';
import { changesOf, faultsOf, importFixture, importJson, plainRecord } from './support.js';

const csv = (...rows: string[]) => importJson(rows.join('\n'));
const HEAD = 'id,atmid,address.country,supportedLanguages,atmServices,currency,telephoneNumber';

describe("the contract's own shape", () => {
  it('reads a dirty file and tells everything it repaired and refused', () => {
    const result = importFixture('contract-dirty.json');
    expect(result).toMatchObject({ format: 'json', read: 5 });
    expect(result.accepted).toEqual([
      {
        id: '5b0c0c3e-5d3d-4c7a-9b1b-0a2f5e7c9d01',
        code: 'F-001',
        name: 'Fictional Bank, Πλατεία',
        atmid: 'FIC00001',
        locationCategory: 'BranchExternal',
        address: {
          street: 'Κεντρική',
          buildingNumber: '7',
          city: 'Αθήνα',
          postalCode: '105 64',
          country: 'GR',
        },
        geographicLocation: '38.0,23.7',
        accessibilityFeatures: ['WheelchairAccess'],
        supportedLanguages: ['el'],
        atmServices: ['Balance', 'CashWithdrawal'],
        currency: ['EUR'],
        minimumValueDispensed: '\u039C\u0399\u039D_10',
        telephoneNumber: '+30-2100000001',
      },
    ]);
    expect(changesOf(result)).toEqual([
      'id: "5B0C0C3E-5D3D-4C7A-9B1B-0A2F5E7C9D01" is written 5b0c0c3e-5d3d-4c7a-9b1b-0a2f5e7c9d01',
      'name: had blanks around it',
      'locationCategory: "branch_external" is written BranchExternal',
      'address.buildingNumber: is a number; written as text',
      'address.country: "gr" is written GR',
      'geographicLocation: "38,23.7" is written 38.0,23.7',
      'accessibilityFeatures: "wheelchair access" is written WheelchairAccess',
      'accessibilityFeatures: "Escalator" is not a value of the contract; dropped',
      'supportedLanguages: names "el" twice; once is enough',
      'supportedLanguages: had an empty entry; dropped',
      'atmServices: "cash_withdrawal" is written CashWithdrawal',
      'atmServices: "PINUnblock" is not a value of the contract; dropped',
      'currency: is written in capitals',
      'minimumValueDispensed: "€10" is written \u039C\u0399\u039D_10 (Greek letters)',
      'telephoneNumber: "+30 210 0000001" is written +30-2100000001',
    ]);
    expect(result.refused.map(({ record, id }) => [record, id])).toEqual([
      [2, '5b0c0c3e-5d3d-4c7a-9b1b-0a2f5e7c9d02'],
      [3, null],
      [4, '5b0c0c3e-5d3d-4c7a-9b1b-0a2f5e7c9d01'],
      [5, null],
    ]);
    expect(faultsOf(result, 3)).toEqual([
      'openingHours: is not a member of the contract',
      'address.planet: is not a member of the contract',
      'id: "not-a-uuid" is not a UUID',
    ]);
    expect(faultsOf(result, 4)).toEqual(['id: is the same as in record 1']);
    expect(faultsOf(result, 5)).toEqual(['record: is not an object']);
  });

  it('may be an array or an object with one array, but not one with two', () => {
    expect(importJson([plainRecord])).toMatchObject({ format: 'json', read: 1, repaired: [], refused: [] });
    expect(importJson({ count: 1, list: [plainRecord] })).toMatchObject({ format: 'json', read: 1 });
    expect(() => importJson({ a: [plainRecord], b: [] })).toThrow(/format is not known/);
  });
});

describe('UK Open Data v2', () => {
  it('reads a dirty file and tells everything it repaired, left out and refused', () => {
    const result = importFixture('uk-dirty.json');
    expect(result).toMatchObject({ format: 'uk', read: 4 });
    expect(result.accepted).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'MIDDLETON 1',
        description: 'Beside the entrance.',
        branchCode: '0042',
        atmid: 'FB000001',
        locationCategory: 'BranchExternal',
        address: {
          street: '1 High Street, Old Town',
          city: 'Middleton',
          postalCode: 'ZZ1 1ZZ',
          country: 'GB',
        },
        geographicLocation: '52.12345679,-1.0',
        accessibilityFeatures: ['WheelchairAccess'],
        supportedLanguages: ['en', 'cy'],
        atmServices: ['CashWithdrawal', 'Balance'],
        additionalATMServices: ['Receipt: A receipt on paper'],
        currency: ['GBP'],
        minimumValueDispensed: '\u039C\u0399\u039D_10',
        telephoneNumber: null,
      },
    ]);
    expect(changesOf(result)).toEqual([
      'Access24HoursIndicator: has no place in the contract; left out',
      'Location.Site.Identification: has no place in the contract; left out',
      'Location.PostalAddress.CountrySubDivision: has no place in the contract; left out',
      'locationCategory: has one value; one of the 2 is kept',
      'OtherATMServices.Code: has no place in the contract; left out',
      'address.street: is missing; AddressLine instead',
      'id: is missing; made from brand and atmid',
      'address.postalCode: had blanks around it',
      'address.country: "UK" is written GB',
      'geographicLocation: has a latitude with more than 8 decimals; rounded',
      'accessibilityFeatures: "Other" is not a value of the contract; dropped',
      'atmServices: "PINUnblock" is not a value of the contract; dropped',
      'minimumValueDispensed: "£10" is written \u039C\u0399\u039D_10 (Greek letters)',
      'telephoneNumber: is missing; null instead',
    ]);
    expect(faultsOf(result, 2)).toEqual(['address.country: is missing']);
    expect(faultsOf(result, 3)).toEqual([
      'geographicLocation: has a latitude of 152.1, which is not between -90 and 90',
    ]);
    expect(faultsOf(result, 4)).toEqual(['id: is the same as in record 1']);
  });

  it('gives the same machine the same id in every import, and another one to each brand', () => {
    const feed = (brand: string) => ({
      data: [
        {
          Brand: [
            {
              BrandName: brand,
              ATM: [{ Identification: '1', Location: { PostalAddress: { Country: 'GB' } } }],
            },
          ],
        },
      ],
    });
    const id = (brand: string) => importJson(feed(brand)).accepted[0]?.id;
    expect(id('One')).toBe(id(' One '));
    expect(id('One')).not.toBe(id('Two'));
  });

  it('counts broken brands as refused records', () => {
    const result = importJson({ data: [{ Brand: [7, { BrandName: 'x' }, { ATM: ['y'] }] }, { Brands: [] }] });
    expect(result).toMatchObject({ read: 4, accepted: [] });
    expect(result.refused.flatMap(({ faults }) => faults.map(({ field }) => field))).toEqual(
      Array(4).fill('record'),
    );
  });

  it('tells when something stands where an object belongs', () => {
    const atm = {
      Identification: '1',
      Branch: '0042',
      Location: { PostalAddress: { Country: 'GB', GeoLocation: 'x' } },
    };
    const result = importJson({ data: [{ Brand: [{ ATM: [atm] }] }] });
    expect(changesOf(result)).toContain('Branch: is not an object; left out');
    expect(changesOf(result)).toContain('GeoLocation: is not an object; left out');
  });
});

describe('CSV', () => {
  it('reads a dirty file with byte order mark and semicolons', () => {
    const result = importFixture('dirty.csv');
    expect(result).toMatchObject({ format: 'csv', read: 6 });
    expect(result.accepted[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Πλατεία; κέντρο',
      atmid: 'FIC10001',
      address: { street: 'Ερμού', buildingNumber: '3', city: 'Αθήνα', postalCode: '105 63', country: 'GR' },
      geographicLocation: '37.97551235,23.7348',
      supportedLanguages: ['el', 'en'],
      atmServices: ['Balance', 'CashWithdrawal'],
      currency: ['EUR'],
      minimumValueDispensed: '\u039C\u0399\u039D_10',
      telephoneNumber: '+30-2100000001',
    });
    expect(result.accepted[1]).toMatchObject({ atmServices: [], telephoneNumber: null });
    expect(changesOf(result)).toContain('owner: has no place in the contract; left out');
    expect(faultsOf(result, 3)).toEqual(['atmid: is missing']);
    expect(faultsOf(result, 4)).toEqual(['address.country: is missing']);
    expect(faultsOf(result, 5)).toEqual(['id: is the same as in record 1']);
    expect(faultsOf(result, 6)).toEqual(['record: has 3 cells where the header has 16']);
  });

  it('reads tabs, names in any case, lists with | or ; and skips empty lines', () => {
    const result = csv(
      'ATMID\tAddress_Country\tSupported Languages\tATMServices\tcurrency\tTelephoneNumber',
      '',
      'A1\tGR\tel|en\tBalance;PINChange\tEUR\tnull',
      '\t\t\t\t\t',
    );
    expect(result).toMatchObject({ format: 'csv', read: 1, refused: [] });
    expect(result.accepted[0]).toMatchObject({
      supportedLanguages: ['el', 'en'],
      atmServices: ['Balance', 'PINChange'],
      telephoneNumber: null,
    });
    expect(changesOf(result)).toEqual(['id: is missing; made from atmid']);
  });

  it('tells null, empty lists, missing cells and literal text apart', () => {
    const row = ',A1,GR,[],,null,null';
    const [atm] = csv(HEAD, row).accepted;
    expect(atm).toMatchObject({
      supportedLanguages: [],
      atmServices: null,
      currency: null,
      telephoneNumber: null,
    });
    expect(changesOf(csv(HEAD, row))).toEqual([
      'atmServices: is missing; null instead',
      'id: is missing; made from atmid',
    ]);
    expect(csv(HEAD, ',\\null,GR,\\[],[],EUR,null').accepted[0]).toMatchObject({
      atmid: 'null',
      supportedLanguages: ['[]'],
    });
  });

  it('replaces an id that is no UUID by a stable one', () => {
    const result = csv(HEAD, '17,A1,GR,el,Balance,EUR,null');
    expect(changesOf(result)).toEqual(['id: is not a UUID; made from atmid']);
    expect(result.accepted[0]?.id).toBe(csv(HEAD, ',A1,GR,el,Balance,EUR,null').accepted[0]?.id);
  });

  it('names the place and the cause when cells cannot be told apart', () => {
    expect(() => csv(HEAD, ',"A1,GR')).toThrow(/near line 2: a quoted cell is never closed/);
    expect(() => csv(HEAD, ',A"1,GR')).toThrow(/a quote stands in the wrong place/);
    expect(() => csv(`${HEAD},atmid`, '')).toThrow(/two columns for atmid/);
    expect(() => importJson('name,city\nx,y')).toThrow(/format is not known/);
    expect(() => importJson('name,city\nx,y', 'csv')).toThrow(/must have a column atmid/);
  });

  it('says when two ways of writing the location compete', () => {
    const result = csv(
      `${HEAD},geographicLocation,latitude,longitude`,
      ',A1,GR,el,Balance,EUR,null,"1.5,2.5",3,4',
    );
    expect(result.accepted[0]?.geographicLocation).toBe('1.5,2.5');
    expect(changesOf(result)[0]).toBe(
      'latitude: geographicLocation is filled in; latitude and longitude are left out',
    );
  });
});

describe('GeoJSON', () => {
  it('reads OpenStreetMap tags and contract names, longitude first', () => {
    const result = importFixture('dirty.geojson');
    expect(result).toMatchObject({ format: 'geojson', read: 4 });
    expect(result.accepted).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Fictional Bank',
        atmid: 'FIC20001',
        address: { street: 'Ερμού', buildingNumber: '5', city: 'Αθήνα', postalCode: '105 63', country: 'GR' },
        geographicLocation: '37.9755,23.73481235',
        accessibilityFeatures: [],
        supportedLanguages: ['el'],
        atmServices: ['CashWithdrawal', 'CashDeposits'],
        currency: ['EUR'],
        telephoneNumber: '+30-2100000003',
      },
      {
        id: '5b0c0c3e-5d3d-4c7a-9b1b-0a2f5e7c9d11',
        atmid: 'FIC20002',
        address: { country: 'GR' },
        supportedLanguages: ['el', 'en'],
        atmServices: ['Balance'],
        currency: ['EUR'],
        telephoneNumber: null,
      },
    ]);
    expect(changesOf(result)).toEqual(
      expect.arrayContaining([
        'geometry: has a height; left out',
        'wheelchair: is neither yes nor no; taken as no',
        'opening_hours: has no place in the contract; left out',
        'id: is not a UUID; made from brand and atmid',
      ]),
    );
    expect(changesOf(result, 2)).toEqual([]);
    expect(faultsOf(result, 3)).toEqual(['geometry: is neither a Point nor an outline']);
    expect(faultsOf(result, 4)).toEqual(['atmid: is missing']);
  });

  it('counts features that are none', () => {
    const result = importJson({
      type: 'FeatureCollection',
      features: [null, { type: 'Point' }, { type: 'Feature' }],
    });
    expect(result).toMatchObject({ read: 3, accepted: [] });
    expect(() => importJson({ type: 'FeatureCollection' })).toThrow(/list "features"/);
  });
});
