/**
 * Imports an ATM feed (contract JSON, UK Open Data v2, CSV, GeoJSON): every record is accepted, accepted with reported
 * repairs, or refused with all its reasons. Publishing is a separate step, see `planImport`.
 */
import type { Atm } from '../atm.js';
import { readFeed } from './format.js';
import { repairRecord } from './repair/record.js';
import type { ImportFormat, ImportResult, RefusedRecord, RepairedRecord } from './result.js';
import { decodeFeed } from './source.js';

export interface ImportOptions {
  /** Recognised from the content when absent. */
  readonly format?: ImportFormat | undefined;
  /** ISO 3166 code for addresses without a country. */
  readonly country?: string | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

const PROGRESS_STEP = 250;

/** Throws an ImportError when the file as a whole cannot be read. */
export const importAtms = (bytes: Uint8Array, options: ImportOptions = {}): ImportResult => {
  const { format, records } = readFeed(decodeFeed(bytes), options.format);
  const total = records.length;
  const accepted: Atm[] = [];
  const refused: RefusedRecord[] = [];
  const repaired: RepairedRecord[] = [];
  const firstWith = new Map<string, number>();
  records.forEach((loose, index) => {
    const record = index + 1;
    const { atm, id, changes, faults } = repairRecord(loose, options.country);
    // Compared with refused records too: it is unknown which of the two is meant.
    const first = id === null ? undefined : firstWith.get(id);
    if (id !== null && first === undefined) firstWith.set(id, record);
    if (first !== undefined) {
      const duplicate = { field: 'id', reason: `is the same as in record ${first}` };
      refused.push({ record, id, faults: [...faults, duplicate] });
    } else if (atm === undefined) refused.push({ record, id, faults });
    else {
      accepted.push(atm);
      if (changes.length > 0) repaired.push({ record, id: atm.id, changes });
    }
    if (record % PROGRESS_STEP === 0 || record === total) options.onProgress?.(record, total);
  });
  return { format, read: total, accepted, refused, repaired };
};
