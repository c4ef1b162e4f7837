/** The calls of the last minutes by application and problem, in memory: what a person watches while something goes wrong. */
import { type Clock, MINUTE } from '../lib/clock.js';
import type { RequestFacts } from './observer.js';

export const LIVE_MINUTES = 15;
/** Of one minute; the calls of further ones are counted together. */
const MOST_APPLICATIONS = 1_000;

export interface CallCount {
  /** Empty if the call was refused before its application was known. */
  readonly clientId: string;
  /** Empty if it was answered. */
  readonly problem: string;
  readonly status: number;
  count: number;
}

type Counts = Map<string, Map<string, CallCount>>;

export class LiveCalls {
  readonly #clock: Clock;
  /** By minute. */
  readonly #minutes = new Map<number, Counts>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Pages for people are no calls, unless they belong to an application. */
  count({
    clientId = '',
    slug: problem = '',
    status,
  }: Pick<RequestFacts, 'clientId' | 'slug' | 'status'>): void {
    if (clientId === '' && problem === '') return;
    const counts = this.#present();
    const known = counts.has(clientId) || counts.size < MOST_APPLICATIONS ? clientId : '';
    let problems = counts.get(known);
    if (!problems) {
      problems = new Map();
      counts.set(known, problems);
    }
    const counted = problems.get(problem);
    if (counted) counted.count += 1;
    else problems.set(problem, { clientId: known, problem, status, count: 1 });
  }

  #present(): Counts {
    const minute = Math.floor(this.#clock.now() / MINUTE);
    const known = this.#minutes.get(minute);
    if (known) return known;
    for (const each of this.#minutes.keys()) if (each <= minute - LIVE_MINUTES) this.#minutes.delete(each);
    const counts: Counts = new Map();
    this.#minutes.set(minute, counts);
    return counts;
  }

  list(): readonly CallCount[] {
    const oldest = Math.floor(this.#clock.now() / MINUTE) - LIVE_MINUTES;
    return [...this.#minutes]
      .filter(([minute]) => minute > oldest)
      .flatMap(([, counts]) => [...counts.values()].flatMap((each) => [...each.values()]));
  }
}
