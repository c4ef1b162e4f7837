/** Observes every call of the core: a counter, a duration, and a log line if there is no answer. */
import { Counter, Histogram, type Registry } from 'prom-client';
import { createCounter } from '../../observe/counter.js';
import type { Log } from '../../observe/log.js';
import { type CallFacts, coreOutcomes } from './calls.js';
import { coreOperations } from './contract/operations.js';

export const createCoreObserver = (registry: Registry, log: Log): ((facts: CallFacts) => void) => {
  const registers = [registry];
  const calls = createCounter(registry, {
    name: 'trapeza_core_calls_total',
    help: 'Questions to the core by operation and outcome',
    labels: { operation: Object.keys(coreOperations), outcome: coreOutcomes },
  });
  // Members and rules are too many to begin at 0: `wrong` of the counter above is what alerts watch.
  const breaches = new Counter({
    name: 'trapeza_core_wrong_answers_total',
    help: 'Answers of the core that broke a rule of the contract, by operation, member and rule',
    labelNames: ['operation', 'member', 'rule'] as const,
    registers,
  });
  const durations = new Histogram({
    name: 'trapeza_core_call_duration_seconds',
    help: 'Time of a question to the core with everything: queue, attempts, pauses',
    labelNames: ['operation'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  return ({ operation, outcome, ms, requestId, coreRequestId, fault }) => {
    calls.inc({ operation, outcome });
    durations.observe({ operation }, ms / 1000);
    if (fault?.breach) breaches.inc({ operation, ...fault.breach });
    if (fault)
      log.warn(
        {
          operation,
          outcome,
          reason: fault.message,
          requestId,
          coreRequestId,
          ms: Math.round(ms * 1000) / 1000,
        },
        'core',
      );
  };
};
