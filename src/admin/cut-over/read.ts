/** Reads the files of a cut-over: a folder with CSV files, or one JSON file with a list for each of them. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRows } from '../../lib/format/csv-reader.js';
import { JsonFault, parseStrictJson } from '../../lib/format/strict-json.js';
import { RegistryError } from '../../tpp/registry.js';
import {
  type CutOverFaults,
  type CutOverTable,
  cutOverNames,
  cutOverTables,
  type SourceRecord,
  type SourceRecords,
} from './records.js';

const recordOf = (file: string, line: number, cells: Iterable<readonly [string, string]>): SourceRecord => ({
  file,
  line,
  values: Object.fromEntries([...cells].filter(([, value]) => value !== '')),
});

const checkHeader = (table: CutOverTable, file: string, names: readonly string[]): void => {
  const known: readonly string[] = cutOverTables[table].columns;
  const [strange] = names.filter((name) => !known.includes(name));
  if (strange !== undefined)
    throw new RegistryError(`${file} has a column "${strange}"; there is ${known.join(', ')}`);
};

const readCsv = (table: CutOverTable, path: string, faults: CutOverFaults): SourceRecord[] => {
  const file = basename(path);
  const rows = readRows(readFileSync(path, 'utf8'));
  if ('brokenLine' in rows)
    throw new RegistryError(`${file} line ${rows.brokenLine} is not CSV: close the quotes`);
  const [header, ...lines] = rows;
  if (!header) throw new RegistryError(`${file} is empty: its first line names the columns`);
  checkHeader(table, file, header.cells);
  return lines.flatMap(({ line, cells }) => {
    const read = recordOf(
      file,
      line,
      header.cells.map((name, index) => [name, cells[index] ?? '']),
    );
    if (cells.length === header.cells.length) return [read];
    faults.add(
      read,
      '',
      `has ${cells.length} values for ${header.cells.length} columns`,
      'quote values with separators',
    );
    return [];
  });
};

const eachTable = (read: (table: CutOverTable) => SourceRecord[]): SourceRecords => ({
  thirdParties: read('thirdParties'),
  applications: read('applications'),
  keys: read('keys'),
  consents: read('consents'),
  consentAccounts: read('consentAccounts'),
});

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(String).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
};

const readJson = (path: string): SourceRecords => {
  const file = basename(path);
  let lists: Readonly<Record<string, unknown>>;
  try {
    lists = parseStrictJson(readFileSync(path)) as typeof lists;
  } catch (error) {
    throw new RegistryError(
      error instanceof JsonFault
        ? `${file} ${[error.message, ...(error.duplicate ? [error.duplicate.join('.')] : [])].join(': ')}`
        : `${file} is not JSON: ${(error as Error).message}`,
    );
  }
  const listOf = (table: CutOverTable): SourceRecord[] => {
    const list = lists[table] ?? [];
    if (!Array.isArray(list)) throw new RegistryError(`${table} in ${file} is not a list`);
    return list.map((each: object, index) => {
      const entries = Object.entries(each).map(([name, value]) => [name, cellText(value)] as const);
      checkHeader(
        table,
        `${file} ${table} ${index + 1}`,
        entries.map(([name]) => name),
      );
      return recordOf(`${file} ${table}`, index + 1, entries);
    });
  };
  return eachTable(listOf);
};

/** Files that are not there are empty. */
export const readCutOver = (path: string, faults: CutOverFaults): SourceRecords => {
  if (!existsSync(path)) throw new RegistryError(`there is no ${path}`);
  if (!statSync(path).isDirectory()) return readJson(path);
  const found = cutOverNames.filter((table) => existsSync(join(path, cutOverTables[table].file)));
  if (found.length === 0)
    throw new RegistryError(
      `${path} has none of ${cutOverNames.map((table) => cutOverTables[table].file).join(', ')}`,
    );
  return eachTable((table) =>
    found.includes(table) ? readCsv(table, join(path, cutOverTables[table].file), faults) : [],
  );
};
