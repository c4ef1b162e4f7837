/**
 * One clock for what cannot be undone: the time of the store, kept between measurements by this node's own monotonic time, so that it costs
 * callers nothing. A node whose machine disagrees with it does no harm: it is not ready, claims nothing and runs no job.
 */
import { Gauge, type Registry } from 'prom-client';
import { type Clock, HOUR, MINUTE, type RealTime, SECOND, type SharedClock } from '../lib/clock.js';
import type { Log } from '../observe/log.js';
import type { Db } from '../store/db.js';
import { APART_MS, serverTime } from '../store/server-time.js';
import { putSetting, readSetting } from '../store/settings.js';

const MEASURE_EVERY_MS = 10 * SECOND;
/** The embedded store has no other clock: a machine whose clock was set, or that slept, is believed once it runs evenly. */
const BELIEVED_AFTER_MS = MINUTE;
/** The latest time at which a node was right, for the next start. */
const NEWEST = 'newest-time';
/** Of a store in which no node has noted it yet. */
const NEWEST_JOB = 'select max(succeeded_at) as at from jobs';
/** After a longer gap it is unknown whether the service was off or a clock is wrong. */
const LONGEST_GAP_MS = HOUR;
/** Jobs that end or delete wait, so that an operator can look: an hour for each day of the gap. Retention is still met within the day. */
const GAP_SHARE = 24;
const SHORTEST_WAIT_MS = HOUR;
const LONGEST_WAIT_MS = 12 * HOUR;

/** Not a number if nothing was ever done. */
const newestTime = async (db: Db): Promise<number> => {
  const noted = await readSetting(db, NEWEST);
  if (noted !== undefined) return Number(noted);
  const row = await db.one<{ at: number | null }>(NEWEST_JOB);
  return row?.at ?? Number.NaN;
};

export interface StoreClockParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** False if people move the time of the bank on purpose, as in the sandbox. */
  readonly doubtsGaps: boolean;
}

export class StoreClock implements SharedClock {
  readonly #parts: StoreClockParts;
  readonly #machine: Clock;
  /** The time of the store less `elapsed`. */
  #base = 0;
  /** A new time of the machine that is not believed yet. */
  #step: { readonly base: number; readonly since: number } | undefined;
  #waitsUntil = Number.NEGATIVE_INFINITY;
  #wasRight = true;
  #measuring: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  private constructor(parts: StoreClockParts) {
    this.#parts = parts;
    this.#machine = parts.clock;
    this.#timer = setInterval(() => void this.measure().catch(() => undefined), MEASURE_EVERY_MS).unref();
  }

  /** Measured once: before that nothing is known, and no job may run. */
  static async open(parts: StoreClockParts): Promise<StoreClock> {
    const made = new StoreClock(parts);
    try {
      await made.#begin();
      return made;
    } catch (error) {
      made.close();
      throw error;
    }
  }

  now(): RealTime {
    return Math.round(this.#machine.elapsed() + this.#base);
  }

  elapsed(): number {
    return this.#machine.elapsed();
  }

  /** Positive: the machine is ahead. */
  get offsetMs(): number {
    return this.#machine.now() - this.now();
  }

  isRight(): boolean {
    return Math.abs(this.offsetMs) <= APART_MS;
  }

  get waitMs(): number {
    return Math.max(0, this.#waitsUntil - this.elapsed());
  }

  mayEnd(): boolean {
    return this.isRight() && this.waitMs === 0;
  }

  /** The earlier of the two, for what ends or deletes. */
  readonly earlier: Clock = {
    now: () => Math.min(this.now(), this.#machine.now()),
    elapsed: () => this.elapsed(),
  };

  measure(): Promise<void> {
    this.#measuring ??= this.#measure().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #begin(): Promise<void> {
    const newest = await newestTime(this.#parts.db);
    const seen = await this.#ask();
    if (seen) this.#base = (seen.least + seen.most) / 2;
    else {
      this.#base = this.#baseOfMachine();
      // The clock of this machine was set back while the service was off, or had been ahead before.
      if (newest > this.now() + APART_MS) this.#base = newest - this.elapsed();
    }
    this.#doubt(this.now() - newest);
    await this.#note();
  }

  async #measure(): Promise<void> {
    const seen = await this.#ask();
    // Only what the answer contradicts is corrected: one that came late says little.
    if (seen) this.#believe(Math.min(Math.max(this.#base, seen.least), seen.most));
    else this.#followMachine();
    await this.#note();
  }

  /** Between which two values `#base` lies: the server read its clock after the question left and before the answer was here. */
  async #ask(): Promise<{ readonly least: number; readonly most: number } | undefined> {
    const sentAt = this.elapsed();
    const time = await serverTime(this.#parts.db, this.#machine);
    if (time === undefined) return undefined;
    return { least: time - this.elapsed(), most: time - sentAt };
  }

  #baseOfMachine(): number {
    return this.#machine.now() - this.elapsed();
  }

  #followMachine(): void {
    const base = this.#baseOfMachine();
    const isStep = Math.abs(base - this.#base) > APART_MS;
    if (isStep && !(this.#step && Math.abs(base - this.#step.base) <= APART_MS))
      this.#step = { base, since: this.elapsed() };
    else if (!isStep || this.elapsed() - (this.#step?.since ?? 0) >= BELIEVED_AFTER_MS) {
      this.#step = undefined;
      this.#believe(base);
    }
  }

  #believe(base: number): void {
    const gap = base - this.#base;
    this.#base = base;
    this.#doubt(gap);
  }

  #doubt(gapMs: number): void {
    const { log, doubtsGaps } = this.#parts;
    if (!doubtsGaps || !(gapMs > LONGEST_GAP_MS)) return;
    const waitMs = Math.min(Math.max(gapMs / GAP_SHARE, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
    this.#waitsUntil = this.elapsed() + waitMs;
    log.error(
      {
        gapSeconds: Math.round(gapMs / SECOND),
        waitSeconds: Math.round(waitMs / SECOND),
        remedy: 'if a clock is wrong, stop all nodes and set it right',
      },
      'the newest time in the store is long ago',
    );
  }

  async #note(): Promise<void> {
    const { db, log } = this.#parts;
    const isRight = this.isRight();
    if (isRight !== this.#wasRight) {
      const facts = { offsetSeconds: this.offsetMs / SECOND };
      if (isRight) log.info(facts, 'the clocks agree again');
      else log.error(facts, 'the clocks differ');
    }
    this.#wasRight = isRight;
    if (this.mayEnd()) await putSetting(db, NEWEST, String(this.now()));
  }
}

export const createClockMetrics = (registry: Registry, clock: StoreClock): void => {
  const registers = [registry];
  new Gauge({
    name: 'trapeza_clock_offset_seconds',
    help: 'By how much the clock of this machine is ahead of that of the database; more than 5 either way: not ready',
    registers,
    collect() {
      this.set(clock.offsetMs / SECOND);
    },
  });
  new Gauge({
    name: 'trapeza_clock_wait_seconds',
    help: 'For how long this node still ends and deletes nothing, because the newest time in the store was long ago',
    registers,
    collect() {
      this.set(clock.waitMs / SECOND);
    },
  });
};
