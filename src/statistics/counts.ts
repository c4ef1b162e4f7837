/** Calls by day, area and duration: an addition for each call. */
import { dateAt, endOfDay, startOfDay } from '../lib/day.js';

export const AREAS = ['pis', 'ais', 'piis'] as const;
export type CountedArea = (typeof AREAS)[number];

/** What has no duration that counts: refusals, errors, clients that left. */
export const UNTIMED = -1;
/** So many buckets for each doubling of the duration. */
const PER_DOUBLING = 8;

const bucketOf = (micros: number): number => Math.ceil(Math.log2(Math.max(1, micros)) * PER_DOUBLING);

/** The longest duration in a bucket. */
export const longestIn = (bucket: number): number => 2 ** (bucket / PER_DOUBLING);

export interface Count {
  readonly day: string;
  readonly area: CountedArea;
  readonly bucket: number;
  calls: number;
  micros: number;
  faults: number;
}

export interface CountedCall {
  readonly area: CountedArea;
  readonly receivedAt: number;
  /** Of an answer that gave what was requested. */
  readonly micros: number | undefined;
  /** The bank is to blame that there was none. */
  readonly isFault: boolean;
}

export class Counts {
  readonly #timeZone: string;
  #day = { date: '', from: 0, to: 0 };
  #counts = new Map<string, Count>();

  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** A call belongs to the day on which it was received. */
  add({ area, receivedAt, micros, isFault }: CountedCall): void {
    const day = this.#dayOf(receivedAt);
    const bucket = micros === undefined ? UNTIMED : bucketOf(micros);
    const key = `${day} ${area} ${bucket}`;
    let count = this.#counts.get(key);
    if (!count) {
      count = { day, area, bucket, calls: 0, micros: 0, faults: 0 };
      this.#counts.set(key, count);
    }
    count.calls += 1;
    count.micros += micros ?? 0;
    if (isFault) count.faults += 1;
  }

  /** In one order on all nodes, so that none waits for another in a circle. */
  take(): readonly Count[] {
    const taken = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
    this.#counts = new Map();
    return taken;
  }

  #dayOf(at: number): string {
    if (at < this.#day.from || at >= this.#day.to) {
      const date = dateAt(at, this.#timeZone);
      this.#day = { date, from: startOfDay(date, this.#timeZone), to: endOfDay(date, this.#timeZone) };
    }
    return this.#day.date;
  }
}
