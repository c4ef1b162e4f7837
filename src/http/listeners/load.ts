/**
 * How busy the node is, and who may begin if more arrives than can be done. What arrives during a turn of the event loop waits unseen
 * until it is over; so a turn begins with no more than it can do in its time, and the rest is refused at once. Callers share
 * both, the turn and the places, evenly: one who sends too much is refused before anybody else.
 */
import { performance } from 'node:perf_hooks';
import { SECOND } from '../../lib/clock.js';

/** A request that is about to begin. */
export interface Arrived {
  /** Whose share it counts for. */
  readonly subscription: string;
  /** It is one too many in its turn. */
  isExcess: boolean;
}

/** The time of work in one turn: the longest that a request waits for its start. */
const TURN_MS = 50;
/** So many may always begin. A turn with fewer says little about what a request costs. */
const FEW = 64;
/** The newest turn's part in the average. */
const NEWEST = 0.3;

const SHORTEST_REST_MS = 50;
const LONGEST_REST_MS = 4 * SECOND;
/** Connections that are refused at the same time are read again at this rate, so that refusing takes a small part of the processor. */
const REFUSALS_PER_SECOND = 800;

/** Callers whose count stays at 0: a map that shrinks and grows again is made anew each time, where only long collections of the heap look. */
const MOST_KEPT = 1_000;

const activeTime = (): number => performance.eventLoopUtilization().active;

export class Load {
  /** The node stops soon: it answers as ever, and each answer ends its connection, so that the next one goes to another node. */
  isClosing = false;
  /** The node no longer listens; what still comes is refused. */
  draining = false;
  readonly #places: number;
  readonly #activeMs: () => number;
  /** Requests in hand of each caller; of some who have none at the moment too. */
  readonly #held = new Map<string, number>();
  #callers = 0;
  #inFlight = 0;
  #resting = 0;
  #costMs: number | undefined;
  #begun = 0;
  #lastActiveMs = 0;

  /** `places`: requests in hand at once. `activeMs`: how long the event loop has worked so far. */
  constructor(places: number, activeMs: () => number = activeTime) {
    this.#places = places;
    this.#activeMs = activeMs;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Until the returned function is called. */
  take(subscription: string): () => void {
    let isTaken = true;
    this.#inFlight += 1;
    const held = this.#held.get(subscription) ?? 0;
    if (held === 0) this.#callers += 1;
    this.#held.set(subscription, held + 1);
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#inFlight -= 1;
      const left = (this.#held.get(subscription) ?? 1) - 1;
      if (left === 0) this.#callers -= 1;
      if (left === 0 && this.#held.size > MOST_KEPT) this.#held.delete(subscription);
      else this.#held.set(subscription, left);
    };
  }

  /** From half of the places on, each caller has an even share of that half: there is always room for the next one. */
  isTooMuch({ subscription, isExcess }: Arrived): boolean {
    if (isExcess || this.#inFlight > this.#places) return true;
    const half = this.#places / 2;
    return this.#inFlight > half && (this.#held.get(subscription) ?? 0) > Math.max(1, half / this.#callers);
  }

  /** Marks those of a turn for which it has no time: of the callers with the most first. */
  beginTurn(arrived: readonly Arrived[]): void {
    const room = this.#room();
    this.#begun = Math.min(room, arrived.length);
    if (arrived.length <= room) return;
    const counts = new Map<string, number>();
    const ranked = arrived.map((each) => {
      const rank = counts.get(each.subscription) ?? 0;
      counts.set(each.subscription, rank + 1);
      return { each, rank };
    });
    ranked.sort((one, other) => one.rank - other.rank);
    for (const { each } of ranked.slice(room)) each.isExcess = true;
  }

  #room(): number {
    const activeMs = this.#activeMs();
    const took = activeMs - this.#lastActiveMs;
    this.#lastActiveMs = activeMs;
    if (this.#begun >= FEW) {
      const newest = took / this.#begun;
      this.#costMs = this.#costMs === undefined ? newest : this.#costMs + NEWEST * (newest - this.#costMs);
    }
    return this.#costMs ? Math.max(FEW, Math.floor(TURN_MS / this.#costMs)) : Number.POSITIVE_INFINITY;
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
