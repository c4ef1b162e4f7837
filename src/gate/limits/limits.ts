/**
 * Quotas of subscriptions and the limits against guessing keys and passwords. Counted in memory, by the first process if there
 * are several workers, or in Redis if several nodes share them.
 */
import { RateLimiterCluster } from 'rate-limiter-flexible';
import type { Config } from '../../config/config.js';
import { type Clock, SECOND } from '../../lib/clock.js';
import { networkOf } from '../../lib/net/address.js';
import { exhaustedFields } from '../../lib/rate-limit.js';
import type { Completion } from '../../lib/turn.js';
import type { Access } from '../../model/caller.js';
import { Problem } from '../../problem/problem.js';
import { SharedCounters } from './shared-counters.js';
import { type Counter, type Used, WindowCounter } from './window.js';

/** Far above every quota: the limiter counts, the comparison is ours, because each subscription may have its own quota. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;
const MINUTE_SECONDS = 60;
const DAY_SECONDS = 86_400;

const NAME_FAILURES = 10;
const NAME_WINDOW_SECONDS = 900;

export interface Limits {
  /** Counts a request of this subscription; throws if a period is used up. Synchronous if this process counts alone. */
  spend(access: Access): Completion;
  /** Counts a failed attempt of this address; throws when it has had too many. */
  fail(address: string): Promise<void>;
  /** Counts a login or a one-time code that is tried from this address. */
  tryFrom(address: string): Promise<Wait | undefined>;
  /** Counts an authorization request, or a pushed one, from this address. */
  authorizeFrom(address: string): Promise<Wait | undefined>;
  /** Counts a registration call from this address; throws when it has had too many. */
  registerFrom(address: string): Promise<void>;
  /** The same for the third party, once its certificate is verified. */
  registerAs(registration: string): Promise<void>;
  /** Counts a login under this name (a hash of it) as failed, until it is taken back. */
  tryAs(nameHash: string): Promise<Wait | undefined>;
  /** The login has not failed. */
  takeBack(nameHash: string): Promise<void>;
  close(): void;
}

/** It is too much: how long until the next is allowed. */
export interface Wait {
  readonly ms: number;
}

const refusal = (
  slug: 'quota-exceeded' | 'rate-limited',
  name: string,
  quota: number,
  windowSeconds: number,
  used: Used,
): Problem =>
  new Problem(slug, { headers: exhaustedFields({ name, quota, windowSeconds, resetMs: used.msBeforeNext }) });

/** A clock that was set back must not make the library tell more than the window. */
const bounded = (counter: RateLimiterCluster, seconds: number): Counter => ({
  async consume(key) {
    const { consumedPoints, msBeforeNext } = await counter.consume(key);
    return { consumedPoints, msBeforeNext: Math.min(msBeforeNext, seconds * SECOND) };
  },
  async reward(key, points) {
    await counter.reward(key, points);
  },
});

/** `onShared` is called when sharing between the nodes starts or stops. */
export const createLimits = async (
  config: Config,
  isWorker: boolean,
  clock: Clock,
  onShared: (isShared: boolean) => void = () => undefined,
): Promise<Limits> => {
  const redis = config.redisUrl ? await SharedCounters.open(config.redisUrl, clock, onShared) : undefined;
  const limiter = (name: string, duration: number): Counter => {
    if (redis) return redis.counter(name, duration);
    if (!isWorker) return new WindowCounter(duration, clock);
    // The workers of one machine are counted by their first process.
    const rule = { keyPrefix: name, points: UNBOUNDED, duration };
    return bounded(new RateLimiterCluster({ ...rule, timeoutMs: config.deadlineMs }), duration);
  };
  const failures = limiter('failures', MINUTE_SECONDS);
  const [tries, authorizations] = [
    limiter('tries', MINUTE_SECONDS),
    limiter('authorizations', MINUTE_SECONDS),
  ];
  const [registering, registered] = [
    limiter('registering', MINUTE_SECONDS),
    limiter('registered', MINUTE_SECONDS),
  ];
  const names = limiter('names', NAME_WINDOW_SECONDS);
  const count = async (counter: Counter, key: string, most: number): Promise<Wait | undefined> => {
    const { consumedPoints, msBeforeNext } = await counter.consume(key);
    return consumedPoints > most ? { ms: msBeforeNext } : undefined;
  };
  const countRegistration = async (counter: Counter, key: string): Promise<void> => {
    const used = await counter.consume(key);
    const allowed = config.registrationsPerMinute;
    if (used.consumedPoints > allowed)
      throw refusal('quota-exceeded', 'registrations', allowed, MINUTE_SECONDS, used);
  };
  const judge = (access: Access, inMinute: Used, inDay: Used): void => {
    const perMinute = access.quotaPerMinute ?? config.quotaPerMinute;
    const perDay = access.quotaPerDay ?? config.quotaPerDay;
    if (inDay.consumedPoints > perDay) throw refusal('quota-exceeded', 'day', perDay, DAY_SECONDS, inDay);
    if (inMinute.consumedPoints > perMinute)
      throw refusal('quota-exceeded', 'minute', perMinute, MINUTE_SECONDS, inMinute);
  };
  const shared = (): Limits['spend'] => {
    const [minute, day] = [limiter('minute', MINUTE_SECONDS), limiter('day', DAY_SECONDS)];
    return async (access) => {
      const id = access.subscriptionId;
      judge(access, ...(await Promise.all([minute.consume(id), day.consume(id)])));
    };
  };
  const alone = (): Limits['spend'] => {
    const [minute, day] = [new WindowCounter(MINUTE_SECONDS, clock), new WindowCounter(DAY_SECONDS, clock)];
    return (access) => {
      const id = access.subscriptionId;
      judge(access, minute.consume(id), day.consume(id));
    };
  };

  return {
    spend: redis || isWorker ? shared() : alone(),
    async fail(address) {
      const used = await failures.consume(address);
      const allowed = config.failedAuthPerMinute;
      if (used.consumedPoints > allowed) throw refusal('rate-limited', 'failed-attempts', allowed, 60, used);
    },
    tryFrom: (address) => count(tries, networkOf(address), config.loginsPerAddress),
    authorizeFrom: (address) => count(authorizations, networkOf(address), config.authorizationsPerAddress),
    registerFrom: (address) => countRegistration(registering, networkOf(address)),
    registerAs: (registration) => countRegistration(registered, registration),
    tryAs: (nameHash) => count(names, nameHash, NAME_FAILURES),
    async takeBack(nameHash) {
      await names.reward(nameHash, 1);
    },
    close: () => redis?.close(),
  };
};
