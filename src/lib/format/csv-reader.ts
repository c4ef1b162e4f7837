/** Reads CSV as people and spreadsheets write it: comma, semicolon or tab, quotes, a byte order mark, lines that end either way. */
import { type CsvError, parse } from 'csv-parse/sync';

/** The separator that the header line uses most. */
export const separatorIn = (header: string): string =>
  [',', ';', '\t'].reduce((best, next) =>
    header.split(next).length > header.split(best).length ? next : best,
  );

/** An unclosed quote is noticed here instead of at the end of the file. */
const MAX_RECORD = 64 * 1024;

export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Its rows, the header first; or the line that is no CSV, because a quote is not closed. */
export const readRows = (text: string): readonly CsvRow[] | { readonly brokenLine: number } => {
  const plain = text.replace(/^\uFEFF/, '');
  const options = {
    delimiter: separatorIn(plain.slice(0, plain.search(/\r?\n|$/))),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: MAX_RECORD,
  };
  try {
    const rows = parse(plain, options) as unknown as {
      readonly record: string[];
      readonly info: { readonly lines: number };
    }[];
    return rows.map(({ record, info }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    return { brokenLine: Number((error as CsvError).lines ?? 1) };
  }
};
