/**
 * Doing one thing for many requests, and then the next thing for all of them, costs about half of doing everything for one after the
 * other: a processor is fast at what it has just done. So what comes together is collected and handled together.
 */
import { monotonicMs } from './clock.js';

const collected = <T>(
  schedule: (flush: () => void) => void,
  handle: (all: readonly T[]) => void,
): ((item: T) => void) => {
  let waiting: T[] = [];
  const flush = (): void => {
    const all = waiting;
    waiting = [];
    handle(all);
  };
  return (item) => {
    if (waiting.push(item) === 1) schedule(flush);
  };
};

/** All that comes within one turn of the event loop, at its end; some turns later while `isEarly`. */
export const eachTurn = <T>(
  handle: (all: readonly T[]) => void,
  isEarly: () => boolean = () => false,
): ((item: T) => void) =>
  collected((flush) => {
    const end = (): void => {
      if (isEarly()) setImmediate(end);
      else flush();
    };
    setImmediate(end);
  }, handle);

/** Calls once after `ms`, unless the returned function is called before. */
type Wait = (begin: () => void, ms: number) => () => void;

const waitForTimer: Wait = (begin, ms) => {
  const timer = setTimeout(begin, ms);
  return () => clearTimeout(timer);
};

interface Guest<T> {
  readonly item: T;
  hasBegun: boolean;
  isOver: boolean;
}

/**
 * For what costs much less in company. What comes while nothing is under way begins at the end of its turn: a lone one does not wait.
 * What comes while others are under way begins together, when those are over, or `ms` after they began.
 */
export class Gathering<T> {
  readonly #handle: (all: readonly T[]) => void;
  readonly #ms: number;
  readonly #now: () => number;
  readonly #wait: Wait;
  #waiting: Guest<T>[] = [];
  #underWay = 0;
  #begunAt = Number.NEGATIVE_INFINITY;
  /** Set while those who wait are kept waiting. */
  #stopWaiting: (() => void) | undefined;

  constructor(
    handle: (all: readonly T[]) => void,
    ms: number,
    now: () => number = monotonicMs,
    wait: Wait = waitForTimer,
  ) {
    this.#handle = handle;
    this.#ms = ms;
    this.#now = now;
    this.#wait = wait;
  }

  /** The returned function says that it is over, whether it has begun or not. */
  add(item: T): () => void {
    const guest: Guest<T> = { item, hasBegun: false, isOver: false };
    if (this.#waiting.push(guest) === 1) this.#atEndOfTurn();
    return () => {
      if (guest.isOver) return;
      guest.isOver = true;
      if (guest.hasBegun) this.#underWay -= 1;
      // In a turn of its own, so that the answers of those before leave first.
      if (this.#underWay === 0 && this.#stopWaiting) {
        this.#endWait();
        this.#atEndOfTurn();
      }
    };
  }

  #atEndOfTurn(): void {
    setImmediate(() => {
      const left = this.#underWay === 0 ? 0 : this.#begunAt + this.#ms - this.#now();
      if (left <= 0) this.#begin();
      else this.#stopWaiting = this.#wait(() => this.#begin(), left);
    });
  }

  #endWait(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  #begin(): void {
    this.#endWait();
    this.#begunAt = this.#now();
    const all = this.#waiting;
    this.#waiting = [];
    for (const guest of all) {
      guest.hasBegun = true;
      if (!guest.isOver) this.#underWay += 1;
    }
    this.#handle(all.map(({ item }) => item));
  }
}

/** All that comes of one callback and the promises it settles, right after it. */
export const eachTick = <T>(handle: (all: readonly T[]) => void): ((item: T) => void) =>
  collected(process.nextTick, handle);

let end: Promise<void> | undefined;

const endOfTurn = (): Promise<void> => {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
};

/** Who has waited for something of its own goes on together with the others of this turn. */
export const joinTurn = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } finally {
    await endOfTurn();
  }
};

/**
 * A value that is nearly always at hand, else a promise of it. Only of objects, because a promise that is compared with `false` or
 * tested for `undefined` passes for a value, and its failure ends the process. `test/tidy.test.ts` forbids every other such union.
 */
export type Eventual<T extends object> = T | Promise<T>;

/** Something that is done when it returns, or when the promise it returns is fulfilled. */
export type Completion = void | Promise<void>;

/** Works on all, so many at once, and keeps their order. */
export const inTurns = async <T, R>(
  items: readonly T[],
  maxConcurrent: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const done: R[] = [];
  for (let start = 0; start < items.length; start += maxConcurrent)
    done.push(...(await Promise.all(items.slice(start, start + maxConcurrent).map(work))));
  return done;
};

/** How long the next may wait for one that is slow. */
const PATIENCE_MS = 100;
const MOST_AT_ONCE = 8;

/**
 * One thing after the other, so that what comes meanwhile is done together. One that is slow, perhaps because its connection is dead,
 * does not hold the next up for long.
 */
export class InTurn {
  readonly #startNext: () => Promise<void> | undefined;
  readonly #patienceMs: number;
  readonly #mostAtOnce: number;
  #running = 0;
  /** The next one waits for this. */
  #last: object | undefined;

  /** `startNext` begins what is next, if there is something, and never rejects. */
  constructor(
    startNext: () => Promise<void> | undefined,
    { patienceMs = PATIENCE_MS, mostAtOnce = MOST_AT_ONCE } = {},
  ) {
    this.#startNext = startNext;
    this.#patienceMs = patienceMs;
    this.#mostAtOnce = mostAtOnce;
  }

  goOn(): void {
    if (this.#last !== undefined || this.#running >= this.#mostAtOnce) return;
    const running = this.#startNext();
    if (!running) return;
    this.#running += 1;
    const turn = {};
    this.#last = turn;
    const release = (): void => {
      if (this.#last === turn) this.#last = undefined;
      this.goOn();
    };
    const slow = setTimeout(release, this.#patienceMs);
    void running.finally(() => {
      clearTimeout(slow);
      this.#running -= 1;
      release();
    });
  }
}
