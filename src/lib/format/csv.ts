/** CSV for spreadsheets: RFC 4180, UTF-8 with a mark so that Excel shows Greek, and no cell that would run as a formula. */

/** Goes before the first line of a file. */
export const CSV_MARK = '\ufeff';

/** A text that a spreadsheet would calculate gets an apostrophe in front; spreadsheets then show it as it is. */
const guarded = (text: string): string =>
  /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text;

const cell = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = guarded(value);
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export type CsvCells = readonly (string | number | null | undefined)[];

export const csvLine = (cells: CsvCells): string => `${cells.map(cell).join(',')}\r\n`;
