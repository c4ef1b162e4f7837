/**
 * The places for open sandboxes, and who must give one up. A source, which may stand for many developers or one developer with many
 * sandboxes, never keeps out another one that has fewer.
 */
import { totalmem } from 'node:os';
import { type Clock, MINUTE, type Source } from 'trapeza/base';

/** What an open sandbox costs: measured at 20 MiB, with its history of six months and pages that were visited. */
const COST_MIB = 24;
const SHARE_OF_MEMORY = 0.25;
const FEWEST = 8;
const MOST = 64;
/** Each has three connections, and a database usually has a hundred. */
const MOST_ON_POSTGRES = 16;

/** How many places this process has, unless a setting says so. */
export const placesHere = (engine: 'sqlite' | 'postgres'): number => {
  // Without a limit it is 0 or more than there is.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const fitting = Math.floor((memory * SHARE_OF_MEMORY) / (COST_MIB * 1_048_576));
  return Math.max(FEWEST, Math.min(fitting, engine === 'postgres' ? MOST_ON_POSTGRES : MOST));
};

export interface Held {
  /** Who used it last. */
  readonly source: Source;
  readonly inFlight: number;
  /** Opening costs more than most requests: so long it stays, unless its source has more places than others. */
  readonly staysUntil: number;
}

/** The id of the place that is given up for a source, or none. `held` begins with the one that was not used for longest. */
export const placeToGiveUp = (
  held: ReadonlyMap<string, Held>,
  source: Source,
  now: number,
): string | undefined => {
  const counts = new Map<Source, number>();
  for (const each of held.values()) counts.set(each.source, (counts.get(each.source) ?? 0) + 1);
  const own = counts.get(source) ?? 0;
  const most = Math.max(0, ...counts.values());
  const candidates = [...held].filter(([, each]) =>
    // With one place of difference, two sources would take it from each other in turn.
    most > own + 1
      ? counts.get(each.source) === most
      : (own === 0 || each.source === source) && each.staysUntil <= now,
  );
  return (candidates.find(([, { inFlight }]) => inFlight === 0) ?? candidates[0])?.[0];
};

const OPENINGS_PER_MINUTE = 30;

/** How often a source may have a sandbox opened: each opening takes the processor for about a second. */
export class Openings {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #times = new Map<Source, readonly number[]>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** Takes one, or returns how long to wait for it. */
  take(source: Source): number {
    const now = this.#clock.elapsed();
    const times = (this.#times.get(source) ?? []).filter((each) => each > now - MINUTE);
    const [first = now] = times;
    if (times.length >= OPENINGS_PER_MINUTE) return first + MINUTE - now;
    this.#times.set(source, [...times, now]);
    return 0;
  }

  sweep(): void {
    const now = this.#clock.elapsed();
    for (const [source, times] of this.#times)
      if ((times.at(-1) ?? 0) <= now - MINUTE) this.#times.delete(source);
  }
}
