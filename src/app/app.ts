/** The composition root: configuration to rooms to a running service. With `app/` the only place that knows every room. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { Admin } from '../admin/admin.js';
import { CoreNews } from '../admin/core-news.js';
import { resealStore, sealedKinds } from '../admin/secret.js';
import { NEWS_PATH } from '../bank/http/contract/news.js';
import { createGate } from '../gate/gate.js';
import type { Maintenance } from '../gate/maintenance.js';
import { watchRefusals } from '../gate/refusals.js';
import type { Mount, MountRoute } from '../http/exchange.js';
import { createManagementServer, type Readiness } from '../http/listeners/management.js';
import { audienceOf, type Operation } from '../http/operation.js';
import { createHttpServer, type HttpServer, type ServerParts } from '../http/server.js';
import type { CallCount } from '../observe/live-calls.js';
import { version } from '../version.js';
import { type AccessRooms, openAccess } from './access.js';
import { type Console, type ConsoleOptions, openConsole } from './console.js';
import { type Foundation, openFoundation } from './foundation.js';
import { openMaintenance } from './maintenance.js';
import { createOperations, openJobs } from './operations.js';
import { type AppOptions, Closers } from './options.js';
import { openOrders } from './orders.js';
import { openMounts } from './pages.js';
import { ReadinessProbe } from './readiness.js';
import { openObserver } from './request-log.js';
import { demandNone, settingFaults } from './start-checks.js';
import { openStatistics } from './statistics.js';

export type { AppOptions };

export interface ServedRoute extends MountRoute {
  readonly listener: 'public' | 'console';
}

export interface App {
  /** The public address, as it stands in links. */
  readonly url: string;
  /** Where this process really listens; empty if it does not. */
  readonly listenUrl: string;
  readonly managementUrl: string;
  /** Of the operator console, as browsers see it; empty if this process has none. */
  readonly consoleUrl: string;
  /** Answers a request of any server of Node's `http` or `https`. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** The operator console for a private server of one's own; `url` is where browsers reach that one. */
  openConsole(options: ConsoleOptions): Promise<Console['handle']>;
  /** Calls of the last minutes, of this process. */
  calls(): readonly CallCount[];
  /** In the text format of Prometheus. */
  metrics(): Promise<string>;
  readonly operations: readonly Operation[];
  /** Everything that is served, and for whom. */
  readonly routes: readonly ServedRoute[];
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

interface Private {
  readonly managementUrl: string;
  readonly consoleUrl: string;
  readonly consoleRoutes: readonly MountRoute[];
}

/** The two listeners that are not for third parties: one that parses nothing, and the console. */
const openPrivate = async (
  base: Foundation,
  { operatorTls: tls }: Pick<AccessRooms, 'operatorTls'>,
  readiness: ReadinessProbe,
  news: CoreNews,
  closers: Closers,
): Promise<Private> => {
  const { config, metrics, security } = base;
  const { coreNewsToken: token } = config;
  const call = token && {
    path: NEWS_PATH,
    token,
    receive: (body: unknown) => news.receive(body),
    onRefused: () => security.event('key-refused', { reason: 'core-news' }),
  };
  const operatorConsole = await openConsole(base, closers, { calls: async () => base.calls.list(), tls });
  const consoleUrl = await operatorConsole.listen();
  const management = createManagementServer({
    readiness: () => readiness.state(),
    registry: metrics.registry,
    connections: base.connectionsOf('management'),
    call: call || undefined,
    consoleUrl,
  });
  closers.add(management, (each) => each.close());
  const { port } = await management.listen(config.managementHost, config.managementPort);
  base.reach.ownPorts.add(port);
  const managementUrl = `http://${config.managementHost}:${port}`;
  return { managementUrl, consoleUrl, consoleRoutes: operatorConsole.routes };
};

const openListener = async (
  { config, reach }: Foundation,
  server: Pick<HttpServer, 'listen'>,
  hasTls: boolean,
): Promise<string> => {
  const { port } = await server.listen();
  reach.ownPorts.add(port);
  return `${hasTls ? 'https' : 'http'}://${config.host}:${port}`;
};

const consoleOf = (base: Foundation, closers: Closers): Pick<App, 'openConsole' | 'calls'> => ({
  openConsole: async (wanted) => (await openConsole(base, closers, wanted)).handle,
  calls: () => base.calls.list(),
});

