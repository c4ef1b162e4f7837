/**
 * Third parties, their applications and subscriptions, as the bank's operators keep them. Keys are shown once, when they are
 * made; the store has only their hash. Every change bumps a version, by which all nodes notice it. Call within a transaction.
 */

import { Gone } from '../acts/refusal.js';
import { removeEventsOfTpp } from '../events/retention.js';
import type { RealTime } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import { newId, newSecret } from '../lib/id.js';
import { redirectFault } from '../lib/net/redirect.js';
import { type Area, areas, areasOfRoles, type Role, roles } from '../model/caller.js';
import type { ClientId } from '../model/ids.js';
import type { SignaturePolicy } from '../model/signature-policy.js';
import { removeRequestsOf } from '../observe/request-log/records.js';
import type { Queries } from '../store/db.js';
import { redirectUrisColumn } from './columns.js';
import { bumpVersion } from './version.js';

/** An operator's mistake, in words for an operator. */
export class RegistryError extends Gone {}

export type Slot = 'primary' | 'secondary';
export const slots: readonly Slot[] = ['primary', 'secondary'];

export interface NewTpp {
  readonly id?: string | undefined;
  readonly name: string;
  /** The authorisation number of PSD2 certificates, such as PSDGR-BOG-12345. */
  readonly registration: string;
  readonly roles: readonly string[];
}

const known = <T extends string>(names: readonly string[], all: readonly T[], what: string): T[] =>
  names.map((name) => {
    const found = all.find((each) => each === name);
    if (!found) throw new RegistryError(`"${name}" is not a ${what}; use ${all.join(', ')}`);
    return found;
  });

export const createTpp = async (tx: Queries, tpp: NewTpp, nowMs: RealTime): Promise<string> => {
  const held = known(tpp.roles, roles, 'role');
  if (held.length === 0)
    throw new RegistryError(`a third party needs at least one role: ${roles.join(', ')}`);
  if (tpp.name.trim() === '' || tpp.registration.trim() === '')
    throw new RegistryError('name and registration must not be empty');
  const id = tpp.id ?? newId();
  await bumpVersion(tx);
  const changed = await tx.run(
    `insert into tpps (id, name, registration, roles, status, created_at) values (?, ?, ?, ?, 'active', ?)
     on conflict (registration) do nothing`,
    [id, tpp.name, tpp.registration, held.join(' '), nowMs],
  );
  if (changed === 0)
    throw new RegistryError(`a third party with registration ${tpp.registration} exists already`);
  return id;
};

export interface NewApplication {
  readonly clientId?: ClientId | undefined;
  readonly tppId: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly secret?: string | undefined;
  /** Public keys for private_key_jwt, as a JSON Web Key Set; then the secret is not accepted. */
  readonly jwks?: string | undefined;
}

const checkRedirectUri = (uri: string): void => {
  const fault = redirectFault(uri);
  if (fault !== undefined) throw new RegistryError(`${uri} is not a redirect address: it ${fault}`);
};

/** What is wrong with a key set, if anything. */
export const jwksFault = (jwks: string): string | undefined => {
  try {
    const { keys } = JSON.parse(jwks) as { keys?: unknown };
    if (Array.isArray(keys) && keys.length > 0 && !/"d"\s*:/.test(jwks)) return undefined;
  } catch {
    // Reported below, with the other faults.
  }
  return 'the key set is not a JSON Web Key Set with public keys: {"keys": […]}';
};

/** The application and its secret, which is shown only this once. */
export const createApplication = async (tx: Queries, application: NewApplication, nowMs: RealTime) => {
  application.redirectUris.forEach(checkRedirectUri);
  const fault = application.jwks === undefined ? undefined : jwksFault(application.jwks);
  if (fault !== undefined) throw new RegistryError(fault);
  const clientId = application.clientId ?? newId();
  const clientSecret = application.secret ?? newSecret();
  if (!(await tx.one('select id from tpps where id = ?', [application.tppId]))) {
    throw new RegistryError(`there is no third party ${application.tppId}`);
  }
  const redirectUris = redirectUrisColumn.write(application.redirectUris);
  await bumpVersion(tx);
  await tx.run(
    `insert into applications (client_id, tpp_id, name, redirect_uris, secret_hash, jwks, status, created_at)
     values (?, ?, ?, ?, ?, ?, 'active', ?)`,
    [
      clientId,
      application.tppId,
      application.name,
      redirectUris,
      sha256(clientSecret),
      application.jwks ?? null,
      nowMs,
    ],
  );
  return { clientId, clientSecret };
};

