/**
 * Logins from browsers that have not logged in under the name before. A name and a source have five failures in a row (RTS Art. 4(3)(b)).
 * Many failures of one name, from however many sources, slow down all strangers to it: each waits before its next attempt, at most a
 * minute, and then has it. So guessing from many sources is slow, and no stranger keeps the owner out.
 */
import { type Clock, MINUTE, SECOND } from '../../lib/clock.js';
import { LruCache } from '../../lib/lru-cache.js';
import type { Source } from '../../lib/net/address.js';
import { Failures } from './failures.js';
import type { Wait } from './source-limit.js';

export const MOST_FAILURES = 5;
export const FAILURE_WINDOW_MS = 15 * MINUTE;
/** Failures of one name before strangers are slowed down; from then on each makes the pause a second longer. */
const FREE_FAILURES = 10;
const LONGEST_PAUSE_MS = MINUTE;
/** A stranger who has waited has this long to try. */
const TURN_KEPT_MS = 5 * MINUTE;
const MOST_NAMES = 20_000;
const MOST_PAIRS = 50_000;

export type Refused = Wait & { readonly reason: 'name-and-source' | 'slowed' };

const pairOf = (name: string, source: Source): string => `${name} ${source}`;

export class Strangers {
  readonly #clock: Clock;
  readonly #pairs: Failures;
  readonly #names: Failures;
  /** When a name and a source that have to wait may try again. */
  readonly #turns = new LruCache<number>(MOST_PAIRS);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pairs = new Failures(clock, FAILURE_WINDOW_MS, MOST_PAIRS);
    this.#names = new Failures(clock, FAILURE_WINDOW_MS, MOST_NAMES);
  }

  /** Counts a failure until it is taken back, so that parallel guesses share what is left. */
  enter(name: string, source: Source): Refused | undefined {
    const pair = pairOf(name, source);
    if (this.#pairs.of(pair) >= MOST_FAILURES)
      return { ms: this.#pairs.leftMs(pair), reason: 'name-and-source' };
    const ms = this.#waitMs(name, pair);
    if (ms > 0) return { ms, reason: 'slowed' };
    this.#turns.delete(pair);
    this.#pairs.add(pair);
    this.#names.add(name);
    return undefined;
  }

  /** The attempt was not judged, or was right. */
  takeBack(name: string, source: Source): void {
    this.#pairs.takeBack(pairOf(name, source));
    this.#names.takeBack(name);
  }

  #waitMs(name: string, pair: string): number {
    const excess = this.#names.of(name) - FREE_FAILURES + 1;
    if (excess <= 0) return 0;
    const now = this.#clock.elapsed();
    const turn = this.#turns.get(pair);
    if (turn !== undefined && now < turn + TURN_KEPT_MS) return turn - now;
    const ms = Math.min(LONGEST_PAUSE_MS, excess * SECOND);
    this.#turns.set(pair, now + ms);
    return ms;
  }
}
