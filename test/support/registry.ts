/** What the bank's operators do to third parties while the service runs. */
import { Admin } from '../../src/admin/admin.js';
import { SECOND } from '../../src/lib/clock.js';
import type { Area } from '../../src/model/caller.js';
import type { Slot } from '../../src/tpp/registry.js';
import { testAudit } from './audit.js';
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

const act = async <T>(service: Service, work: (admin: Admin) => Promise<T>): Promise<T> => {
  const { clock } = service;
  const done = await withStore(service, (db) =>
    work(
      new Admin({
        db,
        clock,
        audit: testAudit,
        bankTime: async () => clock.now(),
        config: { fapi2Only: 'off', timeZone: 'UTC' },
      }),
    ),
  );
  notice(service);
  return done;
};

export const subscribe = async (
  service: Service,
  { application = FINANCE, ...rest }: WantedSubscription = {},
): Promise<TestSubscription> => {
  const made = await act(service, (admin) => admin.createSubscription({ clientId: application, ...rest }));
  const [primary, secondary] = made.keys;
  if (!primary || !secondary) throw new Error('a subscription has two keys');
  return { id: made.subscriptionId, key: primary.key, keyId: primary.id, secondary: secondary.key };
};

const suspensions = {
  tpp: ['suspendTpp', 'resumeTpp'],
  application: ['suspendApplication', 'resumeApplication'],
  key: ['suspendKey', 'resumeKey'],
} as const;

export const suspend = (
  service: Service,
  what: keyof typeof suspensions,
  id: string,
  suspended = true,
): Promise<void> => act(service, (admin) => admin[suspensions[what][suspended ? 0 : 1]](id));

/** Replaces a key; returns the new one. */
export const roll = async (service: Service, subscriptionId: string, slot: Slot): Promise<string> =>
  (await act(service, (admin) => admin.rollKey(subscriptionId, { slot }))).key;
