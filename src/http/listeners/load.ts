/**
 * How busy the node is, and who may begin if more arrives than can be done. As long as the event loop rests now and then, no queue stands
 * in it, and only memory bounds the requests in hand. Once it works without a rest, they are a queue as long as their number times what one
 * costs; a request that might wait in it until its deadline is refused at once. Callers share the room evenly: one who sends too much is
 * refused before anybody else.
 */
import { performance } from 'node:perf_hooks';
import { monotonicMs, SECOND } from '../../lib/clock.js';

/** The part of the deadline that may pass in the queue: the rest is for the store, the core and a slower moment. */
const QUEUED_PART = 0.5;
const INTERVAL_MS = 500;
/** From this part of an interval on the event loop has worked without a rest. */
const BUSY_PART = 0.9;

const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 4 * SECOND;
/** Connections that are refused at the same time are read again at this rate, so that refusing takes a small part of the processor. */
const REFUSALS_PER_SECOND = 800;

/** Callers whose count stays at 0: a map that shrinks and grows again is made anew each time, where only long collections of the heap look. */
const MOST_KEPT = 1_000;

interface LoadOptions {
  /** Requests in hand at once, a bound on memory. */
  readonly maxInFlight: number;
  readonly deadlineMs: number;
  readonly now?: () => number;
  /** How long the event loop has worked so far. */
  readonly activeMs?: () => number;
}

const activeTime = (): number => performance.eventLoopUtilization().active;

export class Load {
  /** The node stops soon: it answers as ever, and each answer ends its connection, so that the next one goes to another node. */
  isClosing = false;
  /** The node no longer listens; what still comes is refused. */
  draining = false;
  readonly #places: number;
  readonly #queueMs: number;
  readonly #now: () => number;
  readonly #activeMs: () => number;
  /** Requests in hand of each caller; of some who have none at the moment too. */
  readonly #held = new Map<string, number>();
  #callers = 0;
  #inFlight = 0;
  #resting = 0;
  /** Requests in hand at once, at the moment. */
  #limit: number;
  /** What a request has cost in the last interval; 0 if the event loop had a rest. */
  #costMs = 0;
  /** Requests that were not refused here. */
  #done = 0;
  #sinceMs: number;
  #lastActiveMs: number;

  constructor({ maxInFlight, deadlineMs, now = monotonicMs, activeMs = activeTime }: LoadOptions) {
    this.#places = maxInFlight;
    this.#queueMs = deadlineMs * QUEUED_PART;
    this.#now = now;
    this.#activeMs = activeMs;
    this.#limit = maxInFlight;
    this.#sinceMs = now();
    this.#lastActiveMs = activeMs();
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Until the returned function is called. */
  take(caller: string): () => void {
    let isTaken = true;
    this.#inFlight += 1;
    const held = this.#held.get(caller) ?? 0;
    if (held === 0) this.#callers += 1;
    this.#held.set(caller, held + 1);
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#inFlight -= 1;
      this.#done += 1;
      const left = (this.#held.get(caller) ?? 1) - 1;
      if (left === 0) this.#callers -= 1;
      if (left === 0 && this.#held.size > MOST_KEPT) this.#held.delete(caller);
      else this.#held.set(caller, left);
    };
  }

  /** From half of the room on, each caller has an even share of that half: there is always room for the next one. */
  isTooMuch(caller: string): boolean {
    const half = this.#limit / 2;
    if (this.#inFlight <= half) return false;
    const share = Math.max(1, half / this.#callers);
    const isTooMuch = (this.#held.get(caller) ?? 0) > share || this.#callers > this.#limit;
    if (isTooMuch) this.#done -= 1;
    return isTooMuch;
  }

  /** Called while requests arrive. A queue stands only after two intervals without a rest: one long turn is no overload. */
  measure(): void {
    const now = this.#now();
    const tookMs = now - this.#sinceMs;
    if (tookMs < INTERVAL_MS) return;
    const activeMs = this.#activeMs();
    const workedMs = activeMs - this.#lastActiveMs;
    const newest = workedMs < tookMs * BUSY_PART ? 0 : workedMs / Math.max(1, this.#done);
    const standing = Math.min(this.#costMs, newest);
    this.#limit = Math.max(1, Math.min(this.#places, Math.floor(this.#queueMs / standing)));
    this.#costMs = newest;
    this.#done = 0;
    this.#sinceMs = now;
    this.#lastActiveMs = activeMs;
  }

  /** How long a connection whose request is refused now is not read. */
  get #restMs(): number {
    const ms = (this.#resting / REFUSALS_PER_SECOND) * SECOND;
    return Math.min(LONGEST_REST_MS, Math.max(SHORTEST_REST_MS, ms));
  }

  /** For refused clients: before that, their requests would not be read. */
  get retryAfterSeconds(): number {
    return Math.ceil(this.#restMs / SECOND);
  }

  /** Hands the time of rest to `rest`, which calls back when it is over. */
  letRest(rest: (ms: number, over: () => void) => void): void {
    this.#resting += 1;
    rest(this.#restMs, () => {
      this.#resting -= 1;
    });
  }
}
