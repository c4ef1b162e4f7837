/**
 * Lists of which an empty answer would open something: what is revoked, suspended or blocked. The answer brings its own count, made by the
 * same statement, so that a part of it or nothing at all is never taken for the whole.
 */
import { type Reads, StoreUnavailable, type Value } from './db.js';

const COUNT = 'rows#';
const texts = new Map<string, string>();

const countedSql = (sql: string): string => {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  const made = `with list as (${sql}) select (select count(*) from list) as "${COUNT}", list.*
    from (select 1 as one) as always left join list on 1 = 1`;
  texts.set(sql, made);
  return made;
};

export const allProven = async <T>(db: Reads, sql: string, params: readonly Value[] = []): Promise<T[]> => {
  const rows = await db.all<{ [COUNT]: number }>(countedSql(sql), params);
  const count = rows[0]?.[COUNT];
  if (rows.length !== Math.max(1, count ?? 0) || count === undefined)
    throw new StoreUnavailable(new Error('an incomplete answer of the store'));
  return (count === 0 ? [] : rows) as unknown as T[];
};
