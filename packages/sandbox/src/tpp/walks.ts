/**
 * The walks there are, shared by all nodes. They hold tokens, so they are sealed; each belongs to the browser that began
 * it; and they are few and short-lived, because anybody may begin one.
 */
import {
  type Clock,
  type ConsentId,
  HOUR,
  type Queries,
  type RealTime,
  type SealedKind,
  sha256,
  type Vault,
} from 'trapeza/base';
import type { Walk } from './walk.js';

const IDLE_MS = 2 * HOUR;
const MAX_WALKS = 500;
const MAX_SHOWN = 5;

interface WalkRow {
  readonly id: string;
  readonly version: number;
  readonly state: string;
}

export interface HeldWalk {
  readonly walk: Walk;
  readonly version: number;
}

const FIND = 'select id, version, state from demo_walks where id = ? and browser_hash = ? and touched_at > ?';
const OF_BROWSER = `select id, version, state from demo_walks where browser_hash = ? and touched_at > ?
  order by touched_at desc limit ?`;
const OF_CONSENT = 'select id from demo_walks where consent_id = ? and touched_at > ? limit 1';
const INSERT_WALK = `insert into demo_walks (id, browser_hash, version, state, consent_id, touched_at)
  values (?, ?, 1, ?, null, ?)`;
/** Of two presses of a button at once, one is kept. */
const SAVE = `update demo_walks set version = version + 1, state = ?, consent_id = ?, touched_at = ?
  where id = ? and version = ?`;
const SWEEP_OLD = 'delete from demo_walks where touched_at <= ?';
const SWEEP_MANY = `delete from demo_walks where id not in
  (select id from demo_walks order by touched_at desc limit ?)`;

const placeOf = (id: string): string => `walk:${id}`;
const SEALED =
  'select id, state as sealed from demo_walks where id > ? and touched_at > ? order by id limit ?';
const BATCH = 200;

export const walkRows: SealedKind = {
  name: 'walks of the demo third party',
  lastsMs: IDLE_MS,
  read: async (db, { after, now }) =>
    (await db.all<{ id: string; sealed: string }>(SEALED, [after, now - IDLE_MS, BATCH])).map((row) => ({
      ...row,
      place: placeOf(row.id),
    })),
};

const sealed = (vault: Vault, walk: Walk): string => vault.seal(JSON.stringify(walk), placeOf(walk.id));

export interface WalkStoreParts {
  readonly db: Queries;
  readonly vault: Vault;
  readonly clock: Clock;
}

/** Ends what is old, and what is too much. */
export const sweepWalks = async (db: Queries, nowMs: RealTime, most = MAX_WALKS): Promise<number> =>
  (await db.run(SWEEP_OLD, [nowMs - IDLE_MS])) + (await db.run(SWEEP_MANY, [most]));

export const clearWalks = async (tx: Queries): Promise<void> => {
  await tx.run('delete from demo_walks');
};

export class Walks {
  readonly #parts: WalkStoreParts;

  constructor(parts: WalkStoreParts) {
    this.#parts = parts;
  }

  #open({ id, version, state }: WalkRow): HeldWalk[] {
    try {
      return [{ version, walk: JSON.parse(this.#parts.vault.open(state, placeOf(id))) as Walk }];
    } catch {
      // Sealed under another secret: the walk is over.
      return [];
    }
  }

  #since(): number {
    return this.#parts.clock.now() - IDLE_MS;
  }

  async find(id: string, browser: string | undefined): Promise<HeldWalk | undefined> {
    if (!browser) return undefined;
    const row = await this.#parts.db.one<WalkRow>(FIND, [id, sha256(browser), this.#since()]);
    return row && this.#open(row)[0];
  }

  async ofBrowser(browser: string | undefined): Promise<readonly Walk[]> {
    if (!browser) return [];
    const rows = await this.#parts.db.all<WalkRow>(OF_BROWSER, [sha256(browser), this.#since(), MAX_SHOWN]);
    return rows.flatMap((row) => this.#open(row)).map(({ walk }) => walk);
  }

  async hasConsent(consentId: ConsentId): Promise<boolean> {
    return (await this.#parts.db.one(OF_CONSENT, [consentId, this.#since()])) !== undefined;
  }

  async add(walk: Walk, browser: string): Promise<void> {
    const { db, vault, clock } = this.#parts;
    await sweepWalks(db, clock.now(), MAX_WALKS - 1);
    await db.run(INSERT_WALK, [walk.id, sha256(browser), sealed(vault, walk), clock.now()]);
  }

  /** The new version, or undefined if a concurrent change came first. */
  async save(walk: Walk, version: number): Promise<number | undefined> {
    const { db, vault, clock } = this.#parts;
    const state = sealed(vault, walk);
    const saved = await db.run(SAVE, [state, walk.consent?.id ?? null, clock.now(), walk.id, version]);
    return saved === 1 ? version + 1 : undefined;
  }
}
