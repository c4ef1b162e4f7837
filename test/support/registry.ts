/** What the bank's operators do to third parties while the service runs. */
import { SECOND } from '../../src/lib/clock.js';
import type { Area } from '../../src/model/caller.js';
import { createSubscription, rollKey, type Slot, setSuspended } from '../../src/tpp/registry.js';
import { FINANCE } from './operations.js';
import type { Service } from './service.js';
import { withStore } from './use-service.js';

export interface WantedSubscription {
  readonly application?: string;
  readonly products?: readonly Area[];
  readonly quotaPerMinute?: number;
  readonly quotaPerDay?: number;
}

export interface TestSubscription {
  readonly id: string;
  /** The primary key and its id. */
  readonly key: string;
  readonly keyId: string;
  readonly secondary: string;
}

/** A change of the register is known everywhere after five seconds. */
export const notice = (service: Service): void => service.clock.advance(5 * SECOND);

export const subscribe = async (
  service: Service,
  wanted: WantedSubscription = {},
): Promise<TestSubscription> => {
  const made = await withStore(service, (db) =>
    db.transaction(async (tx) => {
      const { application = FINANCE, ...rest } = wanted;
      const made = await createSubscription(tx, { clientId: application, ...rest }, service.clock.now());
      const [primary, secondary] = made.keys;
      if (!primary || !secondary) throw new Error('a subscription has two keys');
      return { id: made.subscriptionId, key: primary.key, keyId: primary.id, secondary: secondary.key };
    }),
  );
  notice(service);
  return made;
};

export const suspend = async (
  service: Service,
  what: 'tpp' | 'application' | 'key',
  id: string,
  suspended = true,
): Promise<void> => {
  await withStore(service, (db) => db.transaction((tx) => setSuspended(tx, what, id, suspended)));
  notice(service);
};

/** Replaces a key; returns the new one. */
export const roll = async (service: Service, subscriptionId: string, slot: Slot): Promise<string> => {
  const made = await withStore(service, (db) =>
    db.transaction((tx) => rollKey(tx, subscriptionId, slot, service.clock.now())),
  );
  notice(service);
  return made.key;
};
