/**
 * Counters that several nodes share through Redis. While Redis does not answer, each node counts alone and requests do not wait:
 * the first timeout opens the breaker, and a probe in the background notices when Redis is back.
 */
import type { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { type Clock, SECOND } from '../../lib/clock.js';
import { type Counter, WindowCounter } from './window.js';

const COMMAND_MS = 500;
const CONNECT_MS = 2 * SECOND;
const PROBE_MS = SECOND;

/** Far above every quota: the limiter counts, the comparison is the caller's. */
const UNBOUNDED = Number.MAX_SAFE_INTEGER;

/** The library is loaded only if there is a Redis. A Redis that is away does not keep the node from starting. */
const connectTo = async (url: string): Promise<Redis> => {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: COMMAND_MS,
    connectTimeout: CONNECT_MS,
  });
  // Without a listener a lost connection would end the process.
  redis.on('error', () => undefined);
  return redis;
};

export class SharedCounters {
  readonly #redis: Redis;
  readonly #clock: Clock;
  readonly #onChange: (isShared: boolean) => void;
  readonly #probe: NodeJS.Timeout;
  #isShared: boolean | undefined;

  private constructor(redis: Redis, clock: Clock, onChange: (isShared: boolean) => void) {
    this.#redis = redis;
    this.#clock = clock;
    this.#onChange = onChange;
    redis.on('ready', () => this.#turn(true));
    redis.on('close', () => this.#turn(false));
    this.#probe = setInterval(() => void this.#probeRedis(), PROBE_MS).unref();
  }

  static async open(
    url: string,
    clock: Clock,
    onChange: (isShared: boolean) => void,
  ): Promise<SharedCounters> {
    const redis = await connectTo(url);
    const counters = new SharedCounters(redis, clock, onChange);
    await redis.connect().catch(() => counters.#turn(false));
    return counters;
  }

  #turn(isShared: boolean): void {
    if (this.#isShared === isShared) return;
    this.#isShared = isShared;
    this.#onChange(isShared);
  }

  /** A connection that swallows what is sent looks like a good one: only a new one can tell. */
  async #probeRedis(): Promise<void> {
    if (this.#isShared || this.#redis.status !== 'ready') return;
    try {
      await this.#redis.ping();
      this.#turn(true);
    } catch {
      this.#redis.disconnect(true);
    }
  }

  counter(name: string, seconds: number): Counter {
    const rule = { keyPrefix: `trapeza:${name}`, points: UNBOUNDED, duration: seconds };
    const shared = new RateLimiterRedis({ ...rule, storeClient: this.#redis });
    const own = new WindowCounter(seconds, this.#clock);
    const either = async <T>(inRedis: () => Promise<T>, here: () => T): Promise<T> => {
      if (!this.#isShared) return here();
      try {
        return await inRedis();
      } catch {
        this.#turn(false);
        return here();
      }
    };
    return {
      consume: (key) =>
        either(
          () => shared.consume(key),
          () => own.consume(key),
        ),
      reward: (key, points) =>
        either(
          async () => void (await shared.reward(key, points)),
          () => own.reward(key, points),
        ),
    };
  }

  close(): void {
    clearInterval(this.#probe);
    this.#redis.disconnect();
  }
}
