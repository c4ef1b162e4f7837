/**
 * Funds records of 25 months, the same number for each account holder. They are written without indexes, which are made afterwards: twenty
 * million are a matter of minutes.
 */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fundsAnswersOf } from '#trapeza/consent/uses.js';
import type { Db } from '#trapeza/store/db.js';
import { dropMonth, monthsOf } from '#trapeza/store/months.js';
import { dialectOf, kinds } from './data.js';
import { median } from './report/statistics.js';

const MONTHS = 25;
const TABLE = 'funds_confirmations';
/** With the indexes, what it takes to make them, and the log of changes; an account holder has four rows more. */
const RECORD_BYTES = 1500;
const HOLDER_BYTES = 6000;

/** Throws before a store is filled that would fill the disk. */
export const checkDisk = (people: number, records: number): void => {
  const { bavail, bsize } = statfsSync(tmpdir());
  const needed = people * HOLDER_BYTES + records * RECORD_BYTES;
  if (bavail * bsize > needed) return;
  const gb = (bytes: number): string => `${Math.ceil(bytes / 1e9)} GB`;
  throw new Error(
    `${tmpdir()} has ${gb(bavail * bsize)} free and the stores need ${gb(needed)}: free some, or take fewer --records or a smaller --large`,
  );
};

const startOf = (monthsAgo: number): number => {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo);
};

const COLUMNS =
  'id, consent_id, client_id, psu_id, account_id, payee, amount, currency, available, request_id, session_consent_id, asked_at';

/** Records `from` to `until` in the order of their time, which is spread over `start` to `end`. */
const rowsOf = (
  engine: Db['engine'],
  [from, until]: readonly [number, number],
  [start, end]: readonly [number, number],
  people: number,
): string => {
  const own = dialectOf(engine);
  const id = `'0192' || ${engine === 'sqlite' ? `printf('%032d', j)` : `lpad(cast(j as text), 32, '0')`}`;
  const at = `${start} + cast((j - ${from}) * ${(end - start) / Math.max(1, until - from)} as bigint)`;
  const numbers =
    engine === 'sqlite'
      ? `with recursive n(j) as (select ${from} union all select j + 1 from n where j < ${until - 1})`
      : `with n(j) as (select generate_series(cast(${from} as bigint), ${until - 1}))`;
  return `${numbers}, r(j, i) as (select j, 1 + j % ${people} from n)
    select ${id}, ${own.id(kinds.funds)}, 'bench-' || (i % 50), ${own.id(kinds.psu)}, ${own.id(kinds.account)},
      'Cafe Nero', '12.5', 'EUR', 1, ${id}, null, ${at} from r`;
};

const fillSqlite = async (db: Db, people: number, records: number): Promise<void> => {
  const indexes = await db.all<{ name: string; sql: string }>(
    `select name, sql from sqlite_master where type = 'index' and tbl_name = '${TABLE}' and sql is not null order by rowid`,
  );
  for (const { name } of indexes) await db.script(`drop index ${name}`);
  const rows = rowsOf('sqlite', [0, records], [startOf(MONTHS), Date.now()], people);
  await db.run(`insert into ${TABLE} (${COLUMNS}) ${rows}`);
  for (const { sql } of indexes) await db.script(sql);
};

/** The first partition ends where the months begin, as in a store that has been in use for years. */
const fillPostgres = async (db: Db, people: number, records: number): Promise<void> => {
  await db.exclusive(async (tx) => {
    const first = `${TABLE}_first`;
    await tx.script(`set local maintenance_work_mem = '1GB'; set local synchronous_commit = off`);
    await tx.script(`delete from ${TABLE}; alter table ${TABLE} detach partition ${first}`);
    await tx.script(
      `alter table ${TABLE} attach partition ${first} for values from (minvalue) to (${startOf(MONTHS)})`,
    );
    const share = records / (MONTHS + 1);
    for (let ago = MONTHS; ago >= 0; ago -= 1) {
      const [start, end] = [startOf(ago), startOf(ago - 1)];
      const name = `${TABLE}_${new Date(start).toISOString().slice(0, 7).replace('-', '_')}`;
      const span = [Math.floor((MONTHS - ago) * share), Math.floor((MONTHS - ago + 1) * share)] as const;
      await tx.script(`create table ${name} (like ${TABLE})`);
      const rows = rowsOf('postgres', span, [start, Math.min(end, Date.now())], people);
      await tx.script(`insert into ${name} (${COLUMNS}) ${rows}`);
      await tx.script(`alter table ${name} add primary key (asked_at, id),
        add constraint bound check (asked_at >= ${start} and asked_at < ${end})`);
      await tx.script(`alter table ${TABLE} attach partition ${name} for values from (${start}) to (${end})`);
    }
  });
};

/** Returns the seconds it took. */
export const fillRecords = async (db: Db, people: number, records: number): Promise<number> => {
  const startedAt = performance.now();
  await (db.engine === 'sqlite' ? fillSqlite : fillPostgres)(db, people, records);
  return (performance.now() - startedAt) / 1000;
};

const SIZES = {
  sqlite: 'select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()',
  postgres: 'select pg_database_size(current_database()) as bytes',
} as const;

/** Bytes on disk. */
export const sizeOf = async (db: Db): Promise<number> =>
  (await db.one<{ bytes: number }>(SIZES[db.engine]))?.bytes ?? 0;

const STEP = 200;
const STEPS = 50;
/** As the job does it, without its pauses. */
const deleteSome = (table: string): string => `delete from ${table} where asked_at <= ? and asked_at <=
  (select max(at) from (select asked_at as at from ${table} order by asked_at limit ?) oldest)`;

export interface Forgetting {
  /** Of one record, deleted with others. */
  readonly deleteUs: number;
  /** Of the oldest month as a whole, on PostgreSQL. */
  readonly dropMs?: number;
}

/** What retention costs at the old end of the table. */
export const measureForgetting = async (db: Db): Promise<Forgetting> => {
  const oldest = startOf(MONTHS - 1) - 1;
  const [month] = db.engine === 'postgres' ? await monthsOf(db, TABLE) : [];
  const sql = deleteSome(month?.name ?? TABLE);
  const timed = async (work: () => Promise<number>): Promise<readonly [number, number]> => {
    const startedAt = performance.now();
    const done = await work();
    return [performance.now() - startedAt, done];
  };
  const [deleteMs, deleted] = await timed(async () => {
    let count = 0;
    for (let step = 0; step < STEPS; step += 1) count += await db.run(sql, [oldest, STEP]);
    return count;
  });
  const deleteUs = (deleteMs * 1000) / Math.max(1, deleted);
  if (db.engine === 'sqlite') return { deleteUs };
  const [dropMs] = await timed(() => dropMonth(db, TABLE, oldest));
  return { deleteUs, dropMs };
};

const LISTS = 500;

/** The median time of the first page of a person's list. */
export const measureList = async (
  db: Db,
  people: readonly { readonly psuId: string }[],
  lists = LISTS,
): Promise<number> => {
  const times: number[] = [];
  for (let turn = 0; turn < lists; turn += 1) {
    const psuId = people[(turn * 7) % people.length]?.psuId ?? '';
    const startedAt = performance.now();
    await fundsAnswersOf(db, psuId, {}, {}, 25);
    times.push(performance.now() - startedAt);
  }
  return median(times);
};
