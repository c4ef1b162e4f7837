/**
 * The table of funds records on PostgreSQL, which grows with every call, in partitions of a calendar month (UTC): what is past its retention
 * goes with its whole month, at the cost of a file, instead of row by row. Migration 62 says what it is made of, migration 78 who may change it.
 */
import type { Db, Queries } from './db.js';
import { exclusiveGivingWay } from './give-way.js';

export interface Month {
  readonly name: string;
  /** Its rows are older than this. */
  readonly end: number;
}

const BOUNDS = `
  select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass('funds_confirmations')`;
const END = /TO \('?(\d+)'?\)/;
const isMonth = /_\d{4}_\d{2}$/;

/** All partitions that have an end, oldest first. */
const boundedIn = async (db: Queries): Promise<Month[]> =>
  (await db.all<{ name: string; bound: string }>(BOUNDS))
    .flatMap(({ name, bound }) => {
      const end = END.exec(bound)?.[1];
      return end === undefined ? [] : [{ name, end: Number(end) }];
    })
    .toSorted((a, b) => a.end - b.end);

export const monthsIn = async (db: Queries): Promise<Month[]> =>
  (await boundedIn(db)).filter(({ name }) => isMonth.test(name));

const startOf = (at: number, monthsLater: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
};

interface Done {
  readonly count: number;
}

/** A month whose first rows came before their partition stays in the default partition. */
const ADD_MONTH = 'select add_funds_month(cast(? as bigint)) as "count"';
const DROP_MONTH = 'select drop_funds_month(cast(? as text)) as "count"';

const addMonth = (db: Db, start: number): Promise<number> =>
  exclusiveGivingWay(db, async (tx) => {
    if ((await boundedIn(tx)).some(({ end }) => end > start)) return 0;
    return (await tx.one<Done>(ADD_MONTH, [start]))?.count ?? 0;
  });

const AHEAD = 2;

/** Makes the partitions of this month and of the next ones, unless they are there; returns how many it made. */
export const addMonths = async (db: Db, now: number): Promise<number> => {
  const last = (await boundedIn(db)).at(-1)?.end ?? 0;
  let made = 0;
  for (let later = 0; later <= AHEAD; later += 1) {
    const start = startOf(now, later);
    if (start >= last) made += await addMonth(db, start);
  }
  return made;
};

/** Drops one month whose rows are all from `until` or before; returns how many it dropped. */
export const dropMonth = async (db: Db, until: number): Promise<number> => {
  const isDue = ({ end }: Month): boolean => end - 1 <= until;
  if (!(await monthsIn(db)).some(isDue)) return 0;
  return exclusiveGivingWay(db, async (tx) => {
    const due = (await monthsIn(tx)).find(isDue);
    return due ? ((await tx.one<Done>(DROP_MONTH, [due.name]))?.count ?? 0) : 0;
  });
};
