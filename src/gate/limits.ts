/**
 * Quotas of subscriptions and the guard against guessing keys. Counted in memory, by the
 * first process where there are several workers, or in Redis where several nodes share them.
 */
import { Redis } from 'ioredis';
import {
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRedis,
  type RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Config } from '../config.js';
import { exhaustedFields } from '../lib/rate-limit.js';
import type { Access } from '../model/caller.js';
import { Problem } from '../problem.js';

/** Far above every quota: the limiter counts, the comparison is ours, because each subscription may have its own quota. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

type Limiter = RateLimiterMemory | RateLimiterRedis | RateLimiterCluster;

export interface Limits {
  /** Counts a request of this subscription; throws when a period is used up. */
  spend(access: Access): Promise<void>;
  /** Counts a failed attempt of this address; throws when it has had too many. */
  fail(address: string): Promise<void>;
  close(): void;
}

const refusal = (
  slug: 'quota-exceeded' | 'rate-limited',
  name: string,
  quota: number,
  windowSeconds: number,
  used: RateLimiterRes,
): Problem =>
  new Problem(slug, { headers: exhaustedFields({ name, quota, windowSeconds, resetMs: used.msBeforeNext }) });

export const createLimits = (config: Config, isWorker: boolean): Limits => {
  const redis = config.redisUrl
    ? new Redis(config.redisUrl, {
        maxRetriesPerRequest: 1,
        enableOfflineQueue: false,
        commandTimeout: 500,
        connectTimeout: 2000,
      })
    : undefined;
  // Without a listener a lost connection would end the process; the memory insurance counts on meanwhile.
  redis?.on('error', () => undefined);
  const limiter = (name: string, duration: number): Limiter => {
    const memory = new RateLimiterMemory({ keyPrefix: name, points: UNBOUNDED, duration });
    // The workers of one machine are counted by their first process.
    if (!redis)
      return isWorker
        ? new RateLimiterCluster({ keyPrefix: name, points: UNBOUNDED, duration, timeoutMs: 1000 })
        : memory;
    return new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `trapeza:${name}`,
      points: UNBOUNDED,
      duration,
      insuranceLimiter: memory,
    });
  };
  const minute = limiter('minute', 60);
  const day = limiter('day', 86_400);
  const failures = limiter('failures', 60);

  return {
    async spend(access) {
      const [inMinute, inDay] = await Promise.all([
        minute.consume(access.subscriptionId),
        day.consume(access.subscriptionId),
      ]);
      const perMinute = access.quotaPerMinute ?? config.quotaPerMinute;
      const perDay = access.quotaPerDay ?? config.quotaPerDay;
      if (inDay.consumedPoints > perDay) throw refusal('quota-exceeded', 'day', perDay, 86_400, inDay);
      if (inMinute.consumedPoints > perMinute)
        throw refusal('quota-exceeded', 'minute', perMinute, 60, inMinute);
    },
    async fail(address) {
      const used = await failures.consume(address);
      const allowed = config.failedAuthPerMinute;
      if (used.consumedPoints > allowed) throw refusal('rate-limited', 'failed-attempts', allowed, 60, used);
    },
    close: () => redis?.disconnect(),
  };
};
