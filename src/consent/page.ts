/** Pages of a list, newest first: found by the row before or after them, so that a page costs the same wherever it is. */
import type { BankTime } from '../lib/clock.js';

/** A row of a list. */
export interface Place {
  readonly at: BankTime;
  readonly id: string;
}

/** The rows after a place are older, those before it newer; neither is the first page. */
export interface Spot {
  readonly after?: Place | undefined;
  readonly before?: Place | undefined;
}

/** From the first moment on, and before the second. */
export interface Period {
  readonly from: number;
  readonly before: number;
}

/** Rows are counted so far; what is more is only known to be more. */
export const COUNTED_AT_MOST = 1000;

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** How many rows are newer than the first of these. */
  readonly newerRows: number;
  readonly total: number;
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
}

/** What the statements of a list need: the rows on one side of a place, nearest first, and how many are newer than one. */
export interface ListReads<Row> {
  readonly older: (place: Place, limit: number) => Promise<readonly Row[]>;
  readonly newer: (place: Place, limit: number) => Promise<readonly Row[]>;
  /** `place` undefined counts all. */
  readonly count: (place: Place | undefined) => Promise<number>;
}

/** Before every row there is. */
export const NEWEST: Place = { at: Number.MAX_SAFE_INTEGER, id: '' };

const rowsOf = async <Row extends Place>(reads: ListReads<Row>, spot: Spot, size: number) => {
  if (spot.before) {
    const newer = await reads.newer(spot.before, size + 1);
    // Less than a page before it: that is the first page.
    if (newer.length > size) return { rows: newer.slice(0, size).toReversed(), hasOlder: true };
  }
  const older = await reads.older(spot.before ? NEWEST : (spot.after ?? NEWEST), size + 1);
  return { rows: older.slice(0, size), hasOlder: older.length > size };
};

export const readPage = async <Row extends Place>(
  reads: ListReads<Row>,
  spot: Spot,
  size: number,
): Promise<ListPage<Row>> => {
  const { rows, hasOlder } = await rowsOf(reads, spot, size);
  const [first] = rows;
  const isFirst = spot.after === undefined && spot.before === undefined;
  const total = isFirst && !hasOlder ? rows.length : await reads.count(undefined);
  const newerRows = isFirst || !first ? 0 : await reads.count(first);
  return { rows, newerRows, total, hasNewer: newerRows > 0, hasOlder };
};
