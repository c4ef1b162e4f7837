/**
 * The demo bank goes on with its time. Days that are over are written one by one, each in a transaction of its own that no other
 * process is in: the first one writes the day, and after a crash the next one goes on from there.
 */
import { type Db, monotonicMs, putSetting, type Queries, readSetting } from 'trapeza/base';
import { shifted } from '../history/calendar.js';
import { Future } from '../history/future.js';
import { closeDay } from './close-day.js';

/** The setting that holds the day of seeding and the last day that is written. */
export const LIFE = 'demo-life';

/** A clock can be moved by centuries. People live 400 days beyond the day of seeding; then nothing happens until a reset. */
const LONGEST_DAYS = 400;

export const beginLife = (tx: Queries, today: string): Promise<void> =>
  putSetting(tx, LIFE, `${today} ${shifted(today, -1)}`);

export interface LifeParts {
  readonly db: Db;
  readonly timeZone: string;
  /** The bank's day, read with these queries: after a reset it is another one. */
  readonly today: (queries: Queries) => Promise<string>;
}

export class DemoLife {
  readonly #parts: LifeParts;
  #future: { readonly since: string; readonly future: Future } | undefined;

  constructor(parts: LifeParts) {
    this.#parts = parts;
  }

  /** Writes the first day that is over and missing. False if there is none. */
  async step(): Promise<boolean> {
    const { db } = this.#parts;
    if ((await this.#missing(db)) === undefined) return false;
    return db.exclusive(async (tx) => {
      // Another process may have written it meanwhile, or a reset turned the time back.
      const missing = await this.#missing(tx);
      if (!missing) return false;
      const { since, date } = missing;
      await closeDay(tx, this.#futureOf(since), { since, date, timeZone: this.#parts.timeZone });
      await putSetting(tx, LIFE, `${since} ${date}`);
      return true;
    });
  }

  /** As many days as can be written in this time; how many. */
  async catchUp(withinMs: number): Promise<number> {
    const end = monotonicMs() + withinMs;
    let days = 0;
    while (monotonicMs() < end && (await this.step())) days += 1;
    return days;
  }

  /** The last day that is written. */
  async writtenUntil(): Promise<string | null> {
    return (await readSetting(this.#parts.db, LIFE))?.split(' ')[1] ?? null;
  }

  async #missing(db: Queries): Promise<{ readonly since: string; readonly date: string } | undefined> {
    const [life, today] = [await readSetting(db, LIFE), await this.#parts.today(db)];
    if (life === undefined) {
      // A store from before the demo bank went on.
      await beginLife(db, today);
      return undefined;
    }
    const [since = '', written = ''] = life.split(' ');
    const date = shifted(written, 1);
    return date < today && date < shifted(since, LONGEST_DAYS) ? { since, date } : undefined;
  }

  #futureOf(since: string): Future {
    if (this.#future?.since !== since)
      this.#future = { since, future: new Future(since, this.#parts.timeZone) };
    return this.#future.future;
  }
}
