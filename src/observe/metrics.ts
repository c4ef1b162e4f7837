/** Prometheus metrics of one process. */
import { Gauge, Registry } from 'prom-client';
import { version } from '../version.js';
import { createCounter } from './counter.js';
import { Durations } from './durations.js';
import { registerProcess } from './process-metrics.js';
import { Requests } from './requests.js';
import { registerUnhandled } from './unhandled.js';

export const createMetrics = (inFlight: () => number, showsProcess = true) => {
  const registry = new Registry();
  if (showsProcess) registerProcess(registry);
  registerUnhandled(registry);
  const registers = [registry];
  new Gauge({
    name: 'trapeza_build_info',
    help: 'Always 1; the labels say what runs',
    labelNames: ['version', 'node'] as const,
    registers,
  }).set({ version, node: process.versions.node }, 1);
  return {
    registry,
    requests: new Requests(registry),
    durations: new Durations(registry),
    fundsAnswers: createCounter(registry, {
      name: 'trapeza_funds_confirmations_total',
      help: 'Funds confirmations by answer',
      labels: { available: ['true', 'false'] },
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
