/** Node's own figures: event loop, memory, CPU. All services of a process share them. */
import cluster from 'node:cluster';
import { collectDefaultMetrics, Registry } from 'prom-client';

let own: Registry | undefined;

/** What watches the process cannot be ended. Made for each service it would keep every service that was closed. */
const metricsOfProcess = (): Registry => {
  if (own) return own;
  own = new Registry();
  // Of several workers each has its own event loop and memory.
  const labels = cluster.worker ? { worker: String(cluster.worker.id) } : {};
  collectDefaultMetrics({ register: own, labels });
  return own;
};

export const registerProcess = (registry: Registry): void => {
  for (const metric of metricsOfProcess().getMetricsAsArray())
    registry.registerMetric(metric as unknown as Parameters<Registry['registerMetric']>[0]);
};
