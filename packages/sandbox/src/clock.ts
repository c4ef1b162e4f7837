/**
 * Bank time in the sandbox: the real time plus an offset that is kept in the store, so that all nodes agree. It moves
 * forward only, until the sandbox is reset, because a consent must never come back to life.
 */
import {
  type BankTime,
  type Clock,
  type Db,
  parseInstant,
  type Queries,
  readSetting,
  replaceSetting,
} from 'trapeza/base';

/** The setting that holds the offset in milliseconds. */
export const CLOCK_OFFSET = 'clock-offset';

const offsetIn = async (queries: Pick<Queries, 'all' | 'one'>): Promise<number> =>
  Number((await readSetting(queries, CLOCK_OFFSET)) ?? 0);

const DURATION =
  /^P(?=.)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=.)(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$/;

/** The moment an ISO 8601 duration after `from`; undefined if it is not a duration. */
export const addDuration = (from: number, text: string): number | undefined => {
  const match = DURATION.exec(text);
  if (!match) return undefined;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const date = new Date(from);
  date.setUTCFullYear(
    date.getUTCFullYear() + years,
    date.getUTCMonth() + months,
    date.getUTCDate() + weeks * 7 + days,
  );
  return date.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000;
};

export class SandboxClock {
  readonly #db: Db;
  readonly #clock: Clock;
  /** Read once for all that ask in the same turn. */
  #offset: Promise<number> | undefined;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async now(): Promise<BankTime> {
    this.#offset ??= this.#read();
    const offset = await this.#offset;
    return this.#clock.now() + offset;
  }

  /** As these queries see it, such as those of a transaction. */
  async nowIn(queries: Queries): Promise<BankTime> {
    return this.#clock.now() + (await offsetIn(queries));
  }

  async #read(): Promise<number> {
    setImmediate(() => {
      this.#offset = undefined;
    });
    return offsetIn(this.#db.batchedReads);
  }

  /** Moves to the time that `wished` makes of the present one, of several movements at once one after the other. False if it lies in the past. */
  async move(wished: (now: BankTime) => number): Promise<boolean> {
    for (;;) {
      const offset = await this.#read();
      const real = this.#clock.now();
      const time = wished(real + offset);
      if (time < real + offset) return false;
      const isMoved = await replaceSetting(this.#db, CLOCK_OFFSET, String(time - real), String(offset));
      this.#offset = undefined;
      if (isMoved) return true;
    }
  }
}

/** The time that `{ now }` or `{ advance }` asks for. */
export const wishedTime = (wish: { now?: string; advance?: string }, current: number): number | undefined =>
  wish.now === undefined ? addDuration(current, wish.advance ?? '') : parseInstant(wish.now);
