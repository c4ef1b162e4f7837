/**
 * Durations by operation as a Prometheus histogram. Counting happens at every request and is an addition in an array; the
 * library's values are built when the metrics are read.
 */
import type { Metric, Registry } from 'prom-client';

const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
const NAME = 'trapeza_request_duration_seconds';
const HELP = 'Time from the end of the headers to the end of the answer';

interface Observed {
  readonly counts: number[];
  count: number;
  sum: number;
}

export class Durations {
  readonly #operations = new Map<string, Observed>();

  constructor(registry: Registry) {
    const metric = {
      name: NAME,
      help: HELP,
      type: 'histogram',
      get: async () => this.#snapshot(),
    };
    // The library asks for nothing else of a metric; its type describes one of its own.
    registry.registerMetric(metric as unknown as Metric);
  }

  observe(operation: string, seconds: number): void {
    let observed = this.#operations.get(operation);
    if (!observed) {
      observed = { counts: buckets.map(() => 0), count: 0, sum: 0 };
      this.#operations.set(operation, observed);
    }
    observed.count += 1;
    observed.sum += seconds;
    const { counts } = observed;
    for (let index = 0; index < buckets.length; index += 1)
      if (seconds <= (buckets[index] ?? 0)) {
        counts[index] = (counts[index] ?? 0) + 1;
        return;
      }
  }

  #snapshot() {
    const values = [...this.#operations].flatMap(([operation, { counts, count, sum }]) => {
      let below = 0;
      const steps = buckets.map((le, index) => {
        below += counts[index] ?? 0;
        return { labels: { le, operation }, value: below, metricName: `${NAME}_bucket` };
      });
      return [
        ...steps,
        { labels: { le: '+Inf', operation }, value: count, metricName: `${NAME}_bucket` },
        { labels: { operation }, value: sum, metricName: `${NAME}_sum` },
        { labels: { operation }, value: count, metricName: `${NAME}_count` },
      ];
    });
    return { name: NAME, help: HELP, type: 'histogram', values };
  }
}
