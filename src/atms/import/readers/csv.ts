/** Reads CSV with a header line: comma, semicolon or tab; names as in the contract, `address.street` for the address. */
import { type CsvError, parse } from 'csv-parse/sync';
import { separatorIn } from '../../../lib/format/csv-reader.js';
import type { AtmAddress } from '../../atm.js';
import type { Finding } from '../../check-atm.js';
import { CSV_HEADER, isListMember, readList, readText } from '../../csv-cells.js';
import { ImportError } from '../result.js';
import { showName } from '../show.js';
import { LEFT_OUT, type LooseAddress, type LooseRecord, type LooseValues, unreadable } from './loose.js';

/** Columns beyond the contract: the location in two cells, and whose numbering `atmid` is. */
const FURTHER_COLUMNS = ['latitude', 'longitude', 'brand'] as const;
const ADDRESS = 'address.';
/** Far above any real row; an unclosed quote is noticed here instead of at the end of the file. */
const MAX_ROW_CHARACTERS = 1024 * 1024;

/** `Address.Postal_Code` and `postalCode` are the same column. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_.-]/g, '');

const columnNames: ReadonlyMap<string, string> = new Map<string, string>(
  [...CSV_HEADER, ...FURTHER_COLUMNS].flatMap((name) =>
    name.startsWith(ADDRESS)
      ? [
          [plain(name), name],
          [plain(name.slice(ADDRESS.length)), name],
        ]
      : [[plain(name), name]],
  ) as [string, string][],
);

const firstLine = (text: string): string => /^\s*([^\r\n]*)/.exec(text.slice(0, 65_536))?.[1] ?? '';

/** Whether the first line is a header of ours. */
export const isCsvText = (text: string): boolean => {
  const line = firstLine(text);
  const names = line.split(separatorIn(line)).map((name) => plain(name.replaceAll('"', '')));
  return names.includes('atmid');
};

interface Column {
  /** The contract's name; undefined if the contract has no such member. */
  readonly name: string | undefined;
  readonly title: string;
}

const readHeader = (titles: readonly string[]): Column[] => {
  const columns = titles.map((title) => ({
    name: columnNames.get(plain(title)),
    title: showName(title.trim()),
  }));
  const names = columns.flatMap(({ name }) => name ?? []);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ImportError(`the CSV header has two columns for ${twice}`);
  if (!names.includes('atmid')) {
    throw new ImportError('the first line of the CSV must be a header, and it must have a column atmid');
  }
  return columns;
};

const readRow = (row: readonly string[], columns: readonly Column[]): LooseRecord => {
  if (row.length < columns.length || row.slice(columns.length).some((cell) => cell.trim() !== '')) {
    return unreadable(`has ${row.length} cells where the header has ${columns.length}`);
  }
  const values: Record<string, unknown> = {};
  const address: Partial<Record<keyof AtmAddress, unknown>> = {};
  const changes: Finding[] = [];
  columns.forEach(({ name, title }, index) => {
    const cell = row[index] ?? '';
    if (name === undefined) {
      if (cell.trim() !== '')
        changes.push({ field: title === '' ? `column ${index + 1}` : title, reason: LEFT_OUT });
    } else if (name.startsWith(ADDRESS)) {
      address[name.slice(ADDRESS.length) as keyof AtmAddress] = readText(cell);
    } else values[name] = isListMember(name) ? readList(cell) : readText(cell);
  });
  return assemble(values, address, changes);
};

const assemble = (
  values: Readonly<Record<string, unknown>>,
  address: LooseAddress,
  changes: Finding[],
): LooseRecord => {
  const { latitude, longitude, brand, ...members } = values;
  const inTwoCells = (latitude ?? longitude ?? null) !== null;
  const inOneCell = members.geographicLocation !== undefined;
  if (inTwoCells && inOneCell) {
    changes.push({
      field: 'latitude',
      reason: 'geographicLocation is filled in; latitude and longitude are left out',
    });
  }
  return {
    values: members as LooseValues,
    address,
    point: inTwoCells && !inOneCell ? { latitude, longitude } : undefined,
    brand: typeof brand === 'string' ? brand.trim() : '',
    idIsMeant: false,
    changes,
    faults: [],
  };
};

export const readCsv = (text: string): LooseRecord[] => {
  const rows = parseRows(text);
  const [titles, ...records] = rows;
  if (!titles) throw new ImportError('the CSV is empty');
  const columns = readHeader(titles);
  return records.map((row) => readRow(row, columns));
};

const parseRows = (text: string): string[][] => {
  try {
    return parse(text, {
      delimiter: separatorIn(firstLine(text)),
      // A row with too many or too few cells is one refused record, not the end of the import.
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      max_record_size: MAX_ROW_CHARACTERS,
    });
  } catch (error) {
    const { lines, code } = error as CsvError;
    const place = typeof lines === 'number' ? ` near line ${lines}` : '';
    throw new ImportError(`the CSV cannot be read${place}: ${csvReason(code)}`, error);
  }
};

const csvReason = (code: string | undefined): string => {
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quoted cell is never closed';
    case 'INVALID_OPENING_QUOTE':
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quote stands in the wrong place; quote the whole cell and double the quotes inside it';
    case 'CSV_MAX_RECORD_SIZE':
      return 'a row is longer than 1 MiB; probably a quoted cell is never closed';
    default:
      return 'its cells cannot be told apart';
  }
};
