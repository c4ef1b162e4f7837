/**
 * Secrets are hashed slowly on purpose, and a person with an account may ask for it without end. So logins wait for their turn,
 * and sources share the places in the queue: one that sends many is refused before anybody else (`Load`).
 */
import { bulkhead } from 'cockatiel';
import { Load } from '../../http/listeners/load.js';
import type { Source } from '../../lib/net/address.js';
import type { Audience } from './known-devices.js';

/** Work at once, and places for that and for what waits. */
interface Size {
  readonly maxConcurrent: number;
  readonly places: number;
}

/** One at a time: the threads that hash also compress and resolve names. */
const HASHES: Size = { maxConcurrent: 1, places: 8 };
/** The bank's own system judges, as many at once as it says. */
const JUDGED_ELSEWHERE: Size = { maxConcurrent: 64, places: 64 };

/** The source has as much in hand as it may. */
export class Busy extends Error {}

export type InTurn = <T>(slow: () => Promise<T>) => Promise<T>;

class Turns {
  readonly #turn: ReturnType<typeof bulkhead>;
  readonly #places: Load;

  constructor({ maxConcurrent, places }: Size) {
    this.#turn = bulkhead(maxConcurrent, Number.POSITIVE_INFINITY);
    this.#places = new Load({ maxInFlight: places, deadlineMs: 0 });
  }

  /** The work gets what lets its slow part wait for its turn. A refusal comes before the work begins. */
  async run<T>(source: Source, work: (inTurn: InTurn) => Promise<T>): Promise<T> {
    const leave = this.#places.take(source);
    try {
      if (this.#places.isTooMuch(source)) throw new Busy();
      return await work((slow) => this.#turn.execute(slow));
    } finally {
      leave();
    }
  }
}

/** Of one audience: known devices and strangers do not wait for each other. */
interface Queues {
  readonly known: Turns;
  readonly strange: Turns;
}

const queuesOf = (size: Size): Queues => ({ known: new Turns(size), strange: new Turns(size) });

/** Who logs in at one place does not wait for those at another. */
export const createTurns = (): Readonly<Record<Audience, Queues>> => ({
  holder: queuesOf(JUDGED_ELSEWHERE),
  operator: queuesOf(HASHES),
  developer: queuesOf(HASHES),
});
