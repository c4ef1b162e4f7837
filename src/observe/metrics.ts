/** Prometheus metrics of one process. */
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { Durations } from './durations.js';
import { Requests } from './requests.js';

export const createMetrics = (inFlight: () => number) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Requests(registry),
    durations: new Durations(registry),
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