export interface NewSubscription {
  readonly id?: string | undefined;
  readonly clientId: ClientId;
  /** All that the roles of the third party allow, if absent. */
  readonly products?: readonly string[] | undefined;
  readonly quotaPerMinute?: number | undefined;
  readonly quotaPerDay?: number | undefined;
  /** Fixed keys, for the sandbox only. */
  readonly keys?: Readonly<Record<Slot, string>> | undefined;
}

export interface IssuedKey {
  readonly id: string;
  readonly slot: Slot;
  readonly key: string;
}

const insertKey = async (
  tx: Queries,
  subscriptionId: string,
  slot: Slot,
  key: string,
  nowMs: RealTime,
): Promise<IssuedKey> => {
  const id = newId();
  await tx.run(
    `insert into subscription_keys (id, subscription_id, slot, hash, status, created_at)
     values (?, ?, ?, ?, 'active', ?)`,
    [id, subscriptionId, slot, sha256(key), nowMs],
  );
  return { id, slot, key };
};

/** A subscription with its two keys, which are shown only this once. */
export const createSubscription = async (tx: Queries, wanted: NewSubscription, nowMs: RealTime) => {
  const owner = await tx.one<{ roles: string }>(
    'select t.roles from applications a join tpps t on t.id = a.tpp_id where a.client_id = ?',
    [wanted.clientId],
  );
  if (!owner) throw new RegistryError(`there is no application ${wanted.clientId}`);
  const products: Area[] = wanted.products
    ? known(wanted.products, areas, 'product')
    : areasOfRoles(owner.roles.split(' ') as Role[]);
  const subscriptionId = wanted.id ?? newId();
  const { quotaPerMinute = null, quotaPerDay = null } = wanted;
  await bumpVersion(tx);
  await tx.run(
    `insert into subscriptions (id, client_id, products, quota_per_minute, quota_per_day, created_at)
     values (?, ?, ?, ?, ?, ?)`,
    [subscriptionId, wanted.clientId, products.join(' '), quotaPerMinute, quotaPerDay, nowMs],
  );
  const keys: IssuedKey[] = [];
  for (const slot of slots) {
    keys.push(await insertKey(tx, subscriptionId, slot, wanted.keys?.[slot] ?? newSecret(), nowMs));
  }
  return { subscriptionId, products, keys };
};

const REVOKE =
  'update subscription_keys set revoked_at = ? where subscription_id = ? and slot = ? and revoked_at is null';

/** Replaces one of the two keys; the other one keeps working, so there is no outage. */
export const rollKey = async (
  tx: Queries,
  subscriptionId: string,
  slot: Slot,
  nowMs: RealTime,
): Promise<IssuedKey> => {
  if (!(await tx.one('select id from subscriptions where id = ?', [subscriptionId]))) {
    throw new RegistryError(`there is no subscription ${subscriptionId}`);
  }
  await bumpVersion(tx);
  await tx.run(REVOKE, [nowMs, subscriptionId, slot]);
  return insertKey(tx, subscriptionId, slot, newSecret(), nowMs);
};

export interface QuotaWish {
  /** Null: as the bank says for everybody; undefined: as it is. */
  readonly perMinute?: number | null | undefined;
  readonly perDay?: number | null | undefined;
}

const SET_QUOTA = `
  update subscriptions set quota_per_minute = case when cast(? as bigint) = 0 then quota_per_minute else cast(? as bigint) end,
    quota_per_day = case when cast(? as bigint) = 0 then quota_per_day else cast(? as bigint) end
  where id = ?`;

const MOST_CALLS = 1_000_000_000;
const isQuota = (value: number | null | undefined): boolean =>
  value === null || value === undefined || (Number.isInteger(value) && value >= 1 && value <= MOST_CALLS);

