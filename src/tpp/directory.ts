/**
 * Who a subscription key belongs to and which certificates are blocked, answered from memory. The picture is at most five seconds old: a changed version
 * reloads it, an unknown key looks at once (so a key works right after it was made), and a picture that cannot be
 * refreshed is not used, because it might hide a suspension or a block.
 */

import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import type { Eventual } from '../lib/turn.js';
import type { Access, Area, Binding, Profile, Role } from '../model/caller.js';
import type { ClientId } from '../model/ids.js';
import { signaturePolicies } from '../model/signature-policy.js';
import { Problem } from '../problem/problem.js';
import type { Db } from '../store/db.js';
import { allProven } from '../store/proven.js';
import { Snapshot } from '../store/snapshot.js';
import { blockedFingerprints } from './blocked-certificates.js';
import { redirectUrisColumn } from './columns.js';
import { readVersion } from './version.js';

/** Unknown keys make the directory look at the store, but not more often than this: those that come sooner wait. */
const LOOK_AGAIN_MS = 25;
const MAX_KEY_LENGTH = 256;

interface KeyRow {
  readonly hash: string;
  readonly key_id: string;
  readonly subscription_id: string;
  readonly client_id: ClientId;
  readonly tpp_id: string;
  readonly registration: string;
  readonly signature_policy: string | null;
  readonly roles: string;
  readonly products: string;
  readonly redirect_uris: string;
  readonly webhook_url: string | null;
  readonly token_binding: string;
  readonly profile: string;
  readonly quota_per_minute: number | null;
  readonly quota_per_day: number | null;
  readonly suspended: number;
}

const ALL_KEYS = `
  select k.hash, k.id as key_id, s.id as subscription_id, s.client_id, a.tpp_id, a.redirect_uris, a.webhook_url, t.roles, s.products,
         t.registration, t.signature_policy, a.token_binding, a.profile, s.quota_per_minute, s.quota_per_day,
         case when t.status = 'active' and a.status = 'active' and k.status = 'active' then 0 else 1 end as suspended
  from subscription_keys k
  join subscriptions s on s.id = k.subscription_id
  join applications a on a.client_id = s.client_id
  join tpps t on t.id = a.tpp_id
  where k.revoked_at is null`;

const keyAccessOf = (row: KeyRow, fapi2Only: boolean): Access => ({
  keyId: row.key_id,
  subscriptionId: row.subscription_id,
  clientId: row.client_id,
  tppId: row.tpp_id,
  registration: row.registration,
  signaturePolicy: signaturePolicies.find((policy) => policy === row.signature_policy),
  roles: row.roles.split(' ') as Role[],
  products: row.products.split(' ') as Area[],
  redirectUris: redirectUrisColumn.read(row.redirect_uris),
  webhookUrl: row.webhook_url ?? undefined,
  binding: row.token_binding as Binding,
  profile: row.profile as Profile,
  blocked: row.suspended !== 0 || (fapi2Only && row.profile !== 'fapi2'),
  quotaPerMinute: row.quota_per_minute ?? undefined,
  quotaPerDay: row.quota_per_day ?? undefined,
});

export interface DirectoryOptions {
  /** Applications that are not in the profile are treated as suspended. */
  readonly fapi2Only?: boolean;
  readonly onBlock?: BlockListener;
}

/** Called for every certificate that is blocked or unblocked while the service runs. */
export type BlockListener = (fingerprint: string, isBlocked: boolean) => void;

interface Entries {
  readonly version: string;
  readonly byHash: ReadonlyMap<string, Access>;
  /** Keys already seen, by their own text, so that a key is hashed once and not at every call. */
  readonly byKey: Map<string, Access>;
  readonly blocked: ReadonlySet<string>;
}

const none: Entries = { version: '', byHash: new Map(), byKey: new Map(), blocked: new Set() };

export class Directory {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #options: DirectoryOptions;
  readonly #entries: Snapshot<Entries>;
  #look: Promise<unknown> | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Db, clock: Clock, options: DirectoryOptions = {}) {
    this.#db = db;
    this.#clock = clock;
    this.#options = options;
    this.#entries = new Snapshot(none, (last) => this.#read(last), clock);
  }

  async refresh(): Promise<void> {
    await this.#entries.refresh();
  }

  /** Reads the version, and the rest only if that has changed. */
  async #read(last: Entries): Promise<Entries> {
    const version = await readVersion(this.#db);
    if (version === last.version) return last;
    const rows = await allProven<KeyRow>(this.#db, ALL_KEYS);
    const blocked = await blockedFingerprints(this.#db);
    if (last !== none) this.#tellBlocks(last.blocked, blocked);
    const { fapi2Only = false } = this.#options;
    const byHash = new Map(rows.map((row) => [row.hash, keyAccessOf(row, fapi2Only)]));
    return { version, byHash, byKey: new Map(), blocked };
  }

  #tellBlocks(last: ReadonlySet<string>, now: ReadonlySet<string>): void {
    for (const each of now) if (!last.has(each)) this.#options.onBlock?.(each, true);
    for (const each of last) if (!now.has(each)) this.#options.onBlock?.(each, false);
  }

  /** At once if the picture is fresh, else after a look at the store. */
  blockedCertificates(): Eventual<ReadonlySet<string>> {
    if (this.#entries.isFresh()) return this.#entries.value.blocked;
    return this.#refreshed().then(({ blocked }) => blocked);
  }

  #refreshed(): Promise<Entries> {
    return this.#entries.refresh().catch((cause: unknown) => {
      throw new Problem('dependency-unavailable', { cause });
    });
  }

  /**
   * Undefined if the key is unknown or the picture too old to tell: then ask `find`, which looks at the store. `maxAgeMs` counts while the
   * store is away.
   */
  recall(key: string, maxAgeMs?: number): Access | undefined {
    if (!this.#entries.isFresh(maxAgeMs)) return undefined;
    return this.#entries.value.byKey.get(key) ?? this.#lookUp(key);
  }

  async find(key: string, maxAgeMs?: number): Promise<Access | undefined> {
    const known = this.recall(key, maxAgeMs);
    if (known) return known;
    try {
      await this.#lookAgain();
    } catch (error) {
      const old = this.recall(key, maxAgeMs);
      if (old) return old;
      throw error;
    }
    return this.#lookUp(key);
  }

  /** The next read, for all who wait for it: one that is under way may have begun before a key was made. */
  #lookAgain(): Promise<unknown> {
    this.#look ??= this.#nextTurn().then(() => {
      this.#look = undefined;
      this.#lookedAt = this.#clock.elapsed();
      return this.#refreshed();
    });
    return this.#look;
  }

  async #nextTurn(): Promise<void> {
    await this.#entries.settled();
    const rest = LOOK_AGAIN_MS - (this.#clock.elapsed() - this.#lookedAt);
    if (rest > 0) await setTimeout(rest);
  }

  /** Of a key that was seen before, else nothing. Says whose request it is, not that it may be answered. */
  subscriptionOf(key: string | string[] | undefined): string {
    return (typeof key === 'string' && this.#entries.value.byKey.get(key)?.subscriptionId) || '';
  }

  #lookUp(key: string): Access | undefined {
    if (key.length > MAX_KEY_LENGTH) return undefined;
    const { byHash, byKey } = this.#entries.value;
    const access = byHash.get(sha256(key));
    if (access) byKey.set(key, access);
    return access;
  }

  close(): void {
    this.#entries.close();
  }
}
