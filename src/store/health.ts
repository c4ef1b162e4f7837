/**
 * Whether the store does what calls need, as far as this process knows. Readiness rests on it. Only a write of `tryWrite` shows that the
 * store can be written to: what calls happen to write may need no room on the disk. What calls fail by counts at once.
 */
import { monotonicMs } from '../lib/clock.js';

/**
 * In a fixed word: the disk is `full`; the server is `read-only`, `unreachable`, out of connections or memory (`exhausted`), or damaged
 * (`broken`); it gives `no-answer`; commits wait for a synchronous standby that is away (`no-standby`); anything else has `failed`.
 */
export const storeFaults = [
  'full',
  'read-only',
  'no-standby',
  'no-answer',
  'exhausted',
  'unreachable',
  'broken',
  'failed',
] as const;
export type StoreFault = (typeof storeFaults)[number];

/** A failure as an engine reads it. */
export interface Diagnosis {
  readonly fault: StoreFault;
  /** Other calls will fail, too. Otherwise it may be that of one connection. */
  readonly isShared: boolean;
}

export type Diagnose = (error: unknown) => Diagnosis | undefined;

export class StoreHealth {
  readonly #diagnose: Diagnose;
  /** By `monotonicMs`; minus infinity before the first time. */
  #readAt = Number.NEGATIVE_INFINITY;
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** The last failure of calls that others share. */
  #ofCalls: { readonly fault: StoreFault; readonly at: number } | undefined;
  /** Why the last try failed, or has not ended. */
  #ofTry: Diagnosis | undefined;
  #isWaiting = false;

  constructor(diagnose: Diagnose) {
    this.#diagnose = diagnose;
  }

  /** A read of `batchedReads` has succeeded. */
  read<T>(answer: T): T {
    this.#readAt = monotonicMs();
    return answer;
  }

  /** Notes what calls fail by. */
  async watch<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const found = this.#diagnose(error);
      if (found?.isShared) this.#ofCalls = { fault: found.fault, at: monotonicMs() };
      throw error;
    }
  }

  /** The work of `tryWrite`. */
  async tried(work: () => Promise<void>): Promise<void> {
    const begunAt = monotonicMs();
    try {
      await work();
      this.#writtenAt = monotonicMs();
      this.#ofTry = undefined;
      // Calls that failed since then say more than this.
      if (this.#ofCalls && this.#ofCalls.at < begunAt) this.#ofCalls = undefined;
    } catch (error) {
      this.#ofTry = this.#diagnose(error) ?? { fault: 'failed', isShared: false };
      throw error;
    } finally {
      this.#isWaiting = false;
    }
  }

  /** The commit of a try waits for a standby. */
  awaitsStandby(): void {
    this.#ofTry = { fault: 'no-standby', isShared: this.#isWaiting };
    this.#isWaiting = true;
  }

  get areCallsFailing(): boolean {
    return this.#ofCalls !== undefined;
  }

  /** Commits do not return: another one would only be one more that waits. */
  get isStuck(): boolean {
    return this.#ofCalls?.fault === 'no-answer' || (this.#isWaiting && this.#ofTry?.isShared === true);
  }

  isReadDue(afterMs: number): boolean {
    return this.#readAt < monotonicMs() - afterMs;
  }

  isTryDue(afterMs: number): boolean {
    return (
      this.#ofCalls !== undefined || this.#ofTry !== undefined || this.#writtenAt < monotonicMs() - afterMs
    );
  }

  /** Undefined while reads and writes have succeeded within this time and nothing speaks against them. */
  fault(withinMs: number): StoreFault | undefined {
    if (this.#ofTry?.isShared) return this.#ofTry.fault;
    if (this.#ofCalls) return this.#ofCalls.fault;
    if (Math.min(this.#readAt, this.#writtenAt) > monotonicMs() - withinMs) return undefined;
    return this.#ofTry?.fault ?? 'no-answer';
  }
}
