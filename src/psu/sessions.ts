/**
 * Sessions of account holders on our pages. The cookie holds a secret, the store its hash. A session begins with a login, so a
 * page visit writes nothing and a planted cookie never becomes an authenticated one.
 */

import { type Clock, MINUTE } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import { newSecret } from '../lib/id.js';
import type { PsuId } from '../model/ids.js';
import type { Db, Queries } from '../store/db.js';

/** What is stored about the sessions of a person, without what opens them. */
export interface SessionTrace {
  readonly createdAt: number;
  readonly seenAt: number;
  readonly scaAt: number | null;
}

export const sessionsOf = (db: Queries, psuId: PsuId): Promise<SessionTrace[]> =>
  db.all<SessionTrace>(
    `select created_at as "createdAt", seen_at as "seenAt", sca_at as "scaAt"
     from psu_sessions where psu_id = ? order by created_at`,
    [psuId],
  );

/** Shared by every page that account holders log in on. */
export const SESSION_COOKIE = 'trapeza_session';

const IDLE_MS = 5 * MINUTE;
/** However busy it is. */
export const SESSION_MS = 20 * MINUTE;

export interface Session {
  /** The cookie's value. */
  readonly secret: string;
  /** Goes into every form; a form without it is not from our page. */
  readonly formToken: string;
  readonly psu: { readonly id: PsuId; readonly name: string };
  /** When the one-time code of the dashboard was given; undefined if only the first factor is known. */
  readonly scaAt: number | undefined;
}

interface SessionRow {
  readonly psu_id: PsuId;
  readonly name: string;
  readonly sca_at: number | null;
}

const sessionOf = (secret: string, row: SessionRow): Session => ({
  secret,
  formToken: sha256(`form:${secret}`),
  psu: { id: row.psu_id, name: row.name },
  scaAt: row.sca_at ?? undefined,
});

const FIND = `
  select psu_id, name, sca_at from psu_sessions
  where id_hash = ? and seen_at > ? and created_at > ? and psu_id is not null and name is not null`;

const SWEEP_IDLE = `
  delete from psu_sessions where id_hash in (select id_hash from psu_sessions where seen_at <= ? limit 500)`;
/** A busy one has been seen since. */
const SWEEP_OLD = `
  delete from psu_sessions where id_hash in (select id_hash from psu_sessions where created_at <= ? limit 500)`;
const MOVE_CODES = 'update sent_codes set session_hash = ? where session_hash = ?';

const closeIn = async (tx: Queries, secret: string): Promise<void> => {
  const hash = sha256(secret);
  await tx.run('delete from sent_codes where session_hash = ?', [hash]);
  await tx.run('delete from psu_sessions where id_hash = ?', [hash]);
};

export class Sessions {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The session of a cookie, or undefined if it is unknown, idle for too long, or too old. */
  async find(secret: string | undefined): Promise<Session | undefined> {
    if (!secret) return undefined;
    const now = this.#clock.now();
    const hash = sha256(secret);
    const row = await this.#db.one<SessionRow>(FIND, [hash, now - IDLE_MS, now - SESSION_MS]);
    if (!row) return undefined;
    await this.#db.run('update psu_sessions set seen_at = ? where id_hash = ?', [now, hash]);
    return sessionOf(secret, row);
  }

  /** A new session of an account holder who has just logged in. */
  open(psu: Session['psu']): Promise<Session> {
    return this.#insert(this.#db, { psu_id: psu.id, name: psu.name, sca_at: null });
  }

  /** A new session in the place of one whose account holder has given a right code: the secret of before opens nothing more. */
  stepUp({ secret, psu }: Session): Promise<Session> {
    return this.#db.transaction(async (tx) => {
      const session = await this.#insert(tx, { psu_id: psu.id, name: psu.name, sca_at: this.#clock.now() });
      // Codes that wait on other pages stay with the person.
      await tx.run(MOVE_CODES, [sha256(session.secret), sha256(secret)]);
      await closeIn(tx, secret);
      return session;
    });
  }

  async #insert(db: Queries, row: SessionRow): Promise<Session> {
    const secret = newSecret();
    const now = this.#clock.now();
    await db.run(
      'insert into psu_sessions (id_hash, psu_id, name, sca_at, created_at, seen_at) values (?, ?, ?, ?, ?, ?)',
      [sha256(secret), row.psu_id, row.name, row.sca_at, now, now],
    );
    return sessionOf(secret, row);
  }

  close(secret: string): Promise<void> {
    return this.#db.transaction((tx) => closeIn(tx, secret));
  }

  /** Removes some of what is over; called by a job until nothing is left. */
  async sweep(): Promise<number> {
    const now = this.#clock.now();
    return (
      (await this.#db.run(SWEEP_IDLE, [now - IDLE_MS])) + (await this.#db.run(SWEEP_OLD, [now - SESSION_MS]))
    );
  }
}

/** Everybody is logged out. */
export const clearSessions = async (tx: Queries): Promise<void> => {
  await tx.run('delete from sent_codes');
  await tx.run('delete from psu_sessions');
};
