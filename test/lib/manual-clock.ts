/** A clock that stands still until it is moved. */
import type { SharedClock } from '../../src/lib/clock.js';

export class ManualClock implements SharedClock {
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

  isRight(): boolean {
    return true;
  }

  mayEnd(): boolean {
    return true;
  }

  advance(ms: number): void {
    this.#time += ms;
  }
}
