/** Prometheus metrics of one process. */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export const createMetrics = (inFlight: () => number) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'trapeza_requests_total',
      help: 'Requests by operation, status and problem',
      labelNames: ['operation', 'status', 'problem'] as const,
      registers,
    }),
    durations: new Histogram({
      name: 'trapeza_request_duration_seconds',
      help: 'Time from the end of the headers to the end of the answer',
      labelNames: ['operation'] as const,
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    fundsAnswers: new Counter({
      name: 'trapeza_funds_confirmations_total',
      help: 'Funds confirmations by answer',
      labelNames: ['available'] as const,
      registers,
    }),
    dataReads: new Counter({
      name: 'trapeza_account_reads_total',
      help: 'Reads of account data by kind, and whether the account holder was said to be present',
      labelNames: ['kind', 'attended'] as const,
      registers,
    }),
    inFlight: new Gauge({
      name: 'trapeza_requests_in_flight',
      help: 'Requests being processed',
      registers,
      collect() {
        this.set(inFlight());
      },
    }),
  };
};

export type Metrics = ReturnType<typeof createMetrics>;

/** In a worker: lets the first process ask for these figures and add them up. */
export const shareMetrics = (registry: Registry): void => {
  AggregatorRegistry.setRegistries([registry]);
  new AggregatorRegistry();
};
