/**
 * PostgreSQL, for production: several nodes on one database. Statements are prepared by name and pipelined. Each has a time limit of ours;
 * the server's own is shorter, so that only a server that is gone costs the connection.
 */
import pg from 'pg';
import { SECOND } from '../../lib/clock.js';
import { type Db, type Queries, type Reads, StoreUnavailable, type StoreWatch, type Value } from '../db.js';
import { StoreHealth } from '../health.js';
import { type Answer, Connection, type Statement } from './connection.js';
import { diagnose } from './failures.js';
import { Pool } from './pool.js';
import { ReadBatcher } from './read-batcher.js';
import { type Session, Sessions } from './sessions.js';
import { WriteTrial } from './write-trial.js';

type Scripted = Queries & { script(sql: string): Promise<void> };

export interface PostgresOptions {
  readonly poolSize: number;
  /** Time a statement has, with the wait for its connection. */
  readonly statementMs: number;
  /** `transaction`: a pooler gives every transaction another session, so nothing may be left in one. */
  readonly pooling: 'session' | 'transaction';
  readonly watch?: StoreWatch | undefined;
  /** Looks at what a new connection leads to, and throws if it is not to be used. */
  readonly checkConnection?: ((reads: Reads) => Promise<void>) | undefined;
}

/** A list of a `with` may write. */
const isWrite = (sql: string): boolean =>
  !/^\s*(select|with)\b/i.test(sql) || /\b(insert|update|delete)\b/i.test(sql);

/** `?` to `$1 …` and a name, once per text. No statement of ours has a question mark in a literal. */
class Texts {
  readonly #known = new Map<string, Statement>();
  readonly #areNamed: boolean;

  constructor(areNamed: boolean) {
    this.#areNamed = areNamed;
  }

  statement(sql: string): Statement {
    const known = this.#known.get(sql);
    if (known) return known;
    let count = 0;
    const text = sql.replace(/\?/g, () => {
      count += 1;
      return `$${count}`;
    });
    const name = this.#areNamed ? `trapeza_${this.#known.size}` : undefined;
    const made: Statement = { text, name, isWrite: isWrite(sql) };
    this.#known.set(sql, made);
    return made;
  }
}

/** Any number will do, as long as every version of Trapeza uses the same one. Each schema is a store with a lock of its own. */
const MIGRATION_LOCK = 7_247_032_001;
const LOCK = `select pg_advisory_xact_lock(${MIGRATION_LOCK} +
  case current_schema() when 'public' then 0 else hashtext(current_schema()) end)`;
/** Less if a statement has less, which the deadline of a call decides. */
const CONNECT_MS = 30 * SECOND;
const INT8 = 20;
/** One that writes, and one that looks what it waits for. */
const TRIAL_CONNECTIONS = 2;
const TRIAL_MS = SECOND;

/** Our bigints are milliseconds and minor units of at most 15 digits: they fit a double exactly. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === INT8 ? Number : pg.types.getTypeParser(id, format as 'text'),
};

/**
 * The server gives a statement up before we give up the server. Sent as a statement, because poolers refuse parameters of the login that
 * they do not know.
 */
const sessionSettings = (statementMs: number): string => {
  const settings = {
    statement_timeout: Math.floor(statementMs * 0.9),
    lock_timeout: Math.floor(statementMs * 0.75),
    idle_in_transaction_session_timeout: Math.floor(statementMs * 2.5),
    // The server notices in seconds that we are gone, and gives our locks to others.
    tcp_user_timeout: 10_000,
    tcp_keepalives_idle: 5,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 3,
  };
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} = ${value}`)
    .join('; ');
};

const IS_STANDBY = 'select pg_is_in_recovery() as "isStandby"';

/** A standby may become the primary while we are connected, and be behind. It takes no writes before. */
const checkPlace = async (
  connection: Connection,
  texts: Texts,
  { checkConnection, statementMs }: PostgresOptions,
): Promise<void> => {
  if (!checkConnection) return;
  const send = async <T>(sql: string, values: readonly Value[] = []): Promise<T[]> =>
    (await connection.send({ values, ...texts.statement(sql) }, statementMs)).rows as T[];
  const [row] = await send<{ isStandby: boolean }>(IS_STANDBY);
  if (row?.isStandby) throw new StoreUnavailable(new Error('the server is a standby'));
  await checkConnection({
    all: send,
    one: async <T>(sql: string, values?: readonly Value[]) => (await send<T>(sql, values))[0],
  });
};

const poolOf = (url: string, options: PostgresOptions, texts: Texts): Pool => {
  const { poolSize, statementMs, pooling, watch } = options;
  const settings = sessionSettings(statementMs);
  const connectMs = Math.min(CONNECT_MS, statementMs);
  const config = { connectionString: url, application_name: 'trapeza', types };
  return new Pool({
    size: poolSize,
    connectMs,
    create: (onEnd) => new Connection(config, onEnd, watch),
    onError: () => watch?.connectionError(),
    prepare: async (connection) => {
      if (pooling === 'session') await connection.script(settings, connectMs);
      await checkPlace(connection, texts, options);
    },
  });
};

const queriesOn = (session: Session, texts: Texts): Scripted => {
  // The spread last, here and below: what stands behind one is dear on Node 20: the object gets a hidden class of its own each time.
  const ask = (sql: string, values: readonly Value[] = []): Promise<Answer> =>
    session.send({ values, ...texts.statement(sql) });
  return {
    all: async <T>(sql: string, params?: readonly Value[]) => (await ask(sql, params)).rows as T[],
    one: async <T>(sql: string, params?: readonly Value[]) =>
      (await ask(sql, params)).rows[0] as T | undefined,
    run: async (sql, params) => (await ask(sql, params)).changes,
    script: (sql) => session.script(sql),
  };
};

export const openPostgres = (url: string, options: PostgresOptions): Db => {
  const texts = new Texts(options.pooling === 'session');
  const pool = poolOf(url, options, texts);
  const { pooling } = options;
  const health = new StoreHealth(diagnose);
  const sessions = new Sessions(pool, options.statementMs, health);
  const trial = new WriteTrial({
    pool: poolOf(url, { pooling, poolSize: TRIAL_CONNECTIONS, statementMs: TRIAL_MS }, texts),
    limitMs: TRIAL_MS,
    pooling,
    health,
  });

  return {
    engine: 'postgres',
    health,
    watch: options.watch,
    pool,
    ...queriesOn(sessions, texts),
    batchedReads: new ReadBatcher(async (sql, values) => {
      const { rows } = await sessions.send({ values, ...texts.statement(sql) });
      return health.read(rows as Record<string, unknown>[]);
    }, options.watch),
    transaction: (work) => sessions.transaction((session) => work(queriesOn(session, texts))),
    writeBatch: async (writes) => {
      const statements = writes.map(({ sql, params }) => ({ values: params, ...texts.statement(sql) }));
      const answers = await sessions.writeAll(statements);
      return answers.map(({ changes }) => changes);
    },
    tryWrite: async () => {
      await health.tried(() => trial.run());
      pool.forgetAbandoned();
    },
    exclusive: (work) =>
      sessions.transaction(async (session) => {
        const tx = queriesOn(session, texts);
        await tx.script('set local lock_timeout = 0; set local statement_timeout = 0');
        await tx.script(LOCK);
        return work(tx);
      }, true),
    close: async () => {
      await Promise.all([pool.close(), trial.close()]);
    },
  };
};
