/**
 * Quotas that several nodes share, exact to the last call: a node counts what PostgreSQL has granted it, and asks for more when that is
 * used. Most calls cost no statement. While the store is away, what was granted runs on; then calls are refused, never one too many.
 */
import { type Clock, SECOND } from '../../lib/clock.js';
import type { Completion } from '../../lib/turn.js';
import { type Db, StoreUnavailable } from '../../store/db.js';
import { askForGrant, type Grant, givingBack, type Unused } from './quota-grants.js';
import { dayExceeded, minuteExceeded, type Quota, type Quotas } from './quotas.js';

/** What is not used for so long returns to the others. */
const IDLE_MS = 5 * SECOND;
const POLL_MS = SECOND;
/** A refusal is believed for so long: meanwhile other nodes may give back. */
const REFUSED_MS = SECOND;
/** So often is tried whether a store that was away is back, by those who can do without it. */
const AWAY_MS = SECOND;
/** Grants of one transaction that gives back. */
const BATCH = 100;
/** Two clocks that are slewed run apart by less: a grant ends a little before its window. */
const SLEW = 0.001;

interface Refusal {
  readonly isDay: boolean;
  readonly resetsAt: number;
  readonly until: number;
}

/** Of one subject. All times are `elapsed`: no wall clock lengthens a grant, and a process that was paused finds it over. */
class Held {
  #calls = 0;
  #endsAt = 0;
  #refillAt = 0;
  #minuteEndsAt = 0;
  #dayEndsAt = 0;
  #usedAt: number;
  waiting = 0;
  refusal: Refusal | undefined;
  /** The statement that is under way. Callers who need another one share it. */
  inFlight: Promise<void> | undefined;

  constructor(now: number) {
    this.#usedAt = now;
  }

  get isEmpty(): boolean {
    return this.#calls === 0;
  }

  /** Once for each grant, so that the next one is there when this one is used. */
  get isLow(): boolean {
    return this.#calls === this.#refillAt && this.#calls > 0;
  }

  take(now: number): boolean {
    if (this.#calls === 0 || now >= this.#endsAt) return false;
    this.#calls -= 1;
    this.#usedAt = now;
    return true;
  }

  isIdle(now: number): boolean {
    return this.inFlight === undefined && now - this.#usedAt >= IDLE_MS;
  }

  isOver(now: number): boolean {
    return now >= this.#endsAt;
  }

  /** From now on this node does not use them: if they do not arrive where they came from, they count as used. */
  release(): Unused {
    const calls = this.#calls;
    this.#calls = 0;
    return { calls, minuteEndsAt: this.#minuteEndsAt, dayEndsAt: this.#dayEndsAt };
  }

  restore({ calls }: Unused): void {
    this.#calls = calls;
  }

  /** The windows last from `sentAt` on at least as long as the answer says. */
  add({ calls, minuteEndsAt, minuteMs, dayEndsAt, dayMs }: Grant, sentAt: number): void {
    const isSame = minuteEndsAt === this.#minuteEndsAt && dayEndsAt === this.#dayEndsAt;
    this.#calls = calls + (isSame ? this.#calls : 0);
    this.#refillAt = calls === 0 ? 0 : Math.floor(this.#calls / 4);
    this.#minuteEndsAt = minuteEndsAt;
    this.#dayEndsAt = dayEndsAt;
    this.#endsAt = sentAt + Math.min(minuteMs, dayMs) * (1 - SLEW) - 1;
  }
}

const NOTHING: Unused = { calls: 0, minuteEndsAt: 0, dayEndsAt: 0 };

const isUndone = (error: unknown): boolean => error instanceof StoreUnavailable && !error.outcomeUnknown;

export class SharedQuotas implements Quotas {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;
  #awayUntil = 0;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#timer = setInterval(() => void this.giveBackIdle(), POLL_MS).unref();
  }

  spend(quota: Quota): Completion {
    const now = this.#clock.elapsed();
    const held = this.#of(quota.subject, now);
    if (held.take(now)) {
      // Who needs the next grant asks again if this fails.
      if (held.isLow) this.#shared(held, quota).catch(() => undefined);
      return undefined;
    }
    this.#demand(held, quota, now);
    return this.#await(held, quota);
  }

  isAway(): boolean {
    return this.#clock.elapsed() < this.#awayUntil;
  }

  /** What no caller has used lately; once a second. */
  async giveBackIdle(): Promise<void> {
    const now = this.#clock.elapsed();
    const idle = [...this.#held].filter(([, held]) => held.isIdle(now));
    for (const [subject, { isEmpty, refusal }] of idle)
      if (isEmpty && !(refusal && now < refusal.until)) this.#held.delete(subject);
    await this.#giveBack(idle);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#held.values()].map(({ inFlight }) => inFlight));
    await this.#giveBack([...this.#held]);
  }

  #of(subject: string, now: number): Held {
    const known = this.#held.get(subject);
    if (known) return known;
    const made = new Held(now);
    this.#held.set(subject, made);
    return made;
  }

  /** Throws if the quota was used up a moment ago. */
  #demand({ refusal }: Held, quota: Quota, now: number): void {
    if (!refusal || now >= refusal.until) return;
    const { isDay, resetsAt } = refusal;
    throw isDay ? dayExceeded(quota, resetsAt - now) : minuteExceeded(quota, resetsAt - now);
  }