/** A lower one holds from the next grant on: calls that a node was granted before are used up. */
export const setQuota = async (tx: Queries, id: string, { perMinute, perDay }: QuotaWish): Promise<void> => {
  if (!isQuota(perMinute) || !isQuota(perDay))
    throw new RegistryError(`a quota is a whole number from 1 to ${MOST_CALLS}`);
  await bumpVersion(tx);
  const asked = (value: number | null | undefined): readonly [number, number | null] =>
    value === undefined ? [0, null] : [1, value];
  if ((await tx.run(SET_QUOTA, [...asked(perMinute), ...asked(perDay), id])) === 0)
    throw new RegistryError(`there is no subscription ${id}`);
};

/** Undefined: as the bank says for everybody. */
export const setSignaturePolicy = async (
  tx: Queries,
  id: string,
  policy: SignaturePolicy | undefined,
): Promise<void> => {
  await bumpVersion(tx);
  const changed = await tx.run('update tpps set signature_policy = ? where id = ?', [policy ?? null, id]);
  if (changed === 0) throw new RegistryError(`there is no tpp ${id}`);
};

/** Undefined: as the bank says for everybody. Consents that were approved keep what they have. */
export const setUnattended = async (tx: Queries, id: string, perDay: number | undefined): Promise<void> => {
  const changed = await tx.run('update tpps set unattended_per_day = ? where id = ?', [perDay ?? null, id]);
  if (changed === 0) throw new RegistryError(`there is no tpp ${id}`);
};

const suspensions = {
  tpp: 'update tpps set status = ? where id = ?',
  application: 'update applications set status = ? where client_id = ? and ended_at is null',
  key: 'update subscription_keys set status = ? where id = ? and revoked_at is null',
} as const;

export type Suspendable = keyof typeof suspensions;

export interface Suspension {
  readonly reason?: string | undefined;
  /** When it ends by itself. */
  readonly until?: RealTime | undefined;
}

/** What an operator decides is no longer undone by a new certificate or register. */
const KEEP_SUSPENSION =
  'update tpps set suspended_until = ?, suspension_reason = ?, withdrawn_for = null where id = ?';
const OVERDUE = `
  select id from tpps where status = 'suspended' and suspended_until <= ? order by suspended_until limit 100`;

const RESUME_IF_OVER = `
  update tpps set status = 'active', suspended_until = null, suspension_reason = null, withdrawn_for = null
  where id = ? and status = 'suspended' and suspended_until <= ?`;

/** False if it is not suspended, or for longer than until now. */
export const resumeIfOver = async (tx: Queries, id: string, now: RealTime): Promise<boolean> => {
  const isResumed = (await tx.run(RESUME_IF_OVER, [id, now])) === 1;
  if (isResumed) await bumpVersion(tx);
  return isResumed;
};

/** Third parties whose suspension has ended. */
export const overdueSuspensions = (db: Queries, now: RealTime): Promise<{ readonly id: string }[]> =>
  db.all(OVERDUE, [now]);

/** Suspends or resumes; acts on every node within five seconds. */
export const setSuspended = async (
  tx: Queries,
  what: Suspendable,
  id: string,
  suspended: boolean,
  { until, reason }: Suspension = {},
): Promise<void> => {
  await bumpVersion(tx);
  const changed = await tx.run(suspensions[what], [suspended ? 'suspended' : 'active', id]);
  if (changed === 0) throw new RegistryError(`there is no ${what} ${id}`);
  if (what === 'tpp') await tx.run(KEEP_SUSPENSION, [until ?? null, reason ?? null, id]);
};

const APPLICATIONS_OF = 'select client_id from applications where tpp_id = ?';
const SUBSCRIPTIONS_OF = `select id from subscriptions where client_id in (${APPLICATIONS_OF})`;

/** With its applications, keys, certificates, request log and events. Nothing else may refer to them any more. */
export const removeTpp = async (tx: Queries, id: string): Promise<void> => {
  await bumpVersion(tx);
  await removeRequestsOf(tx, id);
  await removeEventsOfTpp(tx, id);
  await tx.run(`delete from subscription_keys where subscription_id in (${SUBSCRIPTIONS_OF})`, [id]);
  await tx.run(`delete from subscriptions where client_id in (${APPLICATIONS_OF})`, [id]);
  await tx.run('delete from applications where tpp_id = ?', [id]);
  await tx.run('delete from tpp_certificates where tpp_id = ?', [id]);
  await tx.run('delete from tpps where id = ?', [id]);
};
