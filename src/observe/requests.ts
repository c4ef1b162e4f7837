/** Requests by operation, status, problem and what was away: an addition at every request, a Prometheus counter when the metrics are read. */
import { Counter, type Registry } from 'prom-client';
import { type Outage, outages } from '../problem/outage.js';
import { type ProblemSlug, problems } from '../problem/problem.js';

interface Counted {
  readonly labels: {
    readonly operation: string;
    readonly status: string;
    readonly problem: string;
    readonly cause: Outage | '';
  };
  count: number;
}

/** Problems that are ours to explain, with what can have been away. */
const faults: Partial<Record<ProblemSlug, readonly (Outage | '')[]>> = {
  'request-incomplete': [''],
  'processing-timeout': ['', 'core'],
  'internal-error': [''],
  overloaded: [''],
  draining: [''],
  'dependency-unavailable': ['', ...outages],
  'outcome-unknown': ['store'],
};

export class Requests {
  /** By operation, then by status, problem and cause: all are few. */
  readonly #operations = new Map<string, Map<string, Counted>>();

  constructor(registry: Registry) {
    const all = (): Counted[] => [...this.#operations.values()].flatMap((each) => [...each.values()]);
    new Counter({
      name: 'trapeza_requests_total',
      help: 'Requests by operation, status, problem, and what was away',
      labelNames: ['operation', 'status', 'problem', 'cause'] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const { labels, count } of all()) this.inc({ ...labels }, count);
      },
    });
  }

  /** What alerts watch begins at 0. */
  expect(operations: readonly string[]): void {
    for (const operation of operations) {
      this.#add(operation, 200, '', '', 0);
      for (const [problem, causes] of Object.entries(faults))
        for (const cause of causes)
          this.#add(operation, problems[problem as ProblemSlug].status, problem, cause, 0);
    }
  }

  count(operation: string, status: number, problem: string, cause: Outage | '' = ''): void {
    this.#add(operation, status, problem, cause, 1);
  }

  #add(operation: string, status: number, problem: string, cause: Outage | '', count: 0 | 1): void {
    let outcomes = this.#operations.get(operation);
    if (!outcomes) {
      outcomes = new Map();
      this.#operations.set(operation, outcomes);
    }
    const key = problem === '' ? String(status) : `${status} ${problem} ${cause}`;
    const known = outcomes.get(key);
    if (known) known.count += count;
    else outcomes.set(key, { labels: { operation, status: String(status), problem, cause }, count });
  }
}