/** Third parties by their subscription; who has none, such as a browser, by the source. */
const sharersIn =
  (
    { sourceOf }: Pick<Foundation, 'sourceOf'>,
    { directory }: Pick<AccessRooms, 'directory'>,
  ): ServerParts['sharerOf'] =>
  (request) =>
    directory.subscriptionOf(request.headers['ocp-apim-subscription-key']) || sourceOf(request);

const openServer = async (
  base: Foundation,
  access: AccessRooms,
  {
    maintenance,
    ...served
  }: Pick<ServerParts, 'operations' | 'mounts' | 'observer'> & {
    readonly maintenance: Maintenance;
  },
): Promise<HttpServer> => {
  const { config, load, security, detection, guard, sourceOf } = base;
  return createHttpServer(
    {
      ...base,
      ...served,
      stagesOf: createGate({ config, load, security, guard, sourceOf, maintenance, ...access }),
      onRefusal: watchRefusals({ security, detection, sourceOf }),
      tls: access.tls,
      connections: base.connectionsOf('public'),
      sharerOf: sharersIn(base, access),
      isGathered: (operation) => operation?.id === 'confirmFunds' && base.db.engine === 'postgres',
    },
    load,
  );
};

const routesOf = (
  operations: readonly Operation[],
  mounts: readonly Mount[],
  consoleRoutes: readonly MountRoute[],
): readonly ServedRoute[] => [
  ...operations.map((each) => ({ ...each, listener: 'public' as const, audience: audienceOf(each) })),
  ...mounts.flatMap(({ routes }) => routes.map((each) => ({ ...each, listener: 'public' as const }))),
  ...consoleRoutes.map((each) => ({ ...each, listener: 'console' as const })),
];

export const startApp = async (options: AppOptions): Promise<App> => {
  demandNone(await settingFaults(options));
  const closers = new Closers();
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
};

/** The store of a guest has no operator who could. */
const resealGuest = async (
  { isGuest = false, extensions = [] }: AppOptions,
  { db, vault, clock }: Foundation,
): Promise<void> => {
  if (!isGuest || vault.fingerprints.length === 1) return;
  const kinds = [...sealedKinds, ...extensions.flatMap(({ sealed = [] }) => sealed)];
  await resealStore({ db, vault, kinds, now: clock.now() });
};

const start = async (options: AppOptions, closers: Closers): Promise<App> => {
  const { listens = true, extensions = [] } = options;
  const base = await openFoundation(options, closers);
  const { config, site, log, db, metrics } = base;
  await resealGuest(options, base);
  const access = await openAccess(base, closers);
  const orders = openOrders(base, closers);
  const made = createOperations(base, access, orders, closers);
  const { operations, service, feed } = made;
  // Open data goes on while the store is away, also if that is so from the first call on.
  await feed.refresh();
  const jobs = openJobs(base, access, orders, closers);
  const mounts = await openMounts(base, access, made, closers);
  metrics.requests.expect(['none', ...operations.map(({ id }) => id), ...mounts.map(({ name }) => name)]);
  const statistics = openStatistics(options, base, operations, closers);
  const observer = statistics.observing(openObserver(base, access, closers));
  const maintenance = await openMaintenance(options, base, closers);
  const server = await openServer(base, access, { operations, mounts, observer, maintenance });
  const probe = new ReadinessProbe({ ...base, maintenance, signing: [access.keys, access.webhookKeys] });
  const readiness = closers.add(probe, (each) => each.close());
  const news = new CoreNews({ ...base, drain: () => void orders?.drain().catch(() => undefined) });
  const { managementUrl, consoleUrl, consoleRoutes } = listens
    ? await openPrivate(base, access, readiness, news, closers)
    : { managementUrl: '', consoleUrl: '', consoleRoutes: [] };
  closers.add(server, (each) => each.drain());
  const listenUrl = listens ? await openListener(base, server, access.tls !== undefined) : '';
  site.baseUrl = config.baseUrl ?? listenUrl;
  for (const extension of base.extensions) await extension.listening?.(service);
  await Promise.all([readiness.begin(), statistics.begin()]);
  const started = {
    url: site.baseUrl,
    listening: listenUrl,
    managementUrl,
    consoleUrl,
    engine: db.engine,
    version,
  };
  log.info({ ...started, extensions: extensions.map(({ name }) => name) }, 'started');
  return {
    url: site.baseUrl,
    listenUrl,
    managementUrl,
    consoleUrl,
    routes: routesOf(operations, mounts, consoleRoutes),
    operations,
    admin: new Admin({ ...base, db: base.unguarded }),
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
      log.info({}, 'stopped');
      log.flush();
    },
  };
};
