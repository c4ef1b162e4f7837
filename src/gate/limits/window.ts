/** A counter of one process: so many in a window of time, which begins with the first and never depends on the time of day. */
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { type Clock, type RealTime, SECOND } from '../../lib/clock.js';
import type { Completion, Eventual } from '../../lib/turn.js';

export type Used = Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>;

/** Counts in memory at once, anywhere else after an answer. */
export interface Counter {
  consume(key: string): Eventual<Used>;
  /** Takes back what was counted. */
  reward(key: string, points: number): Completion;
}

/** From so many counters on, those whose period is over are looked for. */
const MANY = 1000;

/** The counter of a process that counts alone: the library's answer would be a promise at every request. */
export class WindowCounter implements Counter {
  readonly #ms: number;
  readonly #clock: Clock;
  readonly #counts = new Map<string, { used: number; endsAt: number }>();
  #sweepAt = MANY;

  constructor(seconds: number, clock: Clock) {
    this.#ms = seconds * SECOND;
    this.#clock = clock;
  }

  consume(key: string): Used {
    const now = this.#clock.elapsed();
    const known = this.#counts.get(key);
    if (known && known.endsAt > now) {
      known.used += 1;
      return { consumedPoints: known.used, msBeforeNext: known.endsAt - now };
    }
    if (this.#counts.size >= this.#sweepAt) this.#sweep(now);
    this.#counts.set(key, { used: 1, endsAt: now + this.#ms });
    return { consumedPoints: 1, msBeforeNext: this.#ms };
  }

  reward(key: string, points: number): void {
    const known = this.#counts.get(key);
    if (known) known.used = Math.max(0, known.used - points);
  }

  #sweep(now: RealTime): void {
    for (const [key, { endsAt }] of this.#counts) if (endsAt <= now) this.#counts.delete(key);
    this.#sweepAt = Math.max(MANY, 2 * this.#counts.size);
  }
}
