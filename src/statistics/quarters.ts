/** Quarters: the running one as it stands, and those that were published, which never change. */
import { DAY } from '../lib/clock.js';
import { dateAt } from '../lib/day.js';
import { sha256 } from '../lib/hash.js';
import type { Queries } from '../store/db.js';
import { jsonColumn, listOf, members, text } from '../store/json-column.js';
import { type DayFigures, figuresOf } from './figures.js';

export interface QuarterFigures {
  readonly quarter: string;
  readonly timeZone: string;
  readonly days: readonly DayFigures[];
}

export interface Quarter extends QuarterFigures {
  /** Absent as long as it is not published. */
  readonly published?: { readonly at: number; readonly sha256: string };
}

const QUARTER = /^(\d{4})Q([1-4])$/;

/** All its dates, or undefined for what is no quarter. */
export const datesOf = (quarter: string): readonly string[] | undefined => {
  const [, year, number] = QUARTER.exec(quarter) ?? [];
  if (year === undefined || number === undefined) return undefined;
  const month = (Number(number) - 1) * 3;
  const days = Math.round((Date.UTC(Number(year), month + 3) - Date.UTC(Number(year), month)) / DAY);
  return Array.from({ length: days }, (_, index) =>
    new Date(Date.UTC(Number(year), month, 1 + index)).toISOString().slice(0, 10),
  );
};

export const quarterOf = (date: string): string => {
  const [year = '', month = ''] = date.split('-');
  return `${year}Q${Math.ceil(Number(month) / 3)}`;
};

export const quarterAt = (ms: number, timeZone: string): string => quarterOf(dateAt(ms, timeZone));

const before = (quarter: string): string => {
  const [, year, number] = QUARTER.exec(quarter) ?? [];
  return number === '1' ? `${Number(year) - 1}Q4` : `${year}Q${Number(number) - 1}`;
};

/** The running quarter and those before it, newest first. */
export const quartersUntil = (ms: number, timeZone: string, count: number): readonly string[] => {
  const quarters = [quarterAt(ms, timeZone)];
  while (quarters.length < count) quarters.push(before(quarters.at(-1) ?? ''));
  return quarters;
};

const figuresColumn = jsonColumn<QuarterFigures>(
  'published_quarters.figures',
  members({ quarter: text, timeZone: text, days: listOf(members({ date: text })) }),
);

const READ = 'select figures, sha256, published_at as "at" from published_quarters where quarter = ?';

interface PublishedRow {
  readonly figures: string;
  readonly sha256: string;
  readonly at: number;
}

/** The very text that was published, for those who check its hash. */
export const publishedText = (db: Queries, quarter: string): Promise<PublishedRow | undefined> =>
  db.one<PublishedRow>(READ, [quarter]);

export const publishedQuarters = async (db: Queries): Promise<readonly string[]> => {
  const rows = await db.all<{ quarter: string }>(
    'select quarter from published_quarters order by quarter desc',
  );
  return rows.map(({ quarter }) => quarter);
};

export const readQuarter = async (
  db: Queries,
  quarter: string,
  now: number,
  timeZone: string,
): Promise<Quarter | undefined> => {
  const dates = datesOf(quarter);
  if (!dates) return undefined;
  const stored = await publishedText(db, quarter);
  if (stored) {
    const { figures, at, sha256 } = stored;
    return { ...figuresColumn.read(figures), published: { at, sha256 } };
  }
  return { quarter, timeZone, days: await figuresOf(db, dates, now, timeZone) };
};

const PUBLISH = `
  insert into published_quarters (quarter, published_at, figures, sha256) values (?, ?, ?, ?) on conflict (quarter) do nothing`;

/** Once: a second time it stays as it is. */
export const publishQuarter = async (db: Queries, figures: QuarterFigures, now: number): Promise<boolean> => {
  const { quarter, timeZone, days } = figures;
  const written = figuresColumn.write({ quarter, timeZone, days });
  const hash = sha256(written, 'hex');
  return (await db.run(PUBLISH, [quarter, now, written, hash])) > 0;
};
