/** PostgreSQL, for production: several nodes on one database. postgres.js pipelines and keeps prepared statements. */
import postgres from 'postgres';
import type { Db, Queries, Value } from './db.js';
import { StoreUnavailable, Successes } from './db.js';
import { openSocket } from './late-closing.js';
import { Together } from './together.js';

type Client = postgres.Sql<{ bigint: number }>;
type Session = Client | postgres.TransactionSql<{ bigint: number }>;
type Scripted = Queries & { script(sql: string): Promise<void> };

/** `?` to `$1 …`, once per text. No statement of ours has a question mark in a literal. */
const numbered = new Map<string, string>();
const native = (sql: string): string => {
  const known = numbered.get(sql);
  if (known !== undefined) return known;
  let count = 0;
  const made = sql.replace(/\?/g, () => {
    count += 1;
    return `$${count}`;
  });
  numbered.set(sql, made);
  return made;
};

const codeOf = (error: unknown): string =>
  error instanceof Error ? String((error as { code?: unknown }).code ?? '') : '';

/** The socket is broken, or the server has ended the session. */
const isConnectionLost = (error: unknown): boolean =>
  /^(FATAL|PANIC)$/.test(String((error as { severity?: unknown } | undefined)?.severity)) ||
  /^(CONNECT|ECONN|ENOTFOUND|EPIPE|ETIMEDOUT|EHOST)/.test(codeOf(error));

/**
 * Connection trouble and the server's own limits: 08 connection, 25006 read-only standby, 25P03 idle too long, 28 and 3D
 * login, 53 resources, 57 statement timeout and shutdown, 55P03 lock timeout.
 */
const isUnavailable = (error: unknown): boolean =>
  isConnectionLost(error) || /^(08|25006|25P03|28|3D|53|57|55P03)/.test(codeOf(error));

/** Nothing may be sent on a connection that is gone, nor by a straggler after the end of its transaction. */
interface Life {
  isOver: boolean;
  hasWritten: boolean;
}

const guarded = async <T>(ask: () => PromiseLike<T>, life?: Life): Promise<T> => {
  if (life?.isOver) throw new StoreUnavailable(new Error('the transaction is over'));
  try {
    return await ask();
  } catch (error) {
    if (life && isConnectionLost(error)) life.isOver = true;
    throw isUnavailable(error) ? new StoreUnavailable(error) : error;
  }
};

const queriesOn = (session: Session, life?: Life): Scripted => {
  const ask = (sql: string, params: readonly Value[]) =>
    guarded(() => session.unsafe(native(sql), params as Value[], { prepare: true }), life);
  return {
    all: async <T>(sql: string, params: readonly Value[] = []) => (await ask(sql, params)) as unknown as T[],
    one: async <T>(sql: string, params: readonly Value[] = []) =>
      (await ask(sql, params))[0] as T | undefined,
    run: async (sql, params = []) => {
      if (life) life.hasWritten = true;
      return (await ask(sql, params)).count;
    },
    script: async (sql) => {
      await guarded(() => session.unsafe(sql).simple(), life);
    },
  };
};

/** Any number will do, as long as every version of Trapeza uses the same one. */
const MIGRATION_LOCK = 7_247_032_001;

const INT8 = 20;

const connect = (url: string, poolSize: number): Client => {
  // The driver's types do not know of `socket`.
  const own: object = { socket: openSocket };
  return postgres(url, {
    ...own,
    max: poolSize,
    connect_timeout: 5,
    idle_timeout: 300,
    // Seconds. A server that is back is used again at once, however long it was away.
    backoff: (retries: number) => Math.min(1, 0.05 * 2 ** retries),
    onnotice: () => undefined,
    connection: {
      application_name: 'trapeza',
      statement_timeout: 10_000,
      lock_timeout: 5_000,
      idle_in_transaction_session_timeout: 15_000,
      client_min_messages: 'warning',
    },
    // Our bigints are milliseconds and minor units of at most 15 digits: they fit a double exactly.
    types: { bigint: { to: INT8, from: [INT8], serialize: String, parse: Number } },
  });
};

export const openPostgres = (url: string, poolSize: number): Db => {
  const client = connect(url, poolSize);
  const lastSuccess = new Successes();
  const transaction = async <T>(work: (tx: Scripted) => Promise<T>): Promise<T> => {
    const life: Life = { isOver: false, hasWritten: false };
    let finished = false;
    try {
      const answer = (await client.begin(async (session) => {
        try {
          const result = await work(queriesOn(session, life));
          finished = true;
          return result;
        } finally {
          // Else the driver writes its rollback to a socket that is gone, which ends the process (porsager/postgres#1208).
          // `begin` fails by itself when the connection closes.
          if (life.isOver) await new Promise<never>(() => undefined);
        }
      })) as T;
      return life.hasWritten ? lastSuccess.wrote(answer) : answer;
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      // Broken after the work was done: the commit was under way and its answer is lost.
      throw new StoreUnavailable(error, finished && isConnectionLost(error));
    } finally {
      life.isOver = true;
    }
  };

  const queries = queriesOn(client);
  return {
    engine: 'postgres',
    lastSuccess,
    ...queries,
    run: async (sql, params) => lastSuccess.wrote(await queries.run(sql, params)),
    together: new Together(
      async (sql, lists) =>
        lastSuccess.read(await guarded(() => client.unsafe(sql, lists as Value[][], { prepare: true }))),
      { ...queries, all: async (sql, params) => lastSuccess.read(await queries.all(sql, params)) },
    ),
    transaction,
    atOnce: (writes) =>
      transaction(async (tx) => {
        const changes = writes.map(({ sql, params }) => tx.run(sql, params));
        // All of them have ended before a failure is told: a straggler would write outside the rolled-back transaction.
        await Promise.allSettled(changes);
        return Promise.all(changes);
      }),
    exclusive: (work) =>
      transaction(async (tx) => {
        await tx.script('set local lock_timeout = 0; set local statement_timeout = 0');
        await tx.script(`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
        return work(tx);
      }),
    close: () => client.end({ timeout: 1 }),
  };
};
