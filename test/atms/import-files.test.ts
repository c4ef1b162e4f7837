/** A file as a whole: what cannot be read at all, and the decision to publish. */
import { describe, expect, it } from 'vitest';
import { importAtms } from '../../src/atms/import/import-atms.js';
import { countsOf, ImportError, planImport } from '../../src/atms/import/result.js';
import { MAX_FILE_BYTES, readAtmFile } from '../../src/atms/import/source.js';
import { bytesOf, faultsOf, importJson, plainRecord, recordWith } from './support.js';

describe('a file as a whole', () => {
  it.each([
    ['', /empty/],
    ['  \n', /empty/],
    ['[{"id":', /not valid JSON/],
    ['[{"id":1},{"id":1,"id":2}]', /the file has a member twice: 1\.id$/],
    ['{}', /format is not known/],
    ['<html></html>', /format is not known/],
    ['"text"', /format is not known/],
  ])('that cannot be read is refused with a reason: %s', (content, reason) => {
    expect(() => importJson(content)).toThrow(ImportError);
    expect(() => importJson(content)).toThrow(reason);
  });

  it('that is not UTF-8 is refused instead of being guessed', () => {
    expect(() => importAtms(Uint8Array.of(0x5b, 0xc1, 0xe8, 0x5d))).toThrow(/not UTF-8; save it as UTF-8/);
    expect(() => importAtms(Uint8Array.of(0xff, 0xfe, 0x5b, 0))).toThrow(/UTF-16/);
  });

  it('with a byte order mark is read', () => {
    expect(importJson(`\uFEFF${JSON.stringify([plainRecord])}`)).toMatchObject({ read: 1, refused: [] });
  });

  it('larger than 256 MiB is refused before it is read', () => {
    const huge = { byteLength: MAX_FILE_BYTES + 1 } as Uint8Array;
    expect(() => importAtms(huge)).toThrow(/at most 256 MiB/);
  });

  it('that is not there, or a folder, is told in words', async () => {
    await expect(readAtmFile('no/such/file.json')).rejects.toThrow(
      'no/such/file.json cannot be read: there is no such file',
    );
    await expect(readAtmFile('.')).rejects.toThrow(/is a folder/);
  });

  it('is read as the format that the user names, without guessing', () => {
    expect(() => importJson([plainRecord], 'uk')).toThrow(/not UK Open Data/);
    expect(() => importJson([plainRecord], 'geojson')).toThrow(/not a GeoJSON/);
    expect(() => importJson({ a: 1 }, 'json')).toThrow(/exactly one array/);
    expect(importJson({ data: [{ Brand: [] }] }, 'json')).toMatchObject({
      format: 'json',
      read: 1,
      accepted: [],
    });
  });

  it('puts nothing of the feed into a message that could disturb a terminal', () => {
    const result = importJson([recordWith({ '\u001b[31m\u202E': 1, telephoneNumber: '\u202E12' })]);
    expect(faultsOf(result)).toEqual(['\\u{001B}[31m\\u{202E}: is not a member of the contract']);
    expect(importAtms(bytesOf([recordWith({ telephoneNumber: '\u202E12' })])).repaired[0]?.changes).toEqual([
      { field: 'telephoneNumber', reason: '"\\u{202E}12" has no certain country code; null instead' },
    ]);
  });
});

describe('the plan of an import', () => {
  const good = recordWith({ id: undefined, atmid: 'good' });
  const bad = recordWith({ id: 'bad' });

  it('publishes all records when none was refused', () => {
    const result = importJson([good]);
    expect(planImport(countsOf(result), { allowRefused: false })).toEqual({ publish: true });
  });

  it('publishes nothing when one record was refused, unless that is allowed', () => {
    const result = importJson([good, bad]);
    expect(planImport(countsOf(result), { allowRefused: false })).toMatchObject({
      publish: false,
      reason: expect.stringContaining('1 of 2 records were refused'),
    });
    expect(planImport(countsOf(result), { allowRefused: true })).toEqual({ publish: true });
    expect(result.accepted).toMatchObject([{ atmid: 'good' }]);
  });

  it('never publishes an empty list', () => {
    for (const result of [importJson([]), importJson([bad])]) {
      expect(planImport(countsOf(result), { allowRefused: true })).toMatchObject({ publish: false });
    }
  });
});
