/** Node's own figures: event loop, memory, CPU. All services of a process share them. */
import { collectDefaultMetrics, Registry } from 'prom-client';

let own: Registry | undefined;

/** What watches the process cannot be ended. Made for each service it would keep every service that was closed. */
const metricsOfProcess = (): Registry => {
  if (own) return own;
  own = new Registry();
  collectDefaultMetrics({ register: own });
  return own;
};

export const registerProcess = (registry: Registry): void => {
  for (const metric of metricsOfProcess().getMetricsAsArray())
    registry.registerMetric(metric as unknown as Parameters<Registry['registerMetric']>[0]);
};
