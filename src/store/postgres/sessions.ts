/** Statements and transactions on connections of the pool, each within its time limit. */
import { monotonicMs } from '../../lib/clock.js';
import { StoreUnavailable } from '../db.js';
import type { StoreHealth } from '../health.js';
import type { Answer, Connection, Statement } from './connection.js';
import { failureOf, spoilsSession } from './failures.js';
import type { Pool } from './pool.js';

const BEGIN: Statement = { text: 'begin' };
const COMMIT: Statement = { text: 'commit' };
const ROLLBACK: Statement = { text: 'rollback' };

/** What a transaction can be asked for while it lasts. */
export interface Session {
  send(statement: Statement): Promise<Answer>;
  script(sql: string): Promise<void>;
}

/** Ends a connection that can no longer be used, and tells what its failure means. */
const guarded = async <T>(connection: Connection, isWrite: boolean, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    if (spoilsSession(error)) connection.destroy(error as Error);
    throw failureOf(error, connection.isOver, isWrite);
  }
};

/** PostgreSQL answers the commit of a transaction that has failed with a rollback, not with an error. */
const ensureCommitted = ({ command }: Answer): void => {
  if (command !== 'COMMIT') throw new Error('a statement of the transaction has failed: it was rolled back');
};

export class Sessions implements Session {
  readonly #pool: Pool;
  readonly #limitMs: number;
  readonly #health: StoreHealth;

  constructor(pool: Pool, limitMs: number, health: StoreHealth) {
    this.#pool = pool;
    this.#limitMs = limitMs;
    this.#health = health;
  }

  /** Commits that do not return keep their connections at the server, where giving them up would make them count without the standby. */
  #checkStuck(): void {
    if (this.#health.isStuck) throw new StoreUnavailable(new Error('commits do not return'));
  }

  async send(statement: Statement): Promise<Answer> {
    const { isWrite = false } = statement;
    return this.#with(isWrite, (connection, limitMs) =>
      guarded(connection, isWrite, () => connection.send(statement, limitMs)),
    );
  }

  script(sql: string): Promise<void> {
    return this.#with(false, (connection) => guarded(connection, true, () => connection.script(sql)));
  }

  /** With `isUnlimited`, without a limit for its statements: for migrations. */
  async transaction<T>(work: (session: Session) => Promise<T>, isUnlimited = false): Promise<T> {
    const limitMs = isUnlimited ? undefined : this.#limitMs;
    return this.#with(true, async (connection) => {
      let isOver = false;
      const inside = <A>(ask: () => Promise<A>): Promise<A> =>
        isOver
          ? Promise.reject(new StoreUnavailable(new Error('the transaction is over')))
          : guarded(connection, false, ask);
      const ended = connection.ended();
      try {
        await inside(() => connection.send(BEGIN, limitMs));
        const working = work({
          send: (statement) => inside(() => connection.send(statement, limitMs)),
          script: (sql) => inside(() => connection.script(sql, limitMs)),
        });
        // Work that waits for something else is not waited for when the connection is gone.
        const result = await Promise.race([working, ended.promise]);
        isOver = true;
        await guarded(connection, true, async () => ensureCommitted(await connection.send(COMMIT, limitMs)));
        return result;
      } catch (error) {
        isOver = true;
        await this.#rollBack(connection);
        throw error;
      } finally {
        ended.forget();
      }
    });
  }

  /** All or nothing, in one round trip: the commit is on its way with the writes. */
  async writeAll(statements: readonly Statement[]): Promise<Answer[]> {
    return this.#with(true, async (connection, limitMs) => {
      connection.cork();
      const sent = [BEGIN, ...statements, COMMIT].map((each) => connection.send(each, limitMs));
      const [, ...settled] = await Promise.allSettled(sent);
      const committed = settled.pop();
      const failed = settled.find(({ status }) => status === 'rejected') ?? committed;
      return guarded(connection, true, async () => {
        if (failed?.status === 'rejected') throw failed.reason;
        if (committed?.status === 'fulfilled') ensureCommitted(committed.value);
        return Promise.all(sent.slice(1, -1));
      });
    });
  }

  async #rollBack(connection: Connection): Promise<void> {
    if (connection.isOver) return;
    try {
      await connection.send(ROLLBACK, this.#limitMs);
    } catch (error) {
      connection.destroy(error as Error);
    }
  }

  #with<T>(commits: boolean, use: (connection: Connection, limitMs: number) => Promise<T>): Promise<T> {
    return this.#health.watch(this.#alone(commits, use));
  }

  /** With a connection for itself, and what the wait for it has left of the time. */
  async #alone<T>(
    commits: boolean,
    use: (connection: Connection, limitMs: number) => Promise<T>,
  ): Promise<T> {
    if (commits) this.#checkStuck();
    const startedAt = monotonicMs();
    const connection = await this.#pool.take(this.#limitMs).catch((error: unknown) => {
      throw failureOf(error, true, false);
    });
    // A long wait for a connection is no reason to give up one that works.
    const left = Math.max(this.#limitMs / 2, this.#limitMs - (monotonicMs() - startedAt));
    try {
      // The connection may be one in the place of another whose commit did not return.
      if (commits) this.#checkStuck();
      return await use(connection, left);
    } finally {
      this.#pool.give(connection);
    }
  }
}
