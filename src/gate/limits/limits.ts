/** Quotas of subscriptions, and of the registrations of third parties. */
import type { Config } from '../../config/config.js';
import type { Clock } from '../../lib/clock.js';
import type { Completion } from '../../lib/turn.js';
import type { Access } from '../../model/caller.js';
import { type Db, StoreUnavailable } from '../../store/db.js';
import { OwnQuotas, type Quota, type Quotas } from './quotas.js';
import { SharedQuotas } from './shared-quotas.js';

export interface Limits {
  /** Counts a request of this subscription; throws if a period is used up. Synchronous while this node holds calls of it. */
  spend(access: Access): Completion;
  /** The same for data that outlasts the store: while that is away, this node counts alone. */
  spendOpen(access: Access): Completion;
  /** Counts a registration call of this third party; throws when it has had too many. */
  registerAs(registration: string): Completion;
  /** Calls that were granted and not used return to the other nodes. */
  close(): Promise<void>;
}

/** The embedded store has one node. */
export const openQuotas = (db: Db, clock: Clock): Quotas =>
  db.engine === 'postgres' ? new SharedQuotas(db, clock) : new OwnQuotas(clock);

export const createLimits = (
  config: Pick<Config, 'quotaPerMinute' | 'quotaPerDay' | 'registrationsPerMinute'>,
  quotas: Quotas,
  clock: Clock,
): Limits => {
  const alone = new OwnQuotas(clock);
  const quotaOf = ({ subscriptionId, quotaPerMinute, quotaPerDay }: Access): Quota => ({
    subject: subscriptionId,
    perMinute: quotaPerMinute ?? config.quotaPerMinute,
    perDay: quotaPerDay ?? config.quotaPerDay,
    name: 'minute',
  });
  return {
    spend: (access) => quotas.spend(quotaOf(access)),
    spendOpen(access) {
      const quota = quotaOf(access);
      if (quotas.isAway()) return alone.spend(quota);
      return quotas.spend(quota)?.catch((error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
        return alone.spend(quota);
      });
    },
    registerAs: (registration) =>
      quotas.spend({
        subject: `registration ${registration}`,
        perMinute: config.registrationsPerMinute,
        perDay: Number.MAX_SAFE_INTEGER,
        name: 'registrations',
      }),
    close: () => quotas.close(),
  };
};
