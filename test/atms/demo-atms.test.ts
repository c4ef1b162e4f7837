/** The demo ATMs are what they promise: valid, many, Greek and always the same. */
import { describe, expect, it } from 'vitest';
import { demoAtms } from '../../packages/sandbox/src/atms/demo-atms.js';
import { LOCATION_CATEGORIES } from '../../src/atms/atm.js';
import { atmFaults } from '../../src/atms/check-atm.js';
import { bytesOf, importJson } from './support.js';

const atms = demoAtms();
const distinct = (values: readonly unknown[]): number => new Set(values).size;

describe('the demo ATMs', () => {
  it('are at least sixty, valid, with unique ids and atmids', () => {
    expect(atms.length).toBeGreaterThanOrEqual(60);
    expect(atms.flatMap(atmFaults)).toEqual([]);
    expect(distinct(atms.map(({ id }) => id))).toBe(atms.length);
    expect(distinct(atms.map(({ atmid }) => atmid))).toBe(atms.length);
    expect(distinct(atms.map(({ name }) => name))).toBe(atms.length);
  });

  it('are the same every time, and no caller can change them for the next one', () => {
    const [first] = demoAtms();
    first?.atmServices?.push('PINChange');
    expect(demoAtms()).toEqual(atms);
  });

  it('pass the import without any repair', () => {
    expect(importJson(atms)).toMatchObject({ read: atms.length, refused: [], repaired: [] });
  });

  it('lie in Greece, have Greek postal codes and telephone numbers', () => {
    for (const { geographicLocation, address, telephoneNumber } of atms) {
      if (geographicLocation) {
        const [latitude = 0, longitude = 0] = geographicLocation.split(',').map(Number);
        expect(latitude > 34.8 && latitude < 41.8 && longitude > 19.3 && longitude < 29.7).toBe(true);
      }
      expect(address.country).toBe('GR');
      expect(address.postalCode).toMatch(/^\d{3} \d{2}$/);
      if (telephoneNumber !== null) expect(telephoneNumber).toMatch(/^\+30-2\d{9}$/);
    }
  });

  it('write Greek names in Greek letters: no word mixes the two alphabets', () => {
    const texts = atms.flatMap(({ name, description, address, additionalATMServices }) => [
      name ?? '',
      description ?? '',
      address.street ?? '',
      address.city ?? '',
      ...(additionalATMServices ?? []),
    ]);
    const words = texts.flatMap((text) => text.split(/[^\p{L}\p{M}\p{N}]+/u));
    const mixed = words.filter((word) => /\p{Script=Greek}/u.test(word) && /\p{Script=Latin}/u.test(word));
    expect(mixed).toEqual([]);
    expect(texts.every((text) => text === text.normalize('NFC'))).toBe(true);
    // No accent is written on one syllable, on capitals, or after digits as in 24ωρο.
    const syllables = (word: string): number => word.match(/[αεηιουωϊϋάέήίόύώΐΰ]+/gi)?.length ?? 0;
    const unaccented = words.filter(
      (word) =>
        !/\d/.test(word) &&
        syllables(word) > 1 &&
        word !== word.toUpperCase() &&
        word === word.normalize('NFD'),
    );
    expect(unaccented).toEqual([]);
  });

  it('show the variety that a client must cope with', () => {
    const categories = new Set(atms.map(({ locationCategory }) => locationCategory));
    expect(categories.size).toBeGreaterThan(LOCATION_CATEGORIES.length / 2);
    expect(distinct(atms.map(({ minimumValueDispensed }) => minimumValueDispensed))).toBe(6);
    for (const member of ['code', 'description', 'accessibilityFeatures', 'additionalATMServices'] as const) {
      const kinds = atms.map((atm) => (atm[member] === null ? 'null' : typeof atm[member]));
      expect(new Set(kinds).size).toBe(3);
    }
    expect(atms.some(({ geographicLocation }) => geographicLocation === null)).toBe(true);
    expect(atms.some(({ telephoneNumber }) => telephoneNumber === null)).toBe(true);
    expect(atms.some(({ currency }) => currency?.includes('USD'))).toBe(true);
    expect(bytesOf(atms).length).toBeGreaterThan(10_000);
  });
});
