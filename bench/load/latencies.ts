/** Latencies of any number of requests in little memory: counted by steps of one percent. */
const STEPS = 100;

export class Latencies {
  readonly counts: number[];

  constructor(counts: readonly number[] = []) {
    this.counts = [...counts];
  }

  add(ms: number): void {
    const step = Math.round(Math.log1p(Math.max(0, ms) * 1000) * STEPS);
    this.counts[step] = (this.counts[step] ?? 0) + 1;
  }

  join(other: readonly (number | null | undefined)[]): void {
    for (const [step, count] of other.entries())
      if (count) this.counts[step] = (this.counts[step] ?? 0) + count;
  }

  /** The smallest latency that so large a part does not exceed. */
  percentile(part: number): number {
    const total = this.counts.reduce((sum, count) => sum + (count ?? 0), 0);
    let left = Math.ceil(total * part);
    for (const [step, count] of this.counts.entries()) {
      left -= count ?? 0;
      if (count && left <= 0) return Math.expm1(step / STEPS) / 1000;
    }
    return Number.NaN;
  }
}
