/** A counter of one process: so many in a window of time, which begins with the first and never depends on the time of day. */
import { type Clock, type RealTime, SECOND } from '../../lib/clock.js';

export interface Used {
  readonly count: number;
  readonly resetMs: number;
}

/** From so many counters on, those whose period is over are looked for. */
const MANY = 1000;

export class WindowCounter {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #most: number;
  readonly #counts = new Map<string, { count: number; endsAt: number }>();
  #sweepAt = MANY;

  /** Of more counters than `most`, the oldest are forgotten. */
  constructor(seconds: number, clock: Clock, most = Number.POSITIVE_INFINITY) {
    this.#ms = seconds * SECOND;
    this.#clock = clock;
    this.#most = most;
  }

  /** Counts nothing. */
  used(key: string): Used {
    const now = this.#clock.elapsed();
    const known = this.#counts.get(key);
    return known && known.endsAt > now
      ? { count: known.count, resetMs: known.endsAt - now }
      : { count: 0, resetMs: this.#ms };
  }

  consume(key: string): Used {
    const now = this.#clock.elapsed();
    const known = this.#counts.get(key);
    if (known && known.endsAt > now) {
      known.count += 1;
      return { count: known.count, resetMs: known.endsAt - now };
    }
    if (this.#counts.size >= this.#sweepAt) this.#sweep(now);
    // At the end of the map, which is in the order of the periods.
    this.#counts.delete(key);
    this.#counts.set(key, { count: 1, endsAt: now + this.#ms });
    return { count: 1, resetMs: this.#ms };
  }

  #sweep(now: RealTime): void {
    for (const [key, { endsAt }] of this.#counts) if (endsAt <= now) this.#counts.delete(key);
    for (const key of this.#counts.keys()) {
      if (this.#counts.size <= this.#most / 2) break;
      this.#counts.delete(key);
    }
    this.#sweepAt = Math.min(this.#most, Math.max(MANY, 2 * this.#counts.size));
  }
}
