/**
 * From the embedded store to PostgreSQL, in one transaction of the target: tables, rows and the proof that they are the same. Whatever stops
 * it leaves an empty database behind, and it can be started again.
 */
import type { RealTime } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import { type Db, type Queries, StoreUnavailable, type Value } from './db.js';
import { type Migration, migrationState, runMigrations } from './migrate.js';
import type { SingleStore } from './sqlite/single.js';

/** The move is not possible; the message says what to do. */
export class MoveError extends Error {}

export interface MovedTable {
  readonly name: string;
  readonly rows: number;
  /** Of all rows, whatever their order. Equal on both sides. */
  readonly hash: string;
}

export type OnMoved = (done: number, total: number) => void;

type Target = Queries & { script(sql: string): Promise<void> };
type Row = Readonly<Record<string, Value>>;

const PAGE = 500;
const TABLES = `select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid`;
const COLUMNS = `select name, lower(type) as type, pk from pragma_table_info(?)`;
const TARGET_TABLES = `select table_name as name from information_schema.tables
  where table_schema = current_schema() and table_type = 'BASE TABLE'`;
const TARGET_COLUMNS = `select column_name as name from information_schema.columns
  where table_schema = current_schema() and table_name = ? order by ordinal_position`;
const EMPTY_LEDGER = 'delete from migrations; delete from migration_compatibility;';

/** The sum of the hashes of all rows: equal for equal rows in any order, and two equal rows do not cancel each other. */
class RowsHash {
  #sum = 0n;
  rows = 0;

  add(values: readonly unknown[]): void {
    this.rows += 1;
    const hash = sha256(JSON.stringify(values), 'hex');
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash}`));
  }

  get hash(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}

const namesOf = (rows: readonly { name: string }[]): string[] => rows.map(({ name }) => name);

/** What both have. The embedded engine may number its rows in a column of its own. */
const columnsOf = async (source: SingleStore, target: Target, table: string): Promise<string[]> => {
  const here = await source.all<{ name: string; type: string; pk: number }>(COLUMNS, [table]);
  const there = namesOf(await target.all<{ name: string }>(TARGET_COLUMNS, [table]));
  const isNumber = ({ type, pk }: { type: string; pk: number }): boolean => type === 'integer' && pk === 1;
  const lost = here.filter((column) => !there.includes(column.name) && !isNumber(column));
  const absent = there.filter((name) => !here.some((column) => column.name === name));
  const [stranger] = [...namesOf(lost), ...absent];
  if (stranger !== undefined)
    throw new MoveError(
      `the column ${stranger} of ${table} is not on both sides: use the version that made the store`,
    );
  return there;
};

const countOf = async (db: Queries, table: string): Promise<number> =>
  (await db.one<{ n: number }>(`select count(*) as n from ${table}`))?.n ?? 0;

const copyTable = async (
  source: SingleStore,
  target: Target,
  table: string,
  onRows: (count: number) => void,
): Promise<RowsHash> => {
  const columns = await columnsOf(source, target, table);
  const list = columns.map((name) => `"${name}"`).join(', ');
  const read = `select rowid as "rowid#", ${list} from ${table} where rowid > ? order by rowid limit ${PAGE}`;
  const write = `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, ?)`;
  const hash = new RowsHash();
  for (let last = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await source.all<Row>(read, [last]);
    const end = rows.at(-1)?.['rowid#'];
    if (typeof end !== 'number') return hash;
    last = end;
    for (const row of rows) hash.add(columns.map((name) => row[name]));
    await target.run(write, [JSON.stringify(rows)]).catch((error: unknown) => {
      if (error instanceof StoreUnavailable) throw error;
      throw new MoveError(`PostgreSQL does not take a row of ${table}: ${(error as Error).message}`);
    });
    onRows(rows.length);
  }
};

const hashTarget = async (target: Target, table: string): Promise<RowsHash> => {
  const columns = namesOf(await target.all<{ name: string }>(TARGET_COLUMNS, [table]));
  await target.script(`declare moved_${table} no scroll cursor for select * from ${table}`);
  const hash = new RowsHash();
  for (;;) {
    const rows = await target.all<Row>(`fetch ${PAGE} from moved_${table}`);
    if (rows.length === 0) return hash;
    for (const row of rows) hash.add(columns.map((name) => row[name]));
  }
};

const proven = async (target: Target, name: string, sent: RowsHash): Promise<MovedTable> => {
  const { rows, hash } = await hashTarget(target, name);
  if (rows !== sent.rows || hash !== sent.hash)
    throw new MoveError(
      `${name} has ${rows} rows after the move and had ${sent.rows}, or other values: nothing was moved`,
    );
  return { name, rows, hash };
};

/** A store from before 0.2.0 may have tables that nothing reads any more. They are left behind if they are empty. */
const tablesToMove = async (source: SingleStore, target: Target): Promise<string[]> => {
  const there = namesOf(await target.all<{ name: string }>(TARGET_TABLES));
  const tables: string[] = [];
  for (const name of namesOf(await source.all<{ name: string }>(TABLES)))
    if (there.includes(name)) tables.push(name);
    else if ((await countOf(source, name)) > 0)
      throw new MoveError(
        `the table ${name} has rows and no place in PostgreSQL: use the version that made the store`,
      );
  return tables;
};

const moveAll = async (source: SingleStore, target: Target, onMoved: OnMoved): Promise<MovedTable[]> => {
  const tables = await tablesToMove(source, target);
  const counts = await Promise.all(tables.map((name) => countOf(source, name)));
  const total = counts.reduce((sum, count) => sum + count, 0);
  let done = 0;
  const onRows = (count: number): void => {
    done += count;
    onMoved(done, total);
  };
  const moved: MovedTable[] = [];
  for (const name of tables)
    moved.push(await proven(target, name, await copyTable(source, target, name, onRows)));
  return moved;
};

export interface MoveParts {
  readonly now: RealTime;
  readonly more: readonly Migration[];
  readonly onMoved: OnMoved;
  /** The last act of its transaction, after every table was compared. */
  readonly finish: (tx: Queries, moved: readonly MovedTable[]) => Promise<void>;
}

/** The source must be locked, so that nothing is written to it meanwhile. */
export const moveStore = async (
  source: SingleStore,
  target: Db,
  { now, more, onMoved, finish }: MoveParts,
): Promise<MovedTable[]> => {
  const { pending } = await migrationState(source, more);
  if (pending.length > 0)
    throw new MoveError(`the store lacks ${pending.length} migration(s): run "trapeza migrate" first`);
  return target.exclusive(async (tx) => {
    if ((await tx.all(TARGET_TABLES)).length > 0)
      throw new MoveError('the target has tables already: give an empty database, or an empty schema of it');
    await runMigrations(tx, target.engine, now, more);
    await tx.script(EMPTY_LEDGER);
    const moved = await moveAll(source, tx, onMoved);
    await tx.script('analyze');
    await finish(tx, moved);
    return moved;
  });
};
