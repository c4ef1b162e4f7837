/** What a third party, and the bank for it, may change of its applications. Every change is noticed by all nodes. Call within a transaction. */

import type { RealTime } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import { newSecret } from '../lib/id.js';
import { redirectFault } from '../lib/net/redirect.js';
import type { ClientId } from '../model/ids.js';
import type { Queries, Value } from '../store/db.js';
import { redirectUrisColumn } from './columns.js';
import { RegistryError } from './registry.js';
import { bumpVersion } from './version.js';

export const LONGEST_NAME = 70;
export const MOST_REDIRECTS = 10;
/** A third party has a month to put the new secret in place. */
export const MOST_OVERLAP_HOURS = 720;

const change = async (tx: Queries, sql: string, value: Value, clientId: ClientId): Promise<void> => {
  await bumpVersion(tx);
  if ((await tx.run(sql, [value, clientId])) === 0)
    throw new RegistryError(`there is no application ${clientId}`);
};

export const renameApplication = (tx: Queries, clientId: ClientId, name: string): Promise<void> => {
  if (name.trim() === '' || name.length > LONGEST_NAME)
    throw new RegistryError(`the name must have 1 to ${LONGEST_NAME} characters`);
  return change(tx, 'update applications set name = ? where client_id = ?', name.trim(), clientId);
};

export const setRedirectUris = (tx: Queries, clientId: ClientId, uris: readonly string[]): Promise<void> => {
  if (uris.length > MOST_REDIRECTS)
    throw new RegistryError(`an application has at most ${MOST_REDIRECTS} redirect addresses`);
  for (const uri of uris) {
    const fault = redirectFault(uri);
    if (fault !== undefined) throw new RegistryError(`${uri} is not a redirect address: it ${fault}`);
  }
  const value = redirectUrisColumn.write([...new Set(uris)]);
  return change(tx, 'update applications set redirect_uris = ? where client_id = ?', value, clientId);
};

const ROLL_SECRET = `
  update applications set secret_hash = ?, last_secret_hash = case when cast(? as bigint) is null then null else secret_hash end,
    last_secret_until = ?
  where client_id = ? and ended_at is null and jwks is null`;

/** The new one, which is shown only this once; the one before works until then, or is refused from now on. */
export const rollSecret = async (
  tx: Queries,
  clientId: ClientId,
  lastUntil: RealTime | null = null,
): Promise<string> => {
  const secret = newSecret();
  await bumpVersion(tx);
  if ((await tx.run(ROLL_SECRET, [sha256(secret), lastUntil, lastUntil, clientId])) === 0)
    throw new RegistryError(`there is no application ${clientId} that has a secret`);
  return secret;
};

const REVOKE_ALL = `update subscription_keys set revoked_at = ?
  where revoked_at is null and subscription_id in (select id from subscriptions where client_id = ?)`;

const END = `update applications set status = 'suspended', ended_at = ? where client_id = ?`;

/** Its keys and tokens are refused from now on; what it was allowed stays in the records of account holders. */
export const endApplication = async (tx: Queries, clientId: ClientId, nowMs: RealTime): Promise<void> => {
  await change(tx, END, nowMs, clientId);
  await tx.run(REVOKE_ALL, [nowMs, clientId]);
};