  /** Each answer has a call for everybody who waits, or a refusal, unless a window ends just then. */
  async #await(held: Held, quota: Quota): Promise<void> {
    for (;;) {
      held.waiting += 1;
      try {
        await this.#shared(held, quota);
      } finally {
        held.waiting -= 1;
      }
      const now = this.#clock.elapsed();
      if (held.take(now)) return;
      this.#demand(held, quota, now);
    }
  }

  #shared(held: Held, quota: Quota): Promise<void> {
    held.inFlight ??= this.#ask(held, quota).finally(() => {
      held.inFlight = undefined;
    });
    return held.inFlight;
  }

  async #ask(held: Held, quota: Quota): Promise<void> {
    const sentAt = this.#clock.elapsed();
    const unused = held.isOver(sentAt) ? held.release() : NOTHING;
    const wanted = { ...quota, waiting: held.waiting, unused };
    const grant = await askForGrant(this.#db, wanted, this.#clock).catch((error: unknown) => {
      this.#awayUntil = this.#clock.elapsed() + AWAY_MS;
      throw error;
    });
    this.#awayUntil = 0;
    held.add(grant, sentAt);
    const { calls, isDayUsedUp: isDay, dayMs, minuteMs } = grant;
    const resetsAt = sentAt + (isDay ? dayMs : minuteMs);
    const until = Math.min(resetsAt, this.#clock.elapsed() + REFUSED_MS);
    held.refusal = calls > 0 ? undefined : { isDay, resetsAt, until };
  }

  /** In one order, so that two nodes do not wait for each other in a circle. */
  async #giveBack(idle: readonly (readonly [string, Held])[]): Promise<void> {
    const order = idle.toSorted(([one], [other]) => (one < other ? -1 : 1));
    for (let start = 0; start < order.length; start += BATCH)
      await this.#giveBackSome(order.slice(start, start + BATCH));
  }

  async #giveBackSome(some: readonly (readonly [string, Held])[]): Promise<void> {
    const given = some
      .filter(([, { isEmpty, inFlight }]) => !isEmpty && inFlight === undefined)
      .map(([subject, held]) => ({ subject, held, unused: held.release() }));
    if (given.length === 0) return;
    const writes = given.map(({ subject, unused }) => givingBack(subject, unused));
    const done = this.#db
      .writeBatch(writes)
      .catch((error: unknown) => {
        if (isUndone(error)) for (const { held, unused } of given) held.restore(unused);
      })
      .then(() => {
        for (const { held } of given) held.inFlight = undefined;
      });
    for (const { held } of given) held.inFlight = done;
    await done;
  }
}
