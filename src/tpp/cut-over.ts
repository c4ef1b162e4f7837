/** Applications and keys as another gateway had them: with their ids and the hashes of their secrets. Call within a transaction. */
import type { RealTime } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import type { ClientId } from '../model/ids.js';
import type { Queries, Reads } from '../store/db.js';
import { redirectUrisColumn } from './columns.js';
import type { Slot } from './registry.js';
import { bumpVersion } from './version.js';

export interface ImportedApplication {
  readonly clientId: ClientId;
  /** The authorisation number of its third party. */
  readonly registration: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Null: it proves itself by its keys. */
  readonly secretHash: string | null;
  readonly jwks: string | null;
}

export interface ImportedKey {
  readonly clientId: ClientId;
  readonly slot: Slot;
  readonly hash: string;
  readonly products: readonly string[];
  /** Per minute and per day; null: as for everybody. */
  readonly quotas: readonly [number | null, number | null];
}

/** What the store has, to compare with. */
export interface KnownParties {
  readonly tpps: ReadonlyMap<string, { readonly roles: readonly string[] }>;
  readonly applications: ReadonlyMap<string, { readonly registration: string }>;
  /** The application of each key, by its hash. */
  readonly keys: ReadonlyMap<string, string>;
  /** The hash of the key in an imported subscription, by application and slot. */
  readonly slots: ReadonlyMap<string, string>;
}

const KNOWN_TPPS = 'select registration, roles from tpps';
const KNOWN_APPLICATIONS = `select a.client_id as "clientId", t.registration
  from applications a join tpps t on t.id = a.tpp_id`;
const KNOWN_KEYS = `select k.hash, k.slot, k.revoked_at as "revokedAt", s.id, s.client_id as "clientId"
  from subscription_keys k join subscriptions s on s.id = k.subscription_id`;

export const knownParties = async (db: Reads): Promise<KnownParties> => {
  const tpps = await db.all<{ registration: string; roles: string }>(KNOWN_TPPS);
  const applications = await db.all<{ clientId: string; registration: string }>(KNOWN_APPLICATIONS);
  const keys = await db.all<{
    hash: string;
    slot: string;
    revokedAt: number | null;
    id: string;
    clientId: string;
  }>(KNOWN_KEYS);
  const open = keys.filter(({ id, clientId, revokedAt }) => id === clientId && revokedAt === null);
  return {
    tpps: new Map(tpps.map(({ registration, roles }) => [registration, { roles: roles.split(' ') }])),
    applications: new Map(applications.map(({ clientId, registration }) => [clientId, { registration }])),
    keys: new Map(keys.map(({ hash, clientId }) => [hash, clientId])),
    slots: new Map(open.map(({ clientId, slot, hash }) => [`${clientId} ${slot}`, hash])),
  };
};

const IMPORT_APPLICATION = `
  insert into applications (client_id, tpp_id, name, redirect_uris, secret_hash, jwks, status, created_at)
  select ?, id, ?, ?, ?, ?, 'active', cast(? as bigint) from tpps where registration = ?`;

export const importApplication = async (
  tx: Queries,
  { clientId, registration, name, redirectUris, secretHash, jwks }: ImportedApplication,
  nowMs: RealTime,
): Promise<void> => {
  await bumpVersion(tx);
  const uris = redirectUrisColumn.write(redirectUris);
  await tx.run(IMPORT_APPLICATION, [clientId, name, uris, secretHash, jwks, nowMs, registration]);
};

/** The keys of an application are those of one subscription, which has its id. */
const IMPORT_SUBSCRIPTION = `
  insert into subscriptions (id, client_id, products, quota_per_minute, quota_per_day, created_at)
  values (?, ?, ?, ?, ?, ?) on conflict (id) do nothing`;
const IMPORT_KEY = `
  insert into subscription_keys (id, subscription_id, slot, hash, status, created_at) values (?, ?, ?, ?, 'active', ?)`;

export const importKey = async (tx: Queries, key: ImportedKey, nowMs: RealTime): Promise<void> => {
  const { clientId, slot, hash, products, quotas } = key;
  await bumpVersion(tx);
  await tx.run(IMPORT_SUBSCRIPTION, [clientId, clientId, products.join(' '), ...quotas, nowMs]);
  await tx.run(IMPORT_KEY, [newId(), clientId, slot, hash, nowMs]);
};
