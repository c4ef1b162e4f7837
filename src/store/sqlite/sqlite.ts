/**
 * The embedded engine. One connection writes, one reads: in WAL mode readers never wait for the writer, and they see
 * only what is committed. The hot reads are made by the one that writes, while it has no transaction open. Writes of one
 * process queue here, first come first served; the first of them waits for other processes (`locks.ts`).
 */
import { eachTick } from '../../lib/turn.js';
import type { Db, Queries, Reads, StoreWatch, Value, Write } from '../db.js';
import { StoreUnavailable, Successes } from '../db.js';
import { type Connection, driver, type PreparedStatement, type Statement } from './driver.js';
import { LOCK_WAIT_MS, MIGRATION_WAIT_MS, oneAtATime, untilAfter, whenUnlocked } from './locks.js';
import { WriteAheadLog } from './log.js';

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
const BEGIN = 'begin immediate';
/** About, in pages. */
const TRANSACTION_WRITES = 4;
const READER = `pragma query_only = on;`;
/** At the start and for administration no request waits: SQLite may block the process. */
export const PATIENT = 'pragma busy_timeout = 5000;';
const IMPATIENT = 'pragma busy_timeout = 0;';
const isRead = (sql: string): boolean => /^\s*select\b/i.test(sql);

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

export const guarded = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    throw isUnavailable(error) ? new StoreUnavailable(error) : error;
  }
};

/** Rejects statements issued after their transaction has ended. */
interface Life {
  isOver: boolean;
  hasWritten: boolean;
}

export const queriesOn = (prepared: Prepared, life?: Life): Queries => {
  const statement = (sql: string): Statement => {
    if (life?.isOver) throw new StoreUnavailable(new Error('the transaction is over'));
    return prepared.statement(sql);
  };
  return {
    all: async <T>(sql: string, params: readonly Value[] = []) =>
      guarded(() => statement(sql).all(...params) as T[]),
    one: async <T>(sql: string, params: readonly Value[] = []) =>
      guarded(() => statement(sql).get(...params) as T | undefined),
    run: async (sql, params = []) => {
      if (life) life.hasWritten = true;
      return guarded(() => Number(statement(sql).run(...params).changes));
    },
  };
};

