/** How applications get in: their quotas, keys, redirect addresses and secrets. Each change acts on every node within five seconds. */
import { HOUR } from '../lib/clock.js';
import type { ClientId } from '../model/ids.js';
import { rollSecret, setRedirectUris } from '../tpp/own-changes.js';
import { type QuotaWish, RegistryError, rollKey, type Slot, setQuota } from '../tpp/registry.js';
import { MaintenanceActs } from './maintenance-acts.js';

/** A third party has a month to put the new secret in place. */
export const MOST_OVERLAP_HOURS = 720;

export class AccessActs extends MaintenanceActs {
  setQuota(subscriptionId: string, wish: QuotaWish): Promise<void> {
    return this.change(['key.quota', { ...wish }], `subscription:${subscriptionId}`, (tx) =>
      setQuota(tx, subscriptionId, wish),
    );
  }

  rollKey(subscriptionId: string, slot: Slot) {
    return this.change(['key.roll', { slot }], `subscription:${subscriptionId}`, (tx, now) =>
      rollKey(tx, subscriptionId, slot, now),
    );
  }

  setRedirectUris(clientId: ClientId, uris: readonly string[]): Promise<void> {
    return this.change(['application.redirects', { uris }], `application:${clientId}`, (tx) =>
      setRedirectUris(tx, clientId, uris),
    );
  }

  /** The new client secret, which is shown only now. The one before works for so many hours more. */
  async rollSecret(clientId: ClientId, overlapHours = 0): Promise<string> {
    if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > MOST_OVERLAP_HOURS)
      throw new RegistryError(`the last secret works for 0 to ${MOST_OVERLAP_HOURS} hours more`);
    return this.change(['application.secret', { overlapHours }], `application:${clientId}`, (tx, now) =>
      rollSecret(tx, clientId, overlapHours === 0 ? null : now + overlapHours * HOUR),
    );
  }
}
