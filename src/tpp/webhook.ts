/** The address at which an application receives status changes. All nodes notice a change. Call within a transaction. */

import { normalTarget, targetFault } from '../events/target.js';
import type { ClientId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { redirectUrisColumn } from './columns.js';
import { RegistryError } from './registry.js';
import { bumpVersion } from './version.js';

const SET_ADDRESSES = 'update applications set redirect_uris = ?, webhook_url = ? where client_id = ?';

export interface Addresses {
  readonly redirectUris: readonly string[];
  readonly webhookUrl: string | null;
}

/** Not checked: for applications that are part of the service itself. */
export const setAddresses = async (tx: Queries, clientId: ClientId, addresses: Addresses): Promise<void> => {
  const { redirectUris, webhookUrl } = addresses;
  await bumpVersion(tx);
  await tx.run(SET_ADDRESSES, [redirectUrisColumn.write(redirectUris), webhookUrl, clientId]);
};

/** Null takes it away: the events stay in the feed. */
export const setWebhook = async (
  tx: Queries,
  clientId: ClientId,
  url: string | null,
  allowsLoopback: boolean,
): Promise<void> => {
  const fault = url === null ? undefined : targetFault(url, allowsLoopback);
  if (fault !== undefined) throw new RegistryError(`the webhook address ${fault}`);
  const target = url === null ? null : normalTarget(url);
  await bumpVersion(tx);
  const changed = await tx.run('update applications set webhook_url = ? where client_id = ?', [
    target,
    clientId,
  ]);
  if (changed === 0) throw new RegistryError(`there is no application ${clientId}`);
};

/** For the audit log: the rest of an address may hold a secret. */
export const hostOf = (url: string | null | undefined): string | null =>
  url && URL.canParse(url) ? new URL(url).host : null;
