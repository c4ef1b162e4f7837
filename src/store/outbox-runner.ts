/**
 * Works through an outbox table: polls for rows that are due, and runs the claimed ones side by side. Every process has its own; a claim in
 * the store decides which process does the work, and one that dies leaves its claims to the others.
 */
import { setImmediate } from 'node:timers/promises';
import { SECOND } from '../lib/clock.js';

/** How soon rows of other processes and second attempts are noticed. */
const POLL_MS = 2 * SECOND;

export interface OutboxRunnerOptions {
  /** A poll failed; the next one tries again. */
  readonly onPollError: (error: unknown) => void;
  /** On shutdown: how long running work may go on. */
  readonly graceMs: number;
  /** False while this node must not begin anything: its clock is wrong. */
  readonly mayClaim: () => boolean;
  /** Ends running work after the grace. Without it the work is left to the process that claims it next. */
  readonly abort?: () => void;
}

export abstract class OutboxRunner {
  readonly #options: OutboxRunnerOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #running = new Map<string, Promise<void>>();
  #polling: Promise<void> | undefined;
  #isPollWanted = false;
  #isClosed = false;

  constructor(options: OutboxRunnerOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref();
  }

  /** Claims rows that are due and starts them. */
  protected abstract claimDue(): Promise<void>;

  protected get runningCount(): number {
    return this.#running.size;
  }

  /** False if it still runs here although its claim has run out, or if the process stops. */
  protected mayStart(id: string): boolean {
    return !this.#isClosed && this.#options.mayClaim() && !this.#running.has(id);
  }

  protected start(id: string, work: Promise<void>, onError: (error: unknown) => void): void {
    const ended = work.catch(onError).finally(() => {
      this.#running.delete(id);
      // There is room for one more.
      if (!this.#isClosed) this.wake();
    });
    this.#running.set(id, ended);
  }

  /** Something may be due. */
  wake(): void {
    void this.#poll();
  }

  /** Does what is due, and waits until that has ended. */
  async drain(): Promise<void> {
    await this.#poll();
    while (this.#running.size > 0) {
      await Promise.all(this.#running.values());
      await this.#poll();
    }
  }

  /** One poll at a time; what comes up during it is polled afterwards. */
  #poll(): Promise<void> {
    this.#isPollWanted = true;
    this.#polling ??= this.#pollWhileWanted()
      .catch(this.#options.onPollError)
      .finally(() => {
        this.#polling = undefined;
      });
    return this.#polling;
  }

  async #pollWhileWanted(): Promise<void> {
    while (this.#isPollWanted && !this.#isClosed) {
      this.#isPollWanted = false;
      if (this.#options.mayClaim()) await this.claimDue();
      // If the store and the other side answer at once, calls, timers and signals would wait until nothing is due any more.
      await setImmediate();
    }
  }

  async close(): Promise<void> {
    const { graceMs, abort } = this.#options;
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#polling;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(abort ?? resolve, graceMs);
    });
    await Promise.race([Promise.all(this.#running.values()), grace]);
    clearTimeout(timer);
  }
}
