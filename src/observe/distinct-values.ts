/** How many different values a key had within a window: accounts of an application, addresses of a consent. Bounded in both. */
import { LruCache } from '../lib/lru-cache.js';

export interface DistinctValuesOptions {
  readonly windowMs: number;
  /** Keys that are remembered; those not seen the longest are forgotten first. */
  readonly keys: number;
  /** Values of a key that are remembered; more are not counted. */
  readonly values: number;
}

interface Seen {
  readonly since: number;
  readonly values: Set<string>;
}

export class DistinctValues {
  readonly #options: DistinctValuesOptions;
  readonly #seen: LruCache<Seen>;

  constructor(options: DistinctValuesOptions) {
    this.#options = options;
    this.#seen = new LruCache(options.keys);
  }

  /** How many there are with this one, or 0 if it was there already. */
  add(key: string, value: string, now: number): number {
    const { windowMs, values: limit } = this.#options;
    const known = this.#seen.get(key);
    if (!known || now - known.since >= windowMs) {
      this.#seen.set(key, { since: now, values: new Set([value]) });
      return 1;
    }
    const { values } = known;
    if (values.has(value) || values.size >= limit) return 0;
    return values.add(value).size;
  }
}
