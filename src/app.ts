/** The composition root: configuration to rooms to a running service. The only file that knows every room. */
import { createApi } from './api/index.js';
import { FundsRecords } from './api/piis/funds-records.js';
import { AtmFeed } from './atms/feed.js';
import type { Bank } from './bank/bank.js';
import { createDemoBank } from './bank/demo/demo-bank.js';
import type { Config } from './config.js';
import { clientAddress } from './gate/address.js';
import { createGate } from './gate/gate.js';
import { createLimits } from './gate/limits.js';
import { RequestIds } from './gate/request-ids.js';
import { createManagementServer, type Readiness } from './http/management.js';
import { openApiDocument } from './http/openapi.js';
import type { Operation } from './http/operation.js';
import { createPageServer } from './http/pages.js';
import type { Site } from './http/render.js';
import { createHttpServer, type Load } from './http/server.js';
import { type Clock, systemClock } from './lib/clock.js';
import { Vault } from './lib/vault.js';
import {
  ACCESS_TOKEN_SECONDS,
  issueToken,
  localKeys,
  remoteKeys,
  type TokenRealm,
  TokenVerifier,
} from './oauth/access-token.js';
import { SigningKeys } from './oauth/signing-keys.js';
import { createLog, type Log } from './observe/log.js';
import { createMetrics, type Metrics, shareMetrics } from './observe/metrics.js';
import { createObserver } from './observe/observer.js';
import { demoApplications } from './sandbox/applications.js';
import { SandboxClock } from './sandbox/clock.js';
import { createControls } from './sandbox/controls.js';
import { firstCall } from './sandbox/first-call.js';
import { rehearsable, rehearsingBank } from './sandbox/scenarios.js';
import { isSandboxStore, resetSandbox, seedSandbox } from './sandbox/seed.js';
import type { Db } from './store/db.js';
import { migrate } from './store/migrate.js';
import { openDb } from './store/open.js';
import { Directory } from './tpp/directory.js';
import { version } from './version.js';
import { createPages } from './web/index.js';

export interface AppOptions {
  readonly config: Config;
  readonly mode: 'sandbox' | 'production';
  /** The core banking system; the sandbox has its own. */
  readonly bank?: Bank;
  readonly clock?: Clock;
  readonly log?: Log;
  /** One of several processes on one port: the first process has the management listener and counts the limits. */
  readonly isWorker?: boolean;
}

export interface App {
  readonly url: string;
  readonly managementUrl: string;
  readonly operations: readonly Operation[];
  /** Drains, then closes everything in the reverse order of its opening. */
  close(): Promise<void>;
}

/** Closes what was opened, last first, even if opening stops half-way. */
class Closers {
  readonly #closers: (() => unknown)[] = [];

