/** The composition root: configuration to rooms to a running service. With `app/` the only place that knows every room. */
import type { IncomingMessage } from 'node:http';
import { openAccess } from './app/access.js';
import { type Foundation, openFoundation } from './app/foundation.js';
import { createOperations, openJobs } from './app/operations.js';
import { type AppOptions, Closers } from './app/options.js';
import { openOrders } from './app/orders.js';
import { openMounts } from './app/pages.js';
import { createGate } from './gate/gate.js';
import { watchRefusals } from './gate/refusals.js';
import { requestClass } from './http/listeners/arriving.js';
import { createManagementServer, type Readiness } from './http/listeners/management.js';
import type { Operation } from './http/operation.js';
import { createHttpServer } from './http/server.js';
import { shareMetrics } from './observe/metrics.js';
import { settleApplications } from './sandbox/registration.js';
import { version } from './version.js';

export type { AppOptions };

export interface App {
  /** The public address, as it stands in links. */
  readonly url: string;
  /** Where this process really listens. */
  readonly listenUrl: string;
  readonly managementUrl: string;
  readonly operations: readonly Operation[];
  /** Runs every scheduled job once, now. */
  runJobs(): Promise<void>;
  /** Drains, then closes everything in the reverse order of its opening. */
  close(): Promise<void>;
}

const readinessOf =
  ({ db, bank, load }: Foundation) =>
  async (): Promise<Readiness> => {
    const [store, core] = await Promise.allSettled([db.one('select 1 as one'), bank.ping()]);
    const verdict = (fine: boolean) => (fine ? 'ok' : 'failed');
    const checks = {
      store: verdict(store.status === 'fulfilled'),
      core: verdict(core.status === 'fulfilled'),
      accepting: verdict(!load.draining),
    } as const;
    // A core that is down makes calls fail one by one; the ATMs and statuses of this node are still worth having.
    return { ready: checks.store === 'ok' && checks.accepting === 'ok', checks };
  };

const openManagement = async (base: Foundation, closers: Closers): Promise<string> => {
  const { config, metrics } = base;
  const management = createManagementServer(readinessOf(base), metrics.registry);
  closers.add(management, (each) => each.close());
  const { port } = await management.listen(config.managementHost, config.managementPort);
  return `http://${config.managementHost}:${port}`;
};

export const startApp = async (options: AppOptions): Promise<App> => {
  const closers = new Closers();
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
};

const start = async (options: AppOptions, closers: Closers): Promise<App> => {
  const { isWorker = false, mode } = options;
  const base = await openFoundation(options, closers);
  const { config, site, load, log, db, metrics, security, detection } = base;
  const access = await openAccess(base, isWorker, closers);
  const { tls } = access;
  const orders = openOrders(base, closers);
  const operations = createOperations(base, access, orders);
  const jobs = openJobs(base, access, orders, closers);
  const mounts = await openMounts(base, access, operations, closers);
  const stagesOf = createGate({ config, load, security, ...access });
  const onRefusal = watchRefusals({ security, detection, addressOf: access.addressOf });
  const subscriptionOf = ({ headers }: IncomingMessage): string =>
    access.directory.subscriptionOf(headers['ocp-apim-subscription-key']);
  const server = createHttpServer(
    {
      ...base,
      operations,
      stagesOf,
      mounts,
      onRefusal,
      tls,
      requestClass: await requestClass(),
      subscriptionOf,
    },
    load,
  );
  const managementUrl = isWorker ? '' : await openManagement(base, closers);
  if (isWorker) shareMetrics(metrics.registry);
  closers.add(server, (each) => each.drain());
  const { port } = await server.listen();
  const listenUrl = `${tls ? 'https' : 'http'}://${config.host}:${port}`;
  site.baseUrl = config.baseUrl ?? listenUrl;
  if (base.isSandbox) {
    await settleApplications(db, site.baseUrl, base.clock.now());
    await access.directory.refresh();
  }
  log.info({ url: site.baseUrl, managementUrl, mode, engine: db.engine, version }, 'started');
  return {
    url: site.baseUrl,
    listenUrl,
    managementUrl,
    operations,
    runJobs: () => jobs.runAll(),
    close: async () => {
      log.info({}, 'stopping');
      await closers.close();
    },
  };
};
