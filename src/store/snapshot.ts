/**
 * A value read from the store that a process keeps in memory: read again every two seconds, and trusted for five. While the store is away,
 * a caller may trust it for longer.
 */
import { type Clock, SECOND } from '../lib/clock.js';

const MAX_AGE_MS = 5 * SECOND;
const POLL_MS = 2 * SECOND;

export class Snapshot<T> {
  readonly #read: (last: T) => Promise<T>;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #value: T;
  #readAt = Number.NEGATIVE_INFINITY;
  #hasLastReadFailed = false;
  #refreshing: Promise<T> | undefined;

  /** `first` stands for the value until the store was read; `read` gets what is known, and may return it if nothing has changed. */
  constructor(first: T, read: (last: T) => Promise<T>, clock: Clock, pollMs = POLL_MS) {
    this.#value = first;
    this.#read = read;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.refresh().catch(() => undefined), pollMs).unref();
  }

  get value(): T {
    return this.#value;
  }

  /** Concurrent calls share one read. */
  refresh(): Promise<T> {
    this.#refreshing ??= this.#readAnew().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** After the read that is under way, if there is one. */
  async settled(): Promise<void> {
    await this.#refreshing?.catch(() => undefined);
  }

  async #readAnew(): Promise<T> {
    const startedAt = this.#clock.elapsed();
    try {
      this.#value = await this.#read(this.#value);
    } catch (error) {
      this.#hasLastReadFailed = true;
      throw error;
    }
    this.#readAt = startedAt;
    this.#hasLastReadFailed = false;
    return this.#value;
  }

  /** `maxAgeMs` counts while the store is away. */
  isFresh(maxAgeMs = MAX_AGE_MS): boolean {
    const age = this.#clock.elapsed() - this.#readAt;
    return age < (this.#hasLastReadFailed ? maxAgeMs : MAX_AGE_MS);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
