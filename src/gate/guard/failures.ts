/** Failures in a row, in bounded memory. A row ends when the window passes without another failure. */
import type { Clock } from '../../lib/clock.js';
import { LruCache } from '../../lib/lru-cache.js';

interface Row {
  readonly failures: number;
  readonly lastAt: number;
}

export class Failures {
  readonly #clock: Clock;
  readonly #windowMs: number;
  readonly #rows: LruCache<Row>;

  constructor(clock: Clock, windowMs: number, mostSubjects: number) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#rows = new LruCache(mostSubjects);
  }

  of(subject: string): number {
    return this.leftMs(subject) > 0 ? (this.#rows.get(subject)?.failures ?? 0) : 0;
  }

  /** Time until the row ends. */
  leftMs(subject: string): number {
    const row = this.#rows.get(subject);
    return row ? Math.max(0, row.lastAt + this.#windowMs - this.#clock.elapsed()) : 0;
  }

  add(subject: string): void {
    this.#rows.set(subject, { failures: this.of(subject) + 1, lastAt: this.#clock.elapsed() });
  }

  /** The attempt was not a failure. */
  takeBack(subject: string): void {
    const row = this.#rows.get(subject);
    if (row) this.#rows.set(subject, { ...row, failures: Math.max(0, row.failures - 1) });
  }

  clear(subject: string): void {
    this.#rows.delete(subject);
  }
}
