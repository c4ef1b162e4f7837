/** Export: three formats, and each can be imported again without changing a byte of the publication. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAtms } from '../../packages/sandbox/src/atms/demo-atms.js';
import type { Atm } from '../../src/atms/atm.js';
import { EXPORT_FORMATS, exportAtms } from '../../src/atms/export.js';
import { atmsOf, currentAtms, publishAtms } from '../../src/atms/publication.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { importJson, recordWith } from './support.js';

const NOON = Date.UTC(2026, 0, 15, 12);

/** Everything that a format could lose: null beside absent, empty lists, separators, words with a meaning, final zeros. */
const awkward = [
  { atmid: null, name: null, code: 'null', currency: [], atmServices: null, telephoneNumber: null },
  {
    atmid: '\\x',
    name: '=1+1',
    description: 'a "quoted", b; c | d\\',
    additionalATMServices: ['a|b', 'c;d', 'e\\'],
  },
  { atmid: '[]', name: '-2+SUM(A1)', additionalATMServices: ['null'], supportedLanguages: ['[]'] },
  { atmid: '-1', name: '@home', additionalATMServices: ['\\', '=x'], accessibilityFeatures: [] },
  {
    atmid: '007',
    geographicLocation: '37.90000,-23.50',
    address: { street: null, postalCode: '10564', country: null },
  },
  {
    geographicLocation: null,
    accessibilityFeatures: null,
    address: { buildingNumber: 'null', country: 'GR' },
  },
  {
    geographicLocation: '-0.5,0.0',
    minimumValueDispensed: '\u039C\u0399\u039D_100',
    locationCategory: 'Airport',
  },
].map(
  (changes, index) => recordWith({ id: `00000000-0000-4000-8000-00000000000${index}`, ...changes }) as Atm,
);

let folder: string;
let db: Db;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trapeza-export-'));
  db = await openDb(`sqlite:${join(folder, 'test.db')}`);
  await migrate(db, NOON);
});

afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

describe.each(EXPORT_FORMATS)('an export as %s', (format) => {
  it('is recognised, needs no repair and keeps the ETag when imported and published again', async () => {
    const before = await publishAtms(db, [...demoAtms(), ...awkward], NOON);
    const publication = await currentAtms(db);
    const file = exportAtms(publication ? atmsOf(publication) : [], format);
    const result = importJson(file);
    expect(result).toMatchObject({ format, read: before.count, refused: [], repaired: [] });
    expect(await publishAtms(db, result.accepted, NOON + 60_000)).toEqual({ ...before, changed: false });
  });
});

describe('an exported file', () => {
  it('is indented JSON', () => {
    expect(exportAtms(awkward, 'json')).toMatch(/^\[\n {2}\{\n {4}"id": /);
  });

  it('is CSV with the header of the import, and no cell that a spreadsheet runs as a formula', () => {
    const [header, ...rows] = exportAtms(awkward, 'csv').trimEnd().split('\r\n');
    expect(header).toBe(
      'id,code,name,description,branchCode,atmid,locationCategory,address.street,address.buildingNumber,address.city,address.postalCode,address.country,geographicLocation,accessibilityFeatures,supportedLanguages,atmServices,additionalATMServices,currency,minimumValueDispensed,telephoneNumber',
    );
    expect(rows).toHaveLength(awkward.length);
    const formulas = rows
      .flatMap((row) => row.split(','))
      .filter((cell) => /^"?([=@]|[+-].*\p{L})/u.test(cell));
    expect(formulas).toEqual([]);
  });

  it('is GeoJSON with the longitude first, and null geometry where there is no location', () => {
    const { features } = JSON.parse(exportAtms(awkward, 'geojson')) as { features: { geometry: unknown }[] };
    expect(features[4]?.geometry).toEqual({ type: 'Point', coordinates: [-23.5, 37.9] });
    expect(features[5]?.geometry).toBeNull();
    expect(features[0]?.geometry).toBeNull();
  });

  it('follows a point that was moved on a map', () => {
    const collection = JSON.parse(exportAtms(awkward.slice(4, 5), 'geojson')) as {
      features: { geometry: { coordinates: number[] } }[];
    };
    collection.features[0]?.geometry.coordinates.splice(0, 2, 24, 38.25);
    expect(importJson(collection).accepted[0]?.geographicLocation).toBe('38.25,24.0');
  });
});
