/** The ATM schema says what the interface document says. */
import { describe, expect, it } from 'vitest';
import {
  ACCESSIBILITY_FEATURES,
  ATM_MEMBERS,
  ATM_SERVICES,
  AtmListSchema,
  AtmSchema,
  LIST_MEMBERS,
  LOCATION_CATEGORIES,
  MINIMUM_VALUES,
} from '../../src/atms/atm.js';
import { atmFaults } from '../../src/atms/check-atm.js';
import { lines, plainRecord, recordWith } from './support.js';

const faults = (changes: Readonly<Record<string, unknown>>): string[] =>
  lines(atmFaults(recordWith(changes)));

describe('the schema of an ATM', () => {
  it('lists the fixed values of the contract', () => {
    expect(LOCATION_CATEGORIES).toHaveLength(33);
    expect(ACCESSIBILITY_FEATURES).toHaveLength(10);
    expect(ATM_SERVICES).toHaveLength(15);
    expect(MINIMUM_VALUES).toHaveLength(5);
  });

  it('writes the minimum values in Greek letters: the bytes CE 9C CE 99 CE 9D 5F', () => {
    for (const value of MINIMUM_VALUES) {
      expect(Buffer.from(value).subarray(0, 7).toString('hex')).toBe('ce9cce99ce9d5f');
    }
    expect(MINIMUM_VALUES.map((value) => value.slice(4))).toEqual(['5', '10', '20', '50', '100']);
  });

  it('has the members of the contract in its order', () => {
    expect(ATM_MEMBERS.join(' ')).toBe(
      'id code name description branchCode atmid locationCategory address geographicLocation accessibilityFeatures supportedLanguages atmServices additionalATMServices currency minimumValueDispensed telephoneNumber',
    );
    const lists = ATM_MEMBERS.filter((name) => 'items' in AtmSchema.properties[name]);
    expect([...LIST_MEMBERS]).toEqual(lists);
  });

  it('writes nullable members as type arrays and the patterns with single backslashes', () => {
    const schema = JSON.parse(JSON.stringify(AtmListSchema.items)) as typeof AtmSchema;
    expect(schema.properties.code).toMatchObject({ type: ['string', 'null'], minLength: 1, maxLength: 32 });
    expect(schema.properties.currency).toMatchObject({ type: ['array', 'null'], items: { type: 'string' } });
    expect(schema.properties.geographicLocation).toMatchObject({
      pattern: String.raw`^-?\d{1,3}\.\d{1,8},-?\d{1,3}\.\d{1,8}$`,
    });
    expect(schema.properties.telephoneNumber).toMatchObject({ pattern: '^[+][0-9]{1,3}-[0-9()+-]{1,30}$' });
    expect(schema.required).toEqual([
      'id',
      'atmid',
      'address',
      'supportedLanguages',
      'atmServices',
      'currency',
      'telephoneNumber',
    ]);
  });
});

describe('the check of an ATM', () => {
  it('accepts a record of the contract, also with null wherever the contract says nullable', () => {
    expect(atmFaults(plainRecord)).toEqual([]);
    const nullable = [
      'code',
      'name',
      'description',
      'branchCode',
      'atmid',
      'geographicLocation',
      'telephoneNumber',
    ];
    const names = [...nullable, ...LIST_MEMBERS];
    expect(faults(Object.fromEntries(names.map((name) => [name, null])))).toEqual([]);
    expect(
      faults({
        address: { street: null, buildingNumber: null, city: null, postalCode: null, country: null },
      }),
    ).toEqual([]);
  });

  it('refuses null where the contract does not say nullable', () => {
    for (const name of ['id', 'locationCategory', 'address', 'minimumValueDispensed']) {
      expect(faults({ [name]: null })).not.toEqual([]);
    }
  });

  it('counts code points, not UTF-16 units', () => {
    expect(faults({ name: '😀'.repeat(256), description: '😀'.repeat(512), atmid: '😀'.repeat(32) })).toEqual(
      [],
    );
    expect(faults({ name: '😀'.repeat(257) })).toEqual(['name: is longer than 256 characters']);
    expect(
      faults({ description: 'x'.repeat(513), code: 'x'.repeat(33), branchCode: 'x'.repeat(33) }),
    ).toEqual([
      'code: is longer than 32 characters',
      'description: is longer than 512 characters',
      'branchCode: is longer than 32 characters',
    ]);
  });

  it('tells all faults, with the place of each', () => {
    expect(
      faults({
        telephoneNumber: undefined,
        extra: 1,
        address: { planet: 'Earth' },
        atmServices: ['Balance', 'Coffee'],
      }).sort(),
    ).toEqual([
      'address.country: is missing',
      'address.planet: is not a member of the contract',
      'atmServices[1]: is not one of the values of the contract',
      'extra: is not a member of the contract',
      'telephoneNumber: is missing',
    ]);
    expect(lines(atmFaults('text'))).toEqual(['record: must be object']);
  });

  it('coerces nothing', () => {
    expect(faults({ atmid: 12 })).toEqual(['atmid: must be string,null']);
    expect(faults({ currency: 'EUR' })).toEqual(['currency: must be array,null']);
  });
});
