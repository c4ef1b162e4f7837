/**
 * CSV for spreadsheets: RFC 4180, UTF-8 with a mark so that Excel shows Greek, and no cell that would run as a formula. Excel parts
 * columns and decimals by the country of its user, so a file does it by its language. A line `sep=` would do the first alone, and
 * Excel would then ignore the mark.
 */

/** Goes before the first line of a file. */
export const CSV_MARK = '\ufeff';

export interface CsvStyle {
  readonly separator: ',' | ';';
  readonly decimalSign: '.' | ',';
}

/** By the locale of the file: a comma cannot part both decimals and columns. */
export const csvStyleOf = (locale: string): CsvStyle => {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  const hasComma = parts.some(({ type, value }) => type === 'decimal' && value === ',');
  return hasComma ? { separator: ';', decimalSign: ',' } : { separator: ',', decimalSign: '.' };
};

/** A number in its decimal form, which is not to become a text. */
export class CsvDecimal {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A text that a spreadsheet would calculate gets an apostrophe in front; spreadsheets then show it as it is. */
const guarded = (text: string): string =>
  /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text;

export type CsvCell = string | number | CsvDecimal | null | undefined;

const cell = (value: CsvCell, { separator, decimalSign }: CsvStyle): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (value instanceof CsvDecimal) {
    const text = value.text.replace('.', decimalSign);
    return text.includes(separator) ? `"${text}"` : text;
  }
  const text = guarded(value);
  return /[",;\r\n\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const csvLine = (cells: readonly CsvCell[], style: CsvStyle): string =>
  `${cells.map((each) => cell(each, style)).join(style.separator)}\r\n`;
