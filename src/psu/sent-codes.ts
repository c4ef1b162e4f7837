/**
 * Which code was sent for what in which session, so that a page that is shown again keeps its code. The row is written before
 * the code is sent: of two pages that are opened at once one sends, and a code that may or may not have gone out is not followed by another.
 */
import type { Clock } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import type { Vault } from '../lib/vault.js';
import type { Queries } from '../store/db.js';
import { SEALED_BATCH, type SealedKind } from '../store/sealed-rows.js';
import { RESEND_AFTER_MS } from './code-rules.js';
import { SESSION_MS } from './sessions.js';

/** What the bank said when it sent the code. */
export interface SentChallenge {
  readonly id: string;
  readonly method?: 'code' | 'app' | 'browser' | 'redirect' | undefined;
  /** For the browser. */
  readonly request?: string;
  readonly location?: string;
  /** Masked. */
  readonly sentTo?: string | undefined;
  /** Only in the sandbox. */
  readonly demoCode?: string;
  /** Undefined if the bank does not say. */
  readonly expiresAt?: number;
  /** Its place among the codes that were sent, given back once it is answered rightly. */
  readonly place?: number;
  /** What the person had chosen when they went to confirm outside of the page. */
  readonly chosen?: unknown;
}

/** One thing to be confirmed, in one session, in one way. */
export interface Visit {
  readonly secret: string;
  readonly shownHash: string;
  /** Undefined if the bank lists no ways. */
  readonly methodId?: string | undefined;
}

export interface SentCode {
  /** Absent: being sent, or it is unknown whether it was. */
  readonly challenge?: SentChallenge;
  readonly sentAt: number;
  /** Too old, or spent. */
  readonly isOver: boolean;
}

const BEGIN = `insert into sent_codes (session_hash, shown_hash, sent_at) values (?, ?, ?)
  on conflict (session_hash, shown_hash) do nothing`;
const BEGIN_AGAIN = `update sent_codes set challenge = null, expires_at = null, sent_at = ?
  where session_hash = ? and shown_hash = ? and sent_at <= ?`;
/** An answer that comes after the next code was asked for is of no use. */
const STORE_CHALLENGE = `update sent_codes set challenge = ?, expires_at = ?
  where session_hash = ? and shown_hash = ? and sent_at = ?`;
/** Not on one that is over. */
const CHOOSE = `update sent_codes set challenge = ?
  where session_hash = ? and shown_hash = ? and sent_at = ? and (expires_at is null or expires_at > ?)`;
const FIND = `select challenge, sent_at as "sentAt", expires_at as "expiresAt" from sent_codes
  where session_hash = ? and shown_hash = ?`;
const END = `update sent_codes set expires_at = 0
  where session_hash = ? and shown_hash = ? and (expires_at is null or expires_at > 0)`;
const FORGET = 'delete from sent_codes where session_hash = ? and shown_hash = ? and sent_at = ?';
const SWEEP = `
  delete from sent_codes where (session_hash, shown_hash) in
    (select session_hash, shown_hash from sent_codes where sent_at <= ? limit 500)`;

interface SentRow {
  readonly challenge: string | null;
  readonly sentAt: number;
  readonly expiresAt: number | null;
}

/** No hash of what is shown has a blank in it. */
const matterOf = ({ shownHash, methodId }: Visit): string =>
  methodId === undefined ? shownHash : `${shownHash} ${methodId}`;

const keyOf = (visit: Visit): readonly [string, string] => [sha256(visit.secret), matterOf(visit)];

/** Not of the session: its row gets another key when the person has confirmed who they are. */
const placeFor = (matter: string): string => `sent code ${matter}`;
const placeOf = (visit: Visit): string => placeFor(matterOf(visit));

const SEALED = `select session_hash as session, shown_hash as matter, challenge as sealed from sent_codes
  where (session_hash, shown_hash) > (?, ?) and challenge is not null and sent_at > ? and (expires_at is null or expires_at > ?)
  order by session_hash, shown_hash limit ?`;

/** They end with the session of the person. */
export const sentCodeRows: SealedKind = {
  name: 'codes that were sent',
  lastsMs: SESSION_MS,
  read: async (db, { after, now }) => {
    const [session = '', ...matter] = after.split(' ');
    const params = [session, matter.join(' '), now - SESSION_MS, now, SEALED_BATCH];
    const rows = await db.all<{ session: string; matter: string; sealed: string }>(SEALED, params);
    return rows.map((row) => ({
      id: `${row.session} ${row.matter}`,
      sealed: row.sealed,
      place: placeFor(row.matter),
    }));
  },
};

export class SentCodes {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #vault: Vault;

  constructor(db: Queries, clock: Clock, vault: Vault) {
    this.#db = db;
    this.#clock = clock;
    this.#vault = vault;
  }

  async find(visit: Visit): Promise<SentCode | undefined> {
    const row = await this.#db.one<SentRow>(FIND, keyOf(visit));
    if (!row) return undefined;
    const { challenge, sentAt, expiresAt } = row;
    if (challenge === null) return { sentAt, isOver: this.#isPast(expiresAt) };
    // Sealed under a secret that was taken away too early: the person gets another code.
    if (!this.#vault.canOpen(challenge, placeOf(visit))) return { sentAt, isOver: true };
    const opened = JSON.parse(this.#vault.open(challenge, placeOf(visit))) as SentChallenge;
    return { sentAt, isOver: this.#isPast(expiresAt), challenge: opened };
  }

  #isPast(expiresAt: number | null): boolean {
    return expiresAt !== null && expiresAt <= this.#clock.now();
  }

  /** The moment of the sending, if it is the caller who must send the first code of a visit. */
  async begin(visit: Visit): Promise<number | undefined> {
    const now = this.#clock.now();
    return (await this.#db.run(BEGIN, [...keyOf(visit), now])) === 1 ? now : undefined;
  }

  /** As `begin`, for another code. */
  async beginAgain(visit: Visit): Promise<number | undefined> {
    const now = this.#clock.now();
    const params = [now, ...keyOf(visit), now - RESEND_AFTER_MS];
    return (await this.#db.run(BEGIN_AGAIN, params)) === 1 ? now : undefined;
  }

  async keep(visit: Visit, sentAt: number, challenge: SentChallenge): Promise<void> {
    const sealed = this.#vault.seal(JSON.stringify(challenge), placeOf(visit));
    await this.#db.run(STORE_CHALLENGE, [sealed, challenge.expiresAt ?? null, ...keyOf(visit), sentAt]);
  }

  /** Keeps a choice until the app has answered; false if it is too late for it. */
  async choose(visit: Visit, chosen: unknown): Promise<boolean> {
    const known = await this.find(visit);
    if (!known?.challenge) return false;
    const sealed = this.#vault.seal(JSON.stringify({ ...known.challenge, chosen }), placeOf(visit));
    const params = [sealed, ...keyOf(visit), known.sentAt, this.#clock.now()];
    return (await this.#db.run(CHOOSE, params)) === 1;
  }

  /** Nothing was sent. */
  async forget(visit: Visit, sentAt: number): Promise<void> {
    await this.#db.run(FORGET, [...keyOf(visit), sentAt]);
  }

  /** The code works no more; false if it did not before. */
  async end(visit: Visit): Promise<boolean> {
    return (await this.#db.run(END, keyOf(visit))) === 1;
  }

  /** Removes some of what belongs to sessions that are over; called by a job until nothing is left. */
  sweep(olderThanMs: number): Promise<number> {
    return this.#db.run(SWEEP, [this.#clock.now() - olderThanMs]);
  }
}
