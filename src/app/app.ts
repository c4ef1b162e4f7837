/** The composition root: configuration to rooms to a running service. With `app/` the only place that knows every room. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Admin } from '../admin/admin.js';
import { CoreNews } from '../admin/core-news.js';
import { NEWS_PATH } from '../bank/http/contract/news.js';
import { ConfigError } from '../config/config.js';
import { createGate } from '../gate/gate.js';
import { watchRefusals } from '../gate/refusals.js';
import { requestClass } from '../http/listeners/buffered-request.js';
import { createManagementServer, type Readiness } from '../http/listeners/management.js';
import type { Operation } from '../http/operation.js';
import { createHttpServer, type HttpServer } from '../http/server.js';
import type { CallCount } from '../observe/live-calls.js';
import { shareMetrics } from '../observe/metrics.js';
import { version } from '../version.js';
import { type AccessRooms, openAccess } from './access.js';
import { type Console, type ConsoleOptions, openConsole } from './console.js';
import { type Foundation, openFoundation } from './foundation.js';
import { createOperations, openJobs } from './operations.js';
import { type AppOptions, Closers } from './options.js';
import { openOrders } from './orders.js';
import { openMounts } from './pages.js';
import { ReadinessProbe } from './readiness.js';
import { openObserver } from './request-log.js';
import { openStatistics } from './statistics.js';

export type { AppOptions };

export interface App {
  /** The public address, as it stands in links. */
  readonly url: string;
  /** Where this process really listens; empty if it does not. */
  readonly listenUrl: string;
  readonly managementUrl: string;
  /** Answers a request of any server of Node's `http` or `https`. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** The operator console for a private server of one's own; `url` is where browsers reach that one. */
  openConsole(options: ConsoleOptions): Promise<Console['handle']>;
  /** Calls of the last minutes, of this process. */
  calls(): readonly CallCount[];
  /** In the text format of Prometheus. */
  metrics(): Promise<string>;
  readonly operations: readonly Operation[];
  /** What the bank's operators do. */
  readonly admin: Admin;
  /** What `/health/ready` tells; at once, without asking anybody. */
  readiness(): Readiness;
  /** What the core tells without being asked: the results, or undefined if it does not fit the contract. */
  receiveNews(body: unknown): Promise<object | undefined>;
  /** Runs every scheduled job once, now. */
  runJobs(): Promise<void>;
  /**
   * Finishes what runs, then closes everything in the reverse order of its opening. With `delayMs` it first keeps answering for
   * that time while `/health/ready` returns 503, so that a proxy in front can send new calls to other nodes.
   */
  close(options?: { readonly delayMs?: number }): Promise<void>;
}

const openManagement = async (
  base: Foundation,
  readiness: ReadinessProbe,
  news: CoreNews,
  closers: Closers,
): Promise<string> => {
  const { config, metrics, security } = base;
  const { coreNewsToken: token } = config;
  const call = token && {
    path: NEWS_PATH,
    token,
    receive: (body: unknown) => news.receive(body),
    onRefused: () => security.event('key-refused', { reason: 'core-news' }),
  };
  const operatorConsole = await openConsole(base, closers, { calls: async () => base.calls.list() });
  const management = createManagementServer(
    () => readiness.state(),
    metrics.registry,
    call || undefined,
    operatorConsole.handle,
  );
  closers.add(management, (each) => each.close());
  const { port } = await management.listen(config.managementHost, config.managementPort);
  const url = `http://${config.managementHost}:${port}`;
  operatorConsole.site.baseUrl = config.operatorUrl ?? url;
  return url;
};

const openListener = async (
  { config }: Foundation,
  server: Pick<HttpServer, 'listen'>,
  hasTls: boolean,
): Promise<string> => {
  const { port } = await server.listen();
  return `${hasTls ? 'https' : 'http'}://${config.host}:${port}`;
};

const consoleOf = (base: Foundation, closers: Closers): Pick<App, 'openConsole' | 'calls'> => ({
  openConsole: async (wanted) => (await openConsole(base, closers, wanted)).handle,
  calls: () => base.calls.list(),
});

const subscriptionsIn =
  ({ directory }: Pick<AccessRooms, 'directory'>) =>
  ({ headers }: IncomingMessage): string =>
    directory.subscriptionOf(headers['ocp-apim-subscription-key']);

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
  const { isWorker = false, listens = true, extensions = [] } = options;
  if (!listens && options.config.baseUrl === undefined)
    throw new ConfigError(['BASE_URL is missing: a service without a listener does not know its address.']);
  const base = await openFoundation(options, closers);
  const { config, site, load, log, db, metrics, security, detection } = base;
  const access = await openAccess(base, isWorker, closers);
  const orders = openOrders(base, closers);
  const made = createOperations(base, access, orders, closers);
  const { operations, service } = made;
  const jobs = openJobs(base, access, orders, closers);
  const mounts = await openMounts(base, access, made, closers);
  const statistics = openStatistics(options, base, operations, closers);
  const stagesOf = createGate({ config, load, security, ...access });
  const onRefusal = watchRefusals({ security, detection, addressOf: access.addressOf });
  const server = createHttpServer(
    {
      ...base,
      observer: statistics.observing(openObserver(base, access, closers)),
      operations,
      stagesOf,
      mounts,
      onRefusal,
      tls: access.tls,
      requestClass: await requestClass(),
      subscriptionOf: subscriptionsIn(access),
      isGathered: (operation) => operation?.id === 'confirmFunds' && base.db.engine === 'postgres',
    },
    load,
  );
  const readiness = closers.add(
    new ReadinessProbe({ ...base, signing: [access.keys, access.webhookKeys] }),
    (each) => each.close(),
  );
  const news = new CoreNews({ ...base, drain: () => void orders?.drain().catch(() => undefined) });
  const managementUrl = isWorker || !listens ? '' : await openManagement(base, readiness, news, closers);
  if (isWorker) shareMetrics(metrics.registry);
  closers.add(server, (each) => each.drain());
  const listenUrl = listens ? await openListener(base, server, access.tls !== undefined) : '';
  site.baseUrl = config.baseUrl ?? listenUrl;
  for (const extension of base.extensions) await extension.listening?.(service);
  await Promise.all([readiness.begin(), statistics.begin()]);
  const started = { url: site.baseUrl, listening: listenUrl, managementUrl, engine: db.engine, version };
  log.info({ ...started, extensions: extensions.map(({ name }) => name) }, 'started');
  return {
    url: site.baseUrl,
    listenUrl,
    managementUrl,
    operations,
    admin: new Admin(base),
    handle: server.handle,
    ...consoleOf(base, closers),
    metrics: () => metrics.registry.metrics(),
    readiness: () => readiness.state(),
    receiveNews: (body) => news.receive(body),
    runJobs: () => jobs.runAll(),
    close: async ({ delayMs = 0 } = {}) => {
      log.info({ delayMs }, 'stopping');
      readiness.stop();
      server.announceEnd();
      await setTimeout(delayMs);
      await closers.close();
    },
  };
};
