/**
 * Tries whether the server takes writes. The commit needs the write-ahead log, a server that is not read-only, and its synchronous standbys;
 * the rows of a temporary table need new pages on the disk, which go back with the commit: nothing of it is logged or left to vacuum.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { MINUTE, monotonicMs } from '../../lib/clock.js';
import { newId } from '../../lib/id.js';
import type { StoreHealth } from '../health.js';
import { type Answer, type Connection, NoAnswer } from './connection.js';
import { codeOf } from './failures.js';
import type { PostgresOptions } from './open.js';
import type { Pool } from './pool.js';

export interface WriteTrialParts {
  readonly pool: Pool;
  readonly limitMs: number;
  readonly pooling: PostgresOptions['pooling'];
  readonly health: StoreHealth;
}

/** The end of a session drops its table by a commit. Waiting for a standby that is away, that one would keep the server from shutting down. */
const END_ALONE = 'set synchronous_commit = local';
/** As the role and the database have it, which is what commits of calls have. */
const BEGIN = 'begin; set local synchronous_commit to default';
const COMMIT = 'commit';
/** A pooler gives every transaction another session, so there the table ends with it. */
const MAKE_ROOM = {
  session: 'create temporary table if not exists trapeza_room (body text) on commit delete rows',
  transaction: 'create temporary table trapeza_room (body text) on commit drop',
} as const;
const FILL_ROOM = 'insert into pg_temp.trapeza_room (body) values ($1)';
/** Several pages, whatever the server compresses. */
const ROOM_BYTES = 24 * 1024;
/** Under a name of its own: two nodes never wait for each other. */
const PUT = 'insert into settings (name, value) values ($1, $1)';
const REMOVE = 'delete from settings where name = $1';
const SESSION = 'select pg_backend_pid() as pid';
const LOOK = `select wait_event as "waitsFor" from pg_stat_activity where pid = $1 and state = 'active'`;
const STANDBY = 'SyncRep';
/** A role without the right to make temporary tables. */
const NO_RIGHT = '42501';
/** A table of a session keeps the server from forgetting old transactions, so no session is kept for long. */
const SESSION_MS = 15 * MINUTE;

export class WriteTrial {
  readonly #parts: WriteTrialParts;
  /** The session that has the table, and since when. */
  #made: { readonly connection: Connection; readonly at: number } | undefined;
  #mayMakeRoom = true;

  constructor(parts: WriteTrialParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { pool, limitMs, health } = this.#parts;
    const { connection: old, at = 0 } = this.#made ?? {};
    // What calls failed by may be a setting that only new sessions see.
    if (old && (health.areCallsFailing || at < monotonicMs() - SESSION_MS))
      old.destroy(new Error('its time is over'));
    const connection = await pool.take(limitMs);
    try {
      await this.#write(connection);
    } catch (error) {
      if (codeOf(error) === NO_RIGHT) this.#mayMakeRoom = false;
      connection.destroy(error as Error);
      throw error;
    } finally {
      pool.give(connection);
    }
  }

  close(): Promise<void> {
    return this.#parts.pool.close();
  }

  async #write(connection: Connection): Promise<void> {
    const { limitMs } = this.#parts;
    const ask = (text: string, values: readonly unknown[] = []): Promise<Answer> =>
      connection.send({ text, values }, limitMs);
    const keepsRoom = this.#mayMakeRoom && this.#parts.pooling === 'session';
    if (keepsRoom && this.#made?.connection !== connection) await connection.script(END_ALONE, limitMs);
    await connection.script(BEGIN, limitMs);
    const { rows } = await ask(SESSION);
    if (this.#mayMakeRoom) await this.#takeRoom(connection, ask);
    const name = `trial ${newId()}`;
    await ask(PUT, [name]);
    await ask(REMOVE, [name]);
    await this.#commit(connection, (rows as readonly { readonly pid: number }[])[0]?.pid);
  }

  async #takeRoom(
    connection: Connection,
    ask: (text: string, values?: readonly unknown[]) => Promise<Answer>,
  ): Promise<void> {
    const { pooling } = this.#parts;
    const isMade = this.#made?.connection === connection && pooling === 'session';
    if (!isMade) {
      await ask(MAKE_ROOM[pooling]);
      this.#made = { connection, at: monotonicMs() };
    }
    await ask(FILL_ROOM, [randomBytes(ROOM_BYTES).toString('base64')]);
  }

  /** A commit that the server works on is waited for, however long: given up, it would stay there, and the next one beside it. */
  async #commit(connection: Connection, pid: number | undefined): Promise<void> {
    const { limitMs } = this.#parts;
    const startedAt = monotonicMs();
    let isOver = false;
    const committing = connection.send({ text: COMMIT }).finally(() => {
      isOver = true;
    });
    committing.catch(() => undefined);
    for (;;) {
      await Promise.race([committing, setTimeout(limitMs, undefined, { ref: false })]);
      if (isOver) break;
      if (!(await this.#isAtWork(pid)) && !isOver) connection.destroy(new NoAnswer(startedAt));
    }
    const { command } = await committing;
    if (command !== 'COMMIT') throw new Error('the trial was rolled back');
  }

  /** False if the server does not say so. */
  async #isAtWork(pid: number | undefined): Promise<boolean> {
    const { pool, limitMs, health } = this.#parts;
    try {
      const connection = await pool.take(limitMs);
      try {
        const { rows } = await connection.send({ text: LOOK, values: [pid] }, limitMs);
        const [row] = rows as readonly { readonly waitsFor: string | null }[];
        if (row?.waitsFor === STANDBY) health.awaitsStandby();
        return row !== undefined;
      } finally {
        pool.give(connection);
      }
    } catch {
      return false;
    }
  }
}
