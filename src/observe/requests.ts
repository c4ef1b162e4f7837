/** Requests by operation, status and problem: an addition at every request, a Prometheus counter when the metrics are read. */
import { Counter, type Registry } from 'prom-client';

interface Counted {
  readonly labels: { readonly operation: string; readonly status: string; readonly problem: string };
  count: number;
}

export class Requests {
  /** By operation, then by status and problem: both are few. */
  readonly #operations = new Map<string, Map<string, Counted>>();

  constructor(registry: Registry) {
    const all = (): Counted[] => [...this.#operations.values()].flatMap((each) => [...each.values()]);
    new Counter({
      name: 'trapeza_requests_total',
      help: 'Requests by operation, status and problem',
      labelNames: ['operation', 'status', 'problem'] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, count } of all()) this.inc({ ...labels }, count);
      },
    });
  }

  count(operation: string, status: number, problem: string): void {
    let outcomes = this.#operations.get(operation);
    if (!outcomes) {
      outcomes = new Map();
      this.#operations.set(operation, outcomes);
    }
    const key = problem === '' ? String(status) : `${status} ${problem}`;
    const known = outcomes.get(key);
    if (known) known.count += 1;
    else outcomes.set(key, { labels: { operation, status: String(status), problem }, count: 1 });
  }
}
