/** The two connections of a running store: how they are opened and closed, and how each keeps its statements. */
import { StoreUnavailable } from '../db.js';
import type { Diagnosis, StoreFault } from '../health.js';
import { type Connection, driver, type PreparedStatement, type Statement } from './driver.js';

const WRITER = `pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;
  pragma wal_autocheckpoint = 40000;`;
/**
 * In KB. When a page is split SQLite looks at all pages it has in memory, unless the store has more than one gigabyte: there a large cache costs
 * nothing, and a person's pages are seldom in a small one.
 */
const SMALL_CACHE = 40_000;
const LARGE_CACHE = 160_000;
/** A gigabyte. */
const LARGE_STORE_PAGES = 262_145;
const PAGES = 'select page_count as pages from pragma_page_count()';
/** At the start and for administration no request waits: SQLite may block the process. */
export const PATIENT = 'pragma busy_timeout = 5000;';
export const IMPATIENT = 'pragma busy_timeout = 0;';
/**
 * On Node 20 and 22 a closed connection keeps its file, and its lock on it, until all its statements are collected. One that is attached is let go
 * at once.
 */
const ATTACH = 'attach ? as store';
export const DETACH = 'detach store';
const READER = 'pragma query_only = on;';
/** Copies the log into the database and removes it: only the last connection to the file can. */
const LEAVE_LOG = 'pragma journal_mode = delete';
const COPY_LOG = 'pragma wal_checkpoint(passive)';

/** The driver makes the name of a column anew for every row; here each is made once. */
const named = (made: PreparedStatement): Statement => {
  const names = made.columns().map(({ name }) => name);
  if (names.length === 0) return made;
  made.setReturnArrays(true);
  const row = (values: readonly unknown[]): unknown => {
    const members: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index += 1) members[names[index] as string] = values[index];
    return members;
  };
  return {
    all: (...params) => (made.all(...params) as unknown[][]).map(row),
    get: (...params) => {
      const values = made.get(...params) as unknown[] | undefined;
      return values && row(values);
    },
    run: (...params) => made.run(...params),
  };
};

/** Keeps statements by their text. The connection stays referenced here for as long as its statements live. */
export class Prepared {
  readonly connection: Connection;
  readonly #statements = new Map<string, Statement>();

  constructor(connection: Connection) {
    this.connection = connection;
  }

  statement(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const made = named(this.connection.prepare(sql));
    this.#statements.set(sql, made);
    return made;
  }
}

/** Result codes that blame the store, not the statement: busy, locked, read-only, I/O, corrupt, full, cannot open, no database. */
const unavailableCodes: ReadonlySet<number> = new Set([5, 6, 8, 10, 11, 13, 14, 26]);

const isUnavailable = (error: unknown): boolean => {
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  // An invalid state is a connection that was closed. The low byte is the primary code, the rest its details.
  return (
    code === 'ERR_INVALID_STATE' || (typeof errcode === 'number' && unavailableCodes.has(errcode & 0xff))
  );
};

const faults: Readonly<Record<number, StoreFault>> = {
  8: 'read-only',
  10: 'broken',
  11: 'broken',
  13: 'full',
  14: 'broken',
  26: 'broken',
};

/** One that is locked may be free again at once. */
export const diagnose = (error: unknown): Diagnosis | undefined => {
  const { errcode } = (error instanceof StoreUnavailable ? error.cause : error) as { errcode?: unknown };
  const fault = typeof errcode === 'number' ? faults[errcode & 0xff] : undefined;
  return fault && { fault, isShared: true };
};

export const guarded = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable(error) : error;
  }
};

const connect = (path: string): Prepared => new Prepared(new (driver())(path));

export const openWriter = (path: string): Prepared => {
  const writer = connect(path);
  // Switching to WAL needs a lock that another starting process may hold for a moment.
  guarded(() => writer.connection.exec(`${PATIENT} ${WRITER} ${IMPATIENT}`));
  const { pages } = guarded(() => writer.statement(PAGES).get()) as { readonly pages: number };
  const cache = pages > LARGE_STORE_PAGES ? LARGE_CACHE : SMALL_CACHE;
  writer.connection.exec(`pragma cache_size = -${cache}`);
  return writer;
};

export const openReader = (path: string): Prepared => {
  const reader = connect(':memory:');
  guarded(() => {
    reader.connection.exec(PATIENT);
    reader.statement(ATTACH).run(path);
    reader.connection.exec(`${READER} ${IMPATIENT}`);
  });
  return reader;
};

const attempt = (connection: Connection, sql: string): boolean => {
  try {
    connection.exec(sql);
    return true;
  } catch {
    return false;
  }
};

/**
 * Leaves everything in the one file, whose copy is then the whole store. If another process has it open, or the disk is full, the log stays, and
 * the file gets as much of it as no read is in the way of. This waits for no other process.
 */
export const closeBoth = (writer: Connection, reader: Connection): void => {
  attempt(reader, DETACH);
  if (!attempt(writer, LEAVE_LOG)) attempt(writer, COPY_LOG);
  reader.close();
  writer.close();
};
