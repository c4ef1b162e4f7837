/** How many calls a subject has in a minute and in a day: what a node that is alone counts, and what several nodes share. */
import { type Clock, DAY, MINUTE, SECOND } from '../../lib/clock.js';
import { exhaustedFields } from '../../lib/rate-limit.js';
import type { Completion } from '../../lib/turn.js';
import { Problem } from '../../problem/problem.js';
import { WindowCounter } from './window.js';

export interface Quota {
  readonly subject: string;
  readonly perMinute: number;
  readonly perDay: number;
  /** What the quota of a minute is called in a refusal. */
  readonly name: string;
}

export interface Quotas {
  /** Counts a call; throws if the minute or the day is used up. A refused call counts nowhere. */
  spend(quota: Quota): Completion;
  /** The store that grants calls has not answered lately. */
  isAway(): boolean;
  close(): Promise<void>;
}

export const minuteExceeded = ({ name, perMinute }: Quota, resetMs: number): Problem =>
  exceeded(name, perMinute, MINUTE, resetMs);

export const dayExceeded = ({ perDay }: Quota, resetMs: number): Problem =>
  exceeded('day', perDay, DAY, resetMs);

const exceeded = (name: string, quota: number, windowMs: number, resetMs: number): Problem =>
  new Problem('quota-exceeded', {
    headers: exhaustedFields({ name, quota, windowSeconds: windowMs / SECOND, resetMs }),
  });

/** Of the only node on its store: in memory, and every window begins anew with the process. */
export class OwnQuotas implements Quotas {
  readonly #minute: WindowCounter;
  readonly #day: WindowCounter;

  constructor(clock: Clock) {
    this.#minute = new WindowCounter(MINUTE / SECOND, clock);
    this.#day = new WindowCounter(DAY / SECOND, clock);
  }

  spend(quota: Quota): void {
    const { subject, perMinute, perDay } = quota;
    const inDay = this.#day.used(subject);
    if (inDay.count >= perDay) throw dayExceeded(quota, inDay.resetMs);
    const inMinute = this.#minute.used(subject);
    if (inMinute.count >= perMinute) throw minuteExceeded(quota, inMinute.resetMs);
    this.#day.consume(subject);
    this.#minute.consume(subject);
  }

  isAway(): boolean {
    return false;
  }

  async close(): Promise<void> {}
}