  add<T>(thing: T, close: (thing: T) => unknown): T {
    this.#closers.push(() => close(thing));
    return thing;
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}

const openStore = async (
  { config, mode }: AppOptions,
  vault: Vault,
  clock: Clock,
  closers: Closers,
): Promise<Db> => {
  const db = closers.add(await openDb(config.databaseUrl, config.databasePool), (each) => each.close());
  await migrate(db, clock.now());
  if (mode === 'sandbox') await seedSandbox(db, vault, clock.now());
  else if (await isSandboxStore(db)) {
    throw new Error(
      'this database holds the demo data and public demo keys of the sandbox: use a database of its own',
    );
  }
  return db;
};

const bankOf = (options: AppOptions, db: Db): Bank => {
  if (options.mode === 'sandbox') return rehearsingBank(options.bank ?? createDemoBank(db));
  if (!options.bank) throw new Error('a production service needs a bank');
  return options.bank;
};

const readinessOf = (db: Db, bank: Bank, load: Load) => async (): Promise<Readiness> => {
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

const openManagement = async (
  config: Config,
  readiness: () => Promise<Readiness>,
  metrics: Metrics,
  closers: Closers,
): Promise<string> => {
  const management = closers.add(createManagementServer(readiness, metrics.registry), (each) => each.close());
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

/** What everything else stands on. */
const openFoundation = async (options: AppOptions, closers: Closers) => {
  const { config, mode, clock = systemClock } = options;
  const log = closers.add(options.log ?? createLog(config.logLevel), (each) => each.flush());
  const load: Load = { inFlight: 0, draining: false };
  const metrics = createMetrics(() => load.inFlight);
  const vault = new Vault(config.secret ?? '');
  const site: Site = { baseUrl: config.baseUrl ?? `http://${config.host}:${config.port}` };
  const db = await openStore(options, vault, clock, closers);
  const observer = createObserver(log, metrics);
  return { config, clock, log, load, metrics, observer, vault, site, db, isSandbox: mode === 'sandbox' };
};
type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Who may call: the directory of keys, the tokens, the limits, the memory of request ids. */
const openAccess = async (base: Foundation, isWorker: boolean, closers: Closers) => {
  const { config, clock, db, vault, site } = base;
  const directory = closers.add(new Directory(db, clock), (each) => each.close());
  await directory.refresh();
  const keys = new SigningKeys(db, vault, clock);
  await keys.ensure();
  const realm = (): TokenRealm => ({
    issuer: config.issuer ?? site.baseUrl,
    audience: config.audience ?? site.baseUrl,
  });
  const jwksUri = config.jwksUri ?? (config.issuer && `${config.issuer}/.well-known/jwks.json`);
  const tokens = new TokenVerifier(jwksUri ? remoteKeys(jwksUri, clock) : localKeys(keys), realm, clock);
  const limits = closers.add(createLimits(config, isWorker), (each) => each.close());
  const addressOf = clientAddress(config.trustedProxies);
  return { directory, keys, realm, tokens, limits, addressOf, requestIds: new RequestIds(db, clock) };
};
type AccessRooms = Awaited<ReturnType<typeof openAccess>>;

/** The operations of the interface; in the sandbox with rehearsals and controls. */
const createOperations = (base: Foundation, access: AccessRooms, bank: Bank): readonly Operation[] => {
  const { clock, db, vault, metrics, site, isSandbox } = base;
  const { directory, keys, realm, requestIds } = access;
  const sandboxClock = new SandboxClock(db, clock);
  const feed = new AtmFeed(db, clock);
  const api = createApi({
    db,
    bank,
    vault,
    feed,
    clock,
    records: new FundsRecords(db, requestIds),
    bankTime: isSandbox ? () => sandboxClock.now() : () => clock.now(),
    onAnswer: (available) => metrics.fundsAnswers.inc({ available: String(available) }),
  });
  if (!isSandbox) return api;
  const controls = createControls({
    db,
    site,
    clock: sandboxClock,
    issue: (claims) => issueToken(keys, realm(), claims, clock),
    tokenSeconds: ACCESS_TOKEN_SECONDS,
    reset: async () => {
      await resetSandbox(db, vault, clock.now());
      await Promise.all([directory.refresh(), feed.refresh()]);
    },
  });
  return [...api.map(rehearsable), ...controls];
};

const openPages = async (base: Foundation, operations: readonly Operation[], closers: Closers) => {
  const { site, isSandbox, observer } = base;
  const pages = createPages({
    operations,
    openApi: () => openApiDocument(operations, { version, serverUrl: site.baseUrl }),
    site,
    isSandbox,
    version,
    firstCall: () => (isSandbox ? firstCall(site.baseUrl, demoApplications) : undefined),
  });
  return closers.add(await createPageServer(pages, { site, observer }), (each) => each.close());
};

const start = async (options: AppOptions, closers: Closers): Promise<App> => {
  const { isWorker = false, mode } = options;
  const base = await openFoundation(options, closers);
  const { config, site, load, log, db, metrics, observer } = base;
  const access = await openAccess(base, isWorker, closers);
  const bank = bankOf(options, db);
  const operations = createOperations(base, access, bank);
  const pages = await openPages(base, operations, closers);
  const stagesOf = createGate({ config, load, ...access });
  const server = createHttpServer({ config, site, operations, stagesOf, pages, observer }, load);
  const readiness = readinessOf(db, bank, load);
  const managementUrl = isWorker ? '' : await openManagement(config, readiness, metrics, closers);
  if (isWorker) shareMetrics(metrics.registry);
  closers.add(server, (each) => each.drain());
  const { port } = await server.listen();
  site.baseUrl = config.baseUrl ?? `http://${config.host}:${port}`;
  log.info({ url: site.baseUrl, managementUrl, mode, engine: db.engine, version }, 'started');
  return {
    url: site.baseUrl,
    managementUrl,
    operations,
    close: async () => {
      log.info({}, 'stopping');
      await closers.close();
    },
  };
};
