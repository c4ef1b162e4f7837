/** What holds for every feed, however broken: the counts add up, what is accepted is valid, and large files are quick. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ATM_MEMBERS, MINIMUM_VALUES } from '../../src/atms/atm.js';
import { atmFaults } from '../../src/atms/check-atm.js';
import { EXPORT_FORMATS, exportAtms } from '../../src/atms/export.js';
import { importAtms } from '../../src/atms/import/import-atms.js';
import { ImportError, type ImportResult } from '../../src/atms/import/result.js';
import { bytesOf, importJson, plainRecord } from './support.js';

const words = fc.constantFrom(
  ...[
    '',
    ' ',
    'el',
    'Balance',
    'cash withdrawal',
    'EUR',
    'gr',
    'UK',
    '+30 210 0000000',
    '37.5,23.5',
    'MIN_10',
  ],
  ...[
    '10',
    '£20',
    'null',
    '[]',
    'a|b;c',
    '=1+1',
    '\\',
    '"',
    'x'.repeat(300),
    'Ελλάδα',
    '\0',
    '\uD800',
    '\u001b',
  ],
  ...[plainRecord.id, plainRecord.id.toUpperCase(), ...MINIMUM_VALUES],
);
const scalar = fc.oneof(
  words,
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.double(),
  fc.integer(),
  fc.constant(null),
);
const anything = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 4 }),
  fc.dictionary(words, scalar, { maxKeys: 3 }),
);

/** Mostly records that are nearly right, some that are not records at all. */
const record = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...ATM_MEMBERS), anything, fc.uuid()).map(spoil) },
  { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...ATM_MEMBERS, 'extra'), anything) },
  { weight: 1, arbitrary: anything },
);

function spoil([member, value, id]: [string, unknown, string]): unknown {
  return { ...plainRecord, id, [member]: value };
}

const expectSound = (result: ImportResult): void => {
  expect(result.accepted.length + result.refused.length).toBe(result.read);
  expect(result.accepted.flatMap(atmFaults)).toEqual([]);
  expect(new Set(result.accepted.map(({ id }) => id)).size).toBe(result.accepted.length);
  expect(result.refused.every(({ faults }) => faults.length > 0)).toBe(true);
  expect(result.repaired.every(({ changes }) => changes.length > 0)).toBe(true);
  const refused = new Set(result.refused.map(({ record: position }) => position));
  expect(result.repaired.some(({ record: position }) => refused.has(position))).toBe(false);
};

/** Any content either imports soundly or fails as a whole with a message, never in another way. */
const importSoundly = (content: unknown): void => {
  try {
    expectSound(content instanceof Uint8Array ? importAtms(content) : importJson(content));
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    expect(error.message).not.toBe('');
  }
};

describe('every import', () => {
  it('accepts or refuses each record of the contract shape, and accepts only what is valid', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 8 }), (records) => {
        const result = importJson(records, 'json');
        expect(result.read).toBe(records.length);
        expectSound(result);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts or refuses each record of the other shapes', () => {
    const feature = fc.record({
      type: fc.constant('Feature'),
      properties: record,
      geometry: anything,
      id: anything,
    });
    const ukAtm = fc.dictionary(
      fc.constantFrom('Identification', 'Location', 'ATMServices', 'Note', 'Branch'),
      anything,
    );
    const row = fc.array(words, { minLength: 5, maxLength: 9 });
    fc.assert(
      fc.property(fc.array(feature), fc.array(ukAtm), fc.array(row), (features, atms, rows) => {
        importSoundly({ type: 'FeatureCollection', features });
        importSoundly({ data: [{ Brand: [{ BrandName: 'x', ATM: atms }] }] });
        const cells = rows.map((cellsOfRow) =>
          cellsOfRow.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','),
        );
        importSoundly(['atmid,id,country,currency,atmServices,name,telephoneNumber', ...cells].join('\n'));
      }),
      { numRuns: 500 },
    );
  });

  it('survives any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        importSoundly(bytes);
      }),
      { numRuns: 1000 },
    );
  });

  it('of an export gives back the very same records without a repair', () => {
    fc.assert(
      fc.property(fc.array(record, { minLength: 1, maxLength: 6 }), (records) => {
        const { accepted } = importJson(records, 'json');
        for (const format of EXPORT_FORMATS) {
          const again = importJson(exportAtms(accepted, format), format);
          expect(again).toMatchObject({ read: accepted.length, refused: [], repaired: [] });
          expect(exportAtms(again.accepted, 'json')).toBe(exportAtms(accepted, 'json'));
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('an import of 10,000 records', () => {
  const uuid = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const records = Array.from({ length: 10_000 }, (_, index) => ({
    ...plainRecord,
    id: uuid(index % 1000 === 999 ? 0 : index),
    atmid: index % 100 === 50 ? 'x'.repeat(40) : `BULK${index}`,
    ...(index % 10 === 5 ? { name: ' blanks ' } : {}),
  }));

  it('reports every refused and repaired record', () => {
    const result = importAtms(bytesOf(records));
    expectSound(result);
    expect(result.read).toBe(10_000);
    expect(result.refused).toHaveLength(110);
    expect(result.refused[0]).toEqual({
      record: 51,
      id: uuid(50),
      faults: [{ field: 'atmid', reason: 'is longer than 32 characters' }],
    });
    expect(result.refused.find((entry) => entry.record === 1000)?.faults).toEqual([
      { field: 'id', reason: 'is the same as in record 1' },
    ]);
    expect(result.repaired).toHaveLength(1000);
    expect(result.repaired[0]).toEqual({
      record: 6,
      id: uuid(5),
      changes: [{ field: 'name', reason: 'had blanks around it' }],
    });
  });

  it('tells its progress up to the end', () => {
    const steps: [number, number][] = [];
    importAtms(bytesOf(records), { onProgress: (done, total) => steps.push([done, total]) });
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.at(-1)).toEqual([10_000, 10_000]);
    expect(steps.every(([done], index) => index === 0 || done > (steps[index - 1]?.[0] ?? 0))).toBe(true);
  });
});
