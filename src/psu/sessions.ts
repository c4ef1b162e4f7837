/**
 * Sessions of account holders on our pages. The cookie holds a secret, the store its hash. A session is anonymous until the
 * login gives it a new secret, so a planted cookie never becomes an authenticated one.
 */
import { type Clock, MINUTE } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import { newSecret } from '../lib/id.js';
import type { Queries } from '../store/db.js';

/** Shared by every page that account holders log in on. */
export const SESSION_COOKIE = 'trapeza_session';

const IDLE_MS = 5 * MINUTE;
const ABSOLUTE_MS = 20 * MINUTE;

export interface Session {
  /** The cookie's value. */
  readonly secret: string;
  /** Goes into every form; a form without it is not from our page. */
  readonly formToken: string;
  readonly psu: { readonly id: string; readonly name: string } | undefined;
}

interface SessionRow {
  readonly psu_id: string | null;
  readonly name: string | null;
}

const sessionOf = (secret: string, row: SessionRow): Session => ({
  secret,
  formToken: sha256(`form:${secret}`),
  psu: row.psu_id === null ? undefined : { id: row.psu_id, name: row.name ?? '' },
});

const FIND = 'select psu_id, name from psu_sessions where id_hash = ? and seen_at > ? and created_at > ?';

export class Sessions {
  readonly #db: Queries;
  readonly #clock: Clock;

  constructor(db: Queries, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The session of a cookie, or undefined where it is unknown, idle for too long, or too old. */
  async find(secret: string | undefined): Promise<Session | undefined> {
    if (!secret) return undefined;
    const now = this.#clock.now();
    const hash = sha256(secret);
    const row = await this.#db.one<SessionRow>(FIND, [hash, now - IDLE_MS, now - ABSOLUTE_MS]);
    if (!row) return undefined;
    await this.#db.run('update psu_sessions set seen_at = ? where id_hash = ?', [now, hash]);
    return sessionOf(secret, row);
  }

  /** A new session, anonymous or of an account holder who has just logged in. */
  async open(psu?: { readonly id: string; readonly name: string }): Promise<Session> {
    const secret = newSecret();
    const now = this.#clock.now();
    const row = { psu_id: psu?.id ?? null, name: psu?.name ?? null };
    await this.#db.run(
      'insert into psu_sessions (id_hash, psu_id, name, created_at, seen_at) values (?, ?, ?, ?, ?)',
      [sha256(secret), row.psu_id, row.name, now, now],
    );
    return sessionOf(secret, row);
  }

  async close(secret: string): Promise<void> {
    await this.#db.run('delete from psu_sessions where id_hash = ?', [sha256(secret)]);
  }

  /** Removes what is over; called by a job. */
  async sweep(): Promise<number> {
    const now = this.#clock.now();
    return this.#db.run('delete from psu_sessions where seen_at <= ? or created_at <= ?', [
      now - IDLE_MS,
      now - ABSOLUTE_MS,
    ]);
  }
}
