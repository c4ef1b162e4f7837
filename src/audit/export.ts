/** The audit log for an auditor: a line for each row, with the text that its hash was made of. */
import { type CsvStyle, csvLine } from '../lib/format/csv.js';
import { instantText } from '../lib/instant.js';
import { type AuditRow, detailsColumn, FIRST_HASH, hashedText } from './audit-log.js';

export const auditFormats = ['ndjson', 'csv'] as const;
export type AuditFormat = (typeof auditFormats)[number];

const STYLE: CsvStyle = { separator: ',', decimalSign: '.' };
const HEADER = ['position', 'at', 'actor', 'act', 'subject', 'reason', 'details', 'hash'] as const;

export const auditObject = ({ details, at, ...row }: AuditRow): object => ({
  ...row,
  at: instantText(at),
  details: detailsColumn.read(details),
});

export async function* auditText(
  rows: AsyncIterable<AuditRow>,
  format: AuditFormat,
): AsyncGenerator<string, void, undefined> {
  if (format === 'csv') yield csvLine(HEADER, STYLE);
  let previous = FIRST_HASH;
  for await (const row of rows) {
    yield format === 'csv'
      ? csvLine(
          HEADER.map((name) => (name === 'at' ? instantText(row.at) : row[name])),
          STYLE,
        )
      : `${JSON.stringify({ ...auditObject(row), previous, hashed: hashedText(row) })}\n`;
    previous = row.hash;
  }
}
