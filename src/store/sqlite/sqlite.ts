/**
 * The embedded engine. One connection writes, one reads: in WAL mode readers never wait for the writer, and they see
 * only what is committed. The hot reads are made by the one that writes, while it has no transaction open. Writes of one
 * process queue here, first come first served; the first of them waits for other processes (`locks.ts`).
 */
import { randomBytes } from 'node:crypto';
import { newId } from '../../lib/id.js';
import { eachTick } from '../../lib/turn.js';
import type { Db, Queries, Reads, StoreWatch, Value, Write } from '../db.js';
import { StoreUnavailable } from '../db.js';
import { StoreHealth } from '../health.js';
import {
  closeBoth,
  diagnose,
  guarded,
  IMPATIENT,
  openReader,
  openWriter,
  PATIENT,
  type Prepared,
} from './connections.js';
import type { Statement } from './driver.js';
import { LOCK_WAIT_MS, MIGRATION_WAIT_MS, oneAtATime, untilAfter, whenUnlocked } from './locks.js';
import { WriteAheadLog } from './log.js';

const BEGIN = 'begin immediate';
/** About, in pages. */
const TRANSACTION_WRITES = 4;
/** What SQLite knows about the store itself it answers of the writer's file alone: that of the reader is attached. */
const isRead = (sql: string): boolean => /^\s*select\b(?!.*\b(?:sqlite_master|pragma_))/is.test(sql);

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
    // A write to its last row: the engine commits after that, and would keep a failure of it to itself.
    one: async <T>(sql: string, params: readonly Value[] = []) =>
      guarded(
        () =>
          (isRead(sql) ? statement(sql).get(...params) : statement(sql).all(...params)[0]) as T | undefined,
      ),
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
const batchReads = (place: () => Prepared, health: StoreHealth): Reads => {
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
    if (hasSucceeded) health.read(undefined);
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
    health.watch(
      new Promise((resolve, reject) => join({ ask, resolve: resolve as PendingRead['resolve'], reject })),
    );
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

const PUT = 'insert into settings (name, value) values (?, ?)';
const REMOVE = 'delete from settings where name = ?';
/** Several pages. */
const ROOM_BYTES = 24 * 1024;

/** Needs pages of the file, and as many of its log. */
const tryOut = async (tx: Queries): Promise<void> => {
  const name = `trial ${newId()}`;
  await tx.run(PUT, [name, randomBytes(ROOM_BYTES).toString('base64')]);
  await tx.run(REMOVE, [name]);
};

export const openSqlite = (path: string, watch?: StoreWatch): Db => {
  const writer = openWriter(path);
  const reader = openReader(path);
  const writes = queriesOn(writer);
  const reads = queriesOn(reader);
  const health = new StoreHealth(diagnose);
  const log = new WriteAheadLog(path);

  let isWriting = false;
  const inTurn = oneAtATime();
  const alone: typeof inTurn = (work, waitMs) => health.watch(inTurn(work, waitMs));
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
      return life.hasWritten ? log.grew(result, TRANSACTION_WRITES) : result;
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
  const read = <T>(ask: () => Promise<T>): Promise<T> =>
    health.watch(whenUnlocked(ask, untilAfter(LOCK_WAIT_MS)));
  const change = async <T>(ask: () => Promise<T>): Promise<T> =>
    log.grew(await alone((until) => whenUnlocked(ask, until)), 1);

  return {
    engine: 'sqlite',
    health,
    watch,
    // The writer has its recent writes in memory; the reader would have to fetch them again.
    batchedReads: batchReads(() => (isWriting ? reader : writer), health),
    all: (sql, params) =>
      isRead(sql) ? read(() => reads.all(sql, params)) : change(() => writes.all(sql, params)),
    one: (sql, params) =>
      isRead(sql) ? read(() => reads.one(sql, params)) : change(() => writes.one(sql, params)),
    run: (sql, params) => change(() => writes.run(sql, params)),
    transaction: (work) => alone((until) => within(work, until)),
    writeBatch: async (writes) => {
      const changes = await alone((until) => whenUnlocked(() => commitBatch(writer, writes), until));
      return log.grew(changes, writes.length);
    },
    // Not by `alone`: a try that fails is no failure of calls.
    tryWrite: () => health.tried(() => inTurn((until) => within(tryOut, until))),
    script: (sql) => alone(() => administer(sql)),
    exclusive: (work) => alone((until) => within((tx) => work({ ...tx, script }), until), MIGRATION_WAIT_MS),
    close: () =>
      alone(async () => {
        await log.close();
        closeBoth(writer.connection, reader.connection);
      }),
  };
};
