/** Tells the four formats apart by their content and hands the text to the right reader. */
import { JsonFault, parseStrictJson } from '../../lib/format/strict-json.js';
import { readContract, soleArray } from './readers/contract.js';
import { isCsvText, readCsv } from './readers/csv.js';
import { isGeoJson, readGeoJson } from './readers/geojson.js';
import type { LooseRecord } from './readers/loose.js';
import { isUkDocument, readUk } from './readers/uk.js';
import { ImportError, type ImportFormat } from './result.js';
import { showMessage, showName } from './show.js';

const parseJson = (text: string): unknown => {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (error instanceof JsonFault) {
      const at = error.duplicate ? `: ${error.duplicate.map(showName).join('.')}` : '';
      throw new ImportError(`the file ${error.message}${at}`, error);
    }
    throw new ImportError(`the file is not valid JSON: ${showMessage(error)}`, error);
  }
};

const readers = {
  json: readContract,
  uk: readUk,
  geojson: readGeoJson,
} as const satisfies Partial<Record<ImportFormat, (document: unknown) => LooseRecord[]>>;

const UNKNOWN =
  'the format is not known: expected a JSON array of ATMs, UK Open Data v2 JSON, a GeoJSON FeatureCollection, or CSV whose header has a column atmid';

const jsonFormat = (document: unknown): keyof typeof readers => {
  if (isGeoJson(document)) return 'geojson';
  if (isUkDocument(document)) return 'uk';
  if (soleArray(document)) return 'json';
  throw new ImportError(UNKNOWN);
};

export interface Feed {
  readonly format: ImportFormat;
  readonly records: readonly LooseRecord[];
}

/** With a wanted format nothing is guessed. */
export const readFeed = (text: string, wanted?: ImportFormat): Feed => {
  if (text.trim() === '') throw new ImportError('the file is empty');
  const looksLikeJson = /^\s*[[{]/.test(text);
  if (wanted === 'csv' || (wanted === undefined && !looksLikeJson)) {
    if (wanted === undefined && !isCsvText(text)) throw new ImportError(UNKNOWN);
    return { format: 'csv', records: readCsv(text) };
  }
  const document = parseJson(text);
  const format = wanted ?? jsonFormat(document);
  return { format, records: readers[format](document) };
};
