/**
 * A picture of the store that a process keeps in memory: looked at anew every two seconds, and believed for five. While the store is away,
 * whoever says so may believe it for longer.
 */
import { type Clock, SECOND } from '../lib/clock.js';

const MAX_AGE_MS = 5 * SECOND;
const POLL_MS = 2 * SECOND;

export class Polled {
  readonly #look: () => Promise<void>;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** The last look failed. */
  #isAway = false;
  #refreshing: Promise<void> | undefined;

  constructor(look: () => Promise<void>, clock: Clock) {
    this.#look = look;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.refresh().catch(() => undefined), POLL_MS).unref();
  }

  /** Concurrent calls share one look. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#lookAnew().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #lookAnew(): Promise<void> {
    const startedAt = this.#clock.elapsed();
    try {
      await this.#look();
    } catch (error) {
      this.#isAway = true;
      throw error;
    }
    this.#lookedAt = startedAt;
    this.#isAway = false;
  }

  get age(): number {
    return this.#clock.elapsed() - this.#lookedAt;
  }

  /** `maxAgeMs` counts while the store is away. */
  isFresh(maxAgeMs = MAX_AGE_MS): boolean {
    return this.age < (this.#isAway ? maxAgeMs : MAX_AGE_MS);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
