/**
 * What the authorization server has taken back: single access tokens and whole grants. Access tokens are JWTs and would work
 * until they expire, so every node keeps this list, at most five seconds old; a list that cannot be refreshed is not used.
 */
import { type Clock, HOUR, MINUTE } from '../lib/clock.js';
import { Problem } from '../problem/problem.js';
import type { Db } from '../store/db.js';
import { allProven } from '../store/proven.js';
import { Snapshot } from '../store/snapshot.js';

/** Longer than any access token lives, so an entry may go when its last token is gone. */
const KEPT_MS = 15 * MINUTE;
/** Entries are read for longer: a clock that is ahead for a while must not empty the list. */
const READ_AFTER_END_MS = 3 * HOUR;

const REVOKED = 'select kind, id from oauth_revocations where expires_at > ?';
const ADD = `insert into oauth_revocations (kind, id, expires_at) values (?, ?, ?)
  on conflict (kind, id) do update set expires_at = excluded.expires_at`;

export interface Revocable {
  readonly tokenId?: string | undefined;
  readonly grantId?: string | undefined;
}

export class Revocations {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #revoked: Snapshot<ReadonlySet<string>>;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#revoked = new Snapshot<ReadonlySet<string>>(new Set(), () => this.#read(), clock);
  }

  async refresh(): Promise<void> {
    await this.#revoked.refresh();
  }

  async #read(): Promise<ReadonlySet<string>> {
    const rows = await allProven<{ kind: string; id: string }>(this.#db, REVOKED, [
      this.#clock.now() - READ_AFTER_END_MS,
    ]);
    return new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  }

  /** Undefined if the list is too old to tell: then ask `isRevoked`, which reads it anew. `maxAgeMs` counts while the store is away. */
  recall(token: Revocable, maxAgeMs?: number): boolean | undefined {
    return this.#revoked.isFresh(maxAgeMs) ? this.#has(token) : undefined;
  }

  async isRevoked(token: Revocable, maxAgeMs?: number): Promise<boolean> {
    const known = this.recall(token, maxAgeMs);
    if (known !== undefined) return known;
    try {
      await this.refresh();
    } catch (cause) {
      const old = this.recall(token, maxAgeMs);
      if (old !== undefined) return old;
      throw new Problem('dependency-unavailable', { cause });
    }
    return this.#has(token);
  }

  #has({ tokenId, grantId }: Revocable): boolean {
    const { value } = this.#revoked;
    if (value.size === 0) return false;
    return value.has(`token ${tokenId}`) || value.has(`grant ${grantId}`);
  }

  async revokeToken(tokenId: string): Promise<void> {
    await this.#db.run(ADD, ['token', tokenId, this.#clock.now() + KEPT_MS]);
    await this.refresh();
  }

  /** Ends a grant with its codes and refresh tokens; its access tokens are refused everywhere within five seconds. */
  async revokeGrant(grantId: string): Promise<void> {
    const expiresAt = this.#clock.now() + KEPT_MS;
    await this.#db.transaction(async (tx) => {
      await tx.run(ADD, ['grant', grantId, expiresAt]);
      await tx.run('delete from oidc_records where grant_id = ?', [grantId]);
    });
    await this.refresh();
  }

  close(): void {
    this.#revoked.close();
  }
}
