/**
 * How often something was done for a subject lately, on all nodes: the times themselves, in one row of the store. A place is
 * taken before the act, so that concurrent callers share what is left.
 */
import type { Db, Queries } from './db.js';
import { jsonColumn, listOf, numeric } from './json-column.js';

export interface RecentRule {
  /** What is counted; one name for one rule. */
  readonly kind: string;
  readonly most: number;
  readonly windowMs: number;
  /** The last place closes the window for as long again. Otherwise a place is free when the oldest time has left the window. */
  readonly pauses: boolean;
}

/** Of the machine, or of the bank. */
export type TimeSource = { now(): number } | { now(): Promise<number> };

export type Place =
  | { readonly isTaken: true; readonly at: number; readonly left: number }
  /** When the next place is free. */
  | { readonly isTaken: false; readonly until: number };

/** Locks the row until the transaction ends. */
const LOCK_TIMES = `
  insert into recent_times (kind, subject, times, last_at) values (?, ?, '[]', ?)
  on conflict (kind, subject) do update set kind = excluded.kind
  returning times`;
const READ = 'select times from recent_times where kind = ? and subject = ?';
const WRITE = 'update recent_times set times = ?, last_at = ? where kind = ? and subject = ?';
const CLEAR = 'delete from recent_times where kind = ? and subject = ?';
const SWEEP = `
  delete from recent_times where (kind, subject) in
    (select kind, subject from recent_times where kind = ? and last_at <= ? limit 500)`;

interface TimesRow {
  readonly times: string;
}

const timesColumn = jsonColumn<readonly number[]>('the times of a limit', listOf(numeric));
const timesOf = (row: TimesRow | undefined): readonly number[] => timesColumn.read(row?.times ?? '[]');

export class RecentTimes {
  readonly #db: Db;
  readonly #clock: TimeSource;
  readonly #rule: RecentRule;

  constructor(db: Db, clock: TimeSource, rule: RecentRule) {
    this.#db = db;
    this.#clock = clock;
    this.#rule = rule;
  }

  async take(subject: string): Promise<Place> {
    const { most, windowMs } = this.#rule;
    // Before the transaction: the bank's time may be in the store.
    const now = await this.#clock.now();
    return this.#db.transaction(async (tx) => {
      const known = await this.#known(tx, subject, now);
      const until = this.#freeAt(known);
      if (until > now) return { isTaken: false, until };
      const times = [...known.filter((at) => at > now - windowMs), now];
      await this.#write(tx, subject, times);
      return { isTaken: true, at: now, left: most - times.length };
    });
  }

  /**
   * Gives a place back: what it was taken for did not count. Its time is earlier by now if another caller, whose clock was a little
   * behind or who waited for the row, has seen it ahead of its own.
   */
  release(subject: string, at: number): Promise<void> {
    return this.#db.transaction(async (tx) => {
      const times = timesOf(await tx.one<TimesRow>(LOCK_TIMES, [this.#rule.kind, subject, at]));
      const index = times.findLastIndex((time) => time <= at);
      if (index >= 0) await this.#write(tx, subject, times.toSpliced(index, 1));
    });
  }

  /** What was counted is over. */
  async clear(subject: string): Promise<void> {
    await this.#db.run(CLEAR, [this.#rule.kind, subject]);
  }

  /** When the next place is free; undefined if there is one now. */
  async fullUntil(subject: string): Promise<number | undefined> {
    const row = await this.#db.one<TimesRow>(READ, [this.#rule.kind, subject]);
    const now = await this.#clock.now();
    const times = timesOf(row);
    const isAhead = times.some((at) => at > now);
    const until = this.#freeAt(
      isAhead ? await this.#db.transaction((tx) => this.#known(tx, subject, now)) : times,
    );
    return until > now ? until : undefined;
  }

  /** Times of a clock that was ahead become now, for good: a pause lasts its length from then on, and no longer. */
  async #known(tx: Queries, subject: string, now: number): Promise<readonly number[]> {
    const times = timesOf(await tx.one<TimesRow>(LOCK_TIMES, [this.#rule.kind, subject, now]));
    if (times.every((at) => at <= now)) return times;
    const known = times.map((at) => Math.min(at, now));
    await this.#write(tx, subject, known);
    return known;
  }

  /** Removes some of what is over; called by a job until nothing is left. */
  async sweep(): Promise<number> {
    const { kind, windowMs } = this.#rule;
    return this.#db.run(SWEEP, [kind, (await this.#clock.now()) - windowMs]);
  }

  #freeAt(times: readonly number[]): number {
    const { most, windowMs, pauses } = this.#rule;
    const decisive = times.length < most ? undefined : times.at(pauses ? -1 : -most);
    return decisive === undefined ? 0 : decisive + windowMs;
  }

  async #write(tx: Queries, subject: string, times: readonly number[]): Promise<void> {
    await tx.run(WRITE, [timesColumn.write(times), times.at(-1) ?? 0, this.#rule.kind, subject]);
  }
}

export const clearRecentTimes = async (tx: Queries): Promise<void> => {
  await tx.run('delete from recent_times');
};
