/**
 * Tables of PostgreSQL that grow with every call, in partitions of a calendar month (UTC): what is past its retention goes with its whole
 * month, at the cost of a file, instead of row by row. Migration 62 says what such a table is made of.
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
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass(?)`;
const END = /TO \('?(\d+)'?\)/;
const isMonth = /_\d{4}_\d{2}$/;

/** All partitions that have an end, oldest first. */
const boundedOf = async (db: Queries, table: string): Promise<Month[]> =>
  (await db.all<{ name: string; bound: string }>(BOUNDS, [table]))
    .flatMap(({ name, bound }) => {
      const end = END.exec(bound)?.[1];
      return end === undefined ? [] : [{ name, end: Number(end) }];
    })
    .toSorted((a, b) => a.end - b.end);

export const monthsOf = async (db: Queries, table: string): Promise<Month[]> =>
  (await boundedOf(db, table)).filter(({ name }) => isMonth.test(name));

const startOf = (at: number, monthsLater = 0): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater);
};

/** A month whose first rows came before their partition stays in the default partition. */
const addMonth = (db: Db, table: string, start: number): Promise<number> =>
  exclusiveGivingWay(db, async (tx) => {
    const end = startOf(start, 1);
    if ((await boundedOf(tx, table)).some((known) => known.end >= end)) return 0;
    const early = `select 1 as found from ${table}_other where asked_at >= ? and asked_at < ? limit 1`;
    if (await tx.one(early, [start, end])) return 0;
    const name = `${table}_${new Date(start).toISOString().slice(0, 7).replace('-', '_')}`;
    await tx.script(`create table ${name} (like ${table}, primary key (asked_at, id))`);
    await tx.script(`alter table ${table} attach partition ${name} for values from (${start}) to (${end})`);
    return 1;
  });

const AHEAD = 2;

/** Makes the partitions of this month and of the next ones, unless they are there; returns how many it made. */
export const addMonths = async (db: Db, table: string, now: number): Promise<number> => {
  const last = (await boundedOf(db, table)).at(-1)?.end ?? 0;
  let made = 0;
  for (let later = 0; later <= AHEAD; later += 1) {
    const start = startOf(now, later);
    if (start >= last) made += await addMonth(db, table, start);
  }
  return made;
};

/** Drops one month whose rows are all from `until` or before; returns how many it dropped. */
export const dropMonth = async (db: Db, table: string, until: number): Promise<number> => {
  const isDue = ({ end }: Month): boolean => end - 1 <= until;
  if (!(await monthsOf(db, table)).some(isDue)) return 0;
  return exclusiveGivingWay(db, async (tx) => {
    const due = (await monthsOf(tx, table)).find(isDue);
    if (!due) return 0;
    await tx.script(`drop table ${due.name}`);
    return 1;
  });
};