interface PendingRead {
  readonly ask: (prepared: Prepared) => unknown;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Concurrent reads share a transaction: locking and unlocking the file costs more than most reads. */
const batchReads = (place: () => Prepared, successes: Successes): Reads => {
  const answerAll = (prepared: Prepared, reads: readonly PendingRead[]): void => {
    let hasSucceeded = false;
    // The callers continue after the last read.
    for (const { ask, resolve, reject } of reads)
      try {
        resolve(guarded(() => ask(prepared)));
        hasSucceeded = true;
      } catch {
        // Retried alone: a read that meets a lock must not delay the others.
        void whenUnlocked(() => guarded(() => ask(place())), untilAfter(LOCK_WAIT_MS)).then(resolve, reject);
      }
    if (hasSucceeded) successes.read(undefined);
  };
  const join = eachTick<PendingRead>((reads) => {
    const prepared = place();
    try {
      guarded(() => prepared.statement('begin').run());
    } catch (error) {
      for (const { reject } of reads) reject(error);
      return;
    }
    answerAll(prepared, reads);
    try {
      prepared.statement('commit').run();
    } catch {
      // A read that failed has ended it already.
    }
  });
  const enqueue = <T>(ask: PendingRead['ask']): Promise<T> =>
    new Promise((resolve, reject) => join({ ask, resolve: resolve as PendingRead['resolve'], reject }));
  return {
    all: (sql, params = []) => enqueue((prepared) => prepared.statement(sql).all(...params)),
    one: (sql, params = []) => enqueue((prepared) => prepared.statement(sql).get(...params)),
  };
};

const totalChanges = (prepared: Prepared): number =>
  (prepared.statement('select total_changes() as total').get() as { total: number }).total;

/** What a single write has changed costs half as much to ask as to write: nearly always each changes its row, and the sum says so. */
const changeOneEach = (prepared: Prepared, writes: readonly Write[]): boolean => {
  const before = totalChanges(prepared);
  for (const { sql, params } of writes) prepared.statement(sql).get(...params);
  return totalChanges(prepared) - before === writes.length;
};

/** In an open transaction; how many rows each has changed. */
const write = (prepared: Prepared, writes: readonly Write[]): number[] => {
  if (changeOneEach(prepared, writes)) return writes.map(() => 1);
  prepared.connection.exec(`rollback; ${BEGIN}`);
  return writes.map(({ sql, params }) => Number(prepared.statement(sql).run(...params).changes));
};

const rollBack = ({ connection }: Prepared): void => {
  try {
    connection.exec('rollback');
  } catch {
    // The engine has rolled back by itself; the first error is the one to tell.
  }
};

const commitBatch = (writer: Prepared, writes: readonly Write[]): number[] =>
  guarded(() => {
    try {
      writer.statement(BEGIN).get();
      const changes = write(writer, writes);
      writer.statement('commit').get();
      return changes;
    } catch (error) {
      rollBack(writer);
      throw error;
    }
  });

const connect = (path: string): Prepared => new Prepared(new (driver())(path));

const openWriter = (path: string): Prepared => {
  const writer = connect(path);
  // Switching to WAL needs a lock that another starting process may hold for a moment.
  guarded(() => writer.connection.exec(`${PATIENT} ${WRITER} ${IMPATIENT}`));
  const { pages } = guarded(() => writer.statement(PAGES).get()) as { readonly pages: number };
  const cache = pages > LARGE_STORE_PAGES ? LARGE_CACHE : SMALL_CACHE;
  writer.connection.exec(`pragma cache_size = -${cache}`);
  return writer;
};

export const openSqlite = (path: string, watch?: StoreWatch): Db => {
  const writer = openWriter(path);
  const reader = connect(path);
  guarded(() => reader.connection.exec(`${PATIENT} ${READER} ${IMPATIENT}`));
  const writes = queriesOn(writer);
  const reads = queriesOn(reader);
  const lastSuccess = new Successes();
  const log = new WriteAheadLog(path);
  const wrote = <T>(result: T, writes: number): T => lastSuccess.wrote(log.grew(result, writes));

  let isWriting = false;
  const alone = oneAtATime();
  const begin = (): void => {
    guarded(() => writer.connection.exec(BEGIN));
    // In the same turn: from here on reads must not be made by the writer.
    isWriting = true;
  };
  const within = async <T>(work: (tx: Queries) => Promise<T>, until: number): Promise<T> => {
    const life: Life = { isOver: false, hasWritten: false };
    await whenUnlocked(begin, until);
    try {
      const result = await work(queriesOn(writer, life));
      guarded(() => writer.connection.exec('commit'));
      return life.hasWritten ? wrote(result, TRANSACTION_WRITES) : result;
    } catch (error) {
      rollBack(writer);
      throw error;
    } finally {
      life.isOver = true;
      isWriting = false;
    }
  };
  const script = async (sql: string): Promise<void> => guarded(() => writer.connection.exec(sql));
  /** Not tried again: the first of its statements may have had their effect. */
  const administer = async (sql: string): Promise<void> => {
    writer.connection.exec(PATIENT);
    await script(sql).finally(() => writer.connection.exec(IMPATIENT));
  };
  const read = <T>(ask: () => Promise<T>): Promise<T> => whenUnlocked(ask, untilAfter(LOCK_WAIT_MS));
  const change = <T>(ask: () => Promise<T>): Promise<T> => alone((until) => whenUnlocked(ask, until));

  return {
    engine: 'sqlite',
    lastSuccess,
    watch,
    // The writer has its recent writes in memory; the reader would have to fetch them again.
    batchedReads: batchReads(() => (isWriting ? reader : writer), lastSuccess),
    all: (sql, params) =>
      isRead(sql) ? read(() => reads.all(sql, params)) : change(() => writes.all(sql, params)),
    one: (sql, params) =>
      isRead(sql) ? read(() => reads.one(sql, params)) : change(() => writes.one(sql, params)),
    run: async (sql, params) => wrote(await change(() => writes.run(sql, params)), 1),
    transaction: (work) => alone((until) => within(work, until)),
    writeBatch: async (writes) => {
      const changes = await alone((until) => whenUnlocked(() => commitBatch(writer, writes), until));
      return wrote(changes, writes.length);
    },
    script: (sql) => alone(() => administer(sql)),
    exclusive: (work) => alone((until) => within((tx) => work({ ...tx, script }), until), MIGRATION_WAIT_MS),
    close: () =>
      alone(async () => {
        await log.close();
        reader.connection.close();
        writer.connection.close();
      }),
  };
};
