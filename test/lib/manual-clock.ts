/** A clock that stands still until it is moved. */
import type { Clock } from '../../src/lib/clock.js';

export class ManualClock implements Clock {
  #time: number;

  constructor(time = Date.UTC(2026, 0, 15, 12)) {
    this.#time = time;
  }

  now(): number {
    return this.#time;
  }

  elapsed(): number {
    return this.#time;
  }

  advance(ms: number): void {
    this.#time += ms;
  }
}
