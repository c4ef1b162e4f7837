/**
 * Who a subscription key belongs to and which certificates are blocked, answered from memory. The picture is at most five seconds old: a changed version
 * reloads it, an unknown key looks at once (so a key works right after it was made), and a picture that cannot be
 * refreshed is not used, because it might hide a suspension or a block.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import type { Eventual } from '../lib/turn.js';
import type { Access, Area, Binding, Profile, Role } from '../model/caller.js';
import { signaturePolicies } from '../model/signature-policy.js';
import { Problem } from '../problem.js';
import type { Db } from '../store/db.js';
import { Polled } from '../store/polled.js';
import { allProven } from '../store/proven.js';
import { blockedFingerprints } from './blocked-certificates.js';
import { readVersion } from './version.js';

/** An unknown key may make the directory look at the store, but not more often than this. */
const LOOK_AGAIN_MS = 25;
const MAX_KEY_LENGTH = 256;

interface KeyRow {
  readonly hash: string;
  readonly key_id: string;
  readonly subscription_id: string;
  readonly client_id: string;
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

const accessOf = (row: KeyRow, fapi2Only: boolean): Access => ({
  keyId: row.key_id,
  subscriptionId: row.subscription_id,
  clientId: row.client_id,
  tppId: row.tpp_id,
  registration: row.registration,
  signaturePolicy: signaturePolicies.find((policy) => policy === row.signature_policy),
  roles: row.roles.split(' ') as Role[],
  products: row.products.split(' ') as Area[],
  redirectUris: JSON.parse(row.redirect_uris) as string[],
  webhookUrl: row.webhook_url ?? undefined,
  binding: row.token_binding as Binding,
  profile: row.profile as Profile,
  blocked: row.suspended !== 0 || (fapi2Only && row.profile !== 'fapi2'),
  quotaPerMinute: row.quota_per_minute ?? undefined,
  quotaPerDay: row.quota_per_day ?? undefined,
});

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

export interface DirectoryOptions {
  /** Applications that are not in the profile are treated as suspended. */
  readonly fapi2Only?: boolean;
  readonly onBlock?: BlockListener;
}

/** Told of every certificate that is blocked or unblocked while the service runs. */
export type BlockListener = (fingerprint: string, isBlocked: boolean) => void;

export class Directory {
  readonly #db: Db;
  readonly #options: DirectoryOptions;
  #byHash: ReadonlyMap<string, Access> = new Map();
  /** Keys already seen, by their own text, so that a key is hashed once and not at every call. */
  #byKey = new Map<string, Access>();
  #blocked: ReadonlySet<string> = new Set();
  #version = '';
  readonly #polled: Polled;

  constructor(db: Db, clock: Clock, options: DirectoryOptions = {}) {
    this.#db = db;
    this.#options = options;
    this.#polled = new Polled(() => this.#look(), clock);
  }

  /** Looks at the version and reloads what has changed. Concurrent calls share one look. */
  refresh(): Promise<void> {
    return this.#polled.refresh();
  }

  async #look(): Promise<void> {
    const version = await readVersion(this.#db);
    if (version !== this.#version) {
      const rows = await allProven<KeyRow>(this.#db, ALL_KEYS);
      const blocked = await blockedFingerprints(this.#db);
      if (this.#version !== '') this.#tellBlocks(blocked);
      const { fapi2Only = false } = this.#options;
      this.#byHash = new Map(rows.map((row) => [row.hash, accessOf(row, fapi2Only)]));
      this.#byKey = new Map();
      this.#blocked = blocked;
      this.#version = version;
    }
  }

  #tellBlocks(now: ReadonlySet<string>): void {
    for (const each of now) if (!this.#blocked.has(each)) this.#options.onBlock?.(each, true);
    for (const each of this.#blocked) if (!now.has(each)) this.#options.onBlock?.(each, false);
  }

  /** At once if the picture is fresh, else after a look at the store. */
  blockedCertificates(): Eventual<ReadonlySet<string>> {
    if (this.#polled.isFresh()) return this.#blocked;
    return this.#refreshed().then(() => this.#blocked);
  }

  #refreshed(): Promise<void> {
    return this.refresh().catch((cause: unknown) => {
      throw new Problem('dependency-unavailable', { cause });
    });
  }

  /**
   * Undefined if the key is unknown or the picture too old to tell: then ask `find`, which looks at the store. `maxAgeMs` counts while the
   * store is away.
   */
  recall(key: string, maxAgeMs?: number): Access | undefined {
    if (!this.#polled.isFresh(maxAgeMs)) return undefined;
    return this.#byKey.get(key) ?? this.#lookUp(key);
  }

  async find(key: string, maxAgeMs?: number): Promise<Access | undefined> {
    const known = this.recall(key, maxAgeMs);
    if (known || this.#polled.age < LOOK_AGAIN_MS) return known;
    try {
      await this.#refreshed();
    } catch (error) {
      const old = this.recall(key, maxAgeMs);
      if (old) return old;
      throw error;
    }
    return this.#lookUp(key);
  }

  /** Of a key that was seen before, else nothing. Says whose request it is, not that it may be answered. */
  subscriptionOf(key: string | string[] | undefined): string {
    return (typeof key === 'string' && this.#byKey.get(key)?.subscriptionId) || '';
  }

  #lookUp(key: string): Access | undefined {
    if (key.length > MAX_KEY_LENGTH) return undefined;
    const access = this.#byHash.get(hashOf(key));
    if (access) this.#byKey.set(key, access);
    return access;
  }

  close(): void {
    this.#polled.close();
  }
}
