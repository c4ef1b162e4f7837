/** What everything else stands on: log, metrics, store, secrets, the bank and its time. */
import type { AccountHolders } from '../bank/account-holders.js';
import type { HeldBank } from '../bank/bank.js';
import { createDemoBank, type DemoBankTime } from '../bank/demo/demo-bank.js';
import { demoAccountHolders } from '../bank/demo/demo-identity.js';
import { loginsInTurn } from '../bank/guard/logins-in-turn.js';
import { forHolders } from '../bank/guard/memberships.js';
import { dependableBank, dependableHolders, missingInBank, missingInHolders } from '../bank/guard/module.js';
import type { Core } from '../bank/http/open-core.js';
import type { OpenIdLogin } from '../bank/openid/openid-login.js';
import { TestSystem } from '../bank/test-system.js';
import { type Config, ConfigError } from '../config.js';
import { Announcer, announcing } from '../events/announce.js';
import { Load } from '../http/listeners/load.js';
import type { Site } from '../http/render.js';
import { type Clock, systemClock } from '../lib/clock.js';
import { Vault } from '../lib/vault.js';
import { Detection } from '../observe/detection.js';
import { createLog, type Log } from '../observe/log.js';
import { createMetrics, type Metrics } from '../observe/metrics.js';
import { createObserver } from '../observe/observer.js';
import { SecurityEvents } from '../observe/security-events.js';
import { createStoreWatch, showStore } from '../observe/store-metrics.js';
import { SandboxClock } from '../sandbox/clock.js';
import { rehearsingBank } from '../sandbox/scenarios.js';
import { isSandboxStore, type SeedParts, seedSandbox } from '../sandbox/seed.js';
import type { Db } from '../store/db.js';
import { migrate, migrationState } from '../store/migrate.js';
import { openDb } from '../store/open.js';
import { openConfiguredCore } from './core.js';
import type { AppOptions, Closers } from './options.js';

/** What the sandbox is filled with, at its first start and at every reset. */
export const seedParts = (
  { timeZone, demoMonths, demoVolume }: Config,
  vault: Vault,
  clock: Clock,
  tell: SeedParts['tell'] = () => undefined,
): SeedParts => ({
  vault,
  nowMs: clock.now(),
  timeZone,
  months: demoMonths,
  volume: demoVolume,
  tell,
});

/** While an upgrade is rolled out, or after it was taken back. */
const AHEAD = 'the database has migrations of a newer version, with which this one works';

const openStore = async (
  { config, mode, tell }: AppOptions,
  vault: Vault,
  clock: Clock,
  log: Log,
  registry: Metrics['registry'],
  closers: Closers,
): Promise<Db> => {
  const { databaseUrl, databasePool, statementMs, databasePooling: pooling } = config;
  const watch = createStoreWatch(registry);
  const db = closers.add(await openDb(databaseUrl, databasePool, { statementMs, pooling, watch }), (each) =>
    each.close(),
  );
  showStore(registry, db, databaseUrl);
  await migrate(db, clock.now());
  const { ahead } = await migrationState(db);
  if (ahead.length > 0) log.warn({ ahead }, AHEAD);
  if (mode === 'sandbox') await seedSandbox(db, seedParts(config, vault, clock, tell));
  else if (await isSandboxStore(db)) {
    throw new Error(
      'this database holds the demo data and public demo keys of the sandbox: use a database of its own',
    );
  }
  return db;
};

const bankOf = (
  options: AppOptions,
  core: Core | undefined,
  db: Db,
  bankTime: DemoBankTime['bankTime'],
  clock: Clock,
): HeldBank => {
  const { timeZone, deadlineMs } = options.config;
  const elsewhere = options.bank ? dependableBank(options.bank, deadlineMs) : core?.bank;
  const bank = elsewhere && forHolders(elsewhere, clock);
  if (options.mode === 'sandbox') return rehearsingBank(bank ?? createDemoBank(db, { bankTime, timeZone }));
  if (!bank) throw new Error('a production service needs a bank');
  return bank;
};

/** Logins of a bank's module at once: what one of them costs is not known. */
const MODULE_LOGINS = 16;

/** A core over HTTP has turns of its own. */
const knownHolders = (
  { accountHolders, mode, config }: AppOptions,
  core: Core | undefined,
  db: Db,
  clock: Clock,
): AccountHolders | undefined => {
  if (accountHolders)
    return loginsInTurn(dependableHolders(accountHolders, config.deadlineMs), MODULE_LOGINS);
  return core?.accountHolders ?? (mode === 'sandbox' ? demoAccountHolders(db, clock) : undefined);
};

/** With a login of the bank's own, ours refuses everybody; the one-time codes stay where they were. */
const holdersOf = (
  options: AppOptions,
  core: Core | undefined,
  db: Db,
  clock: Clock,
): AccountHolders | undefined => {
  const holders = knownHolders(options, core, db, clock);
  if (!holders || !options.config.loginIssuer) return holders;
  return {
    login: async () => ({ kind: 'refused' }),
    challenge: (psuId, context) => holders.challenge(psuId, context),
    verify: (psuId, challengeId, context, code) => holders.verify(psuId, challengeId, context, code),
  };
};

const openIdOf = async (
  { config }: AppOptions,
  vault: Vault,
  clock: Clock,
): Promise<OpenIdLogin | undefined> => {
  const { loginIssuer: issuer, loginClientId: clientId, loginClientSecret: clientSecret } = config;
  if (!issuer || !clientId || !clientSecret) return undefined;
  const { OpenIdLogin } = await import('../bank/openid/openid-login.js');
  return new OpenIdLogin({ issuer, clientId, clientSecret }, vault, clock);
};

const NO_TEST_SYSTEM =
  'the core behind this sandbox does not say that it is a test system (GET /health with "test": true): its accounts may be real, so the sandbox neither decides in the place of account holders nor gives out tokens';

/** A module that lacks a method is told so now, not by the first customer who needs it. */
const checkPorts = ({ bank, accountHolders }: AppOptions): void => {
  const missing = [
    ...(bank === undefined ? [] : missingInBank(bank)),
    ...(accountHolders === undefined ? [] : missingInHolders(accountHolders)),
  ];
  if (missing.length > 0)
    throw new ConfigError(
      missing.map((each) => `${each}: docs/operating.md shows what a bank's module has.`),
    );
};

export const openFoundation = async (options: AppOptions, closers: Closers) => {
  checkPorts(options);
  const { config, mode, clock = systemClock } = options;
  const isSandbox = mode === 'sandbox';
  const log = closers.add(options.log ?? createLog(config.logLevel), (each) => each.flush());
  const load = new Load(config.maxInFlight);
  const metrics = createMetrics(() => load.inFlight);
  const vault = new Vault(config.secret ?? '');
  const security = new SecurityEvents({ log, registry: metrics.registry, key: vault.eventKey });
  const scheme = config.tlsCertificate === undefined ? 'http' : 'https';
  const site: Site = { baseUrl: config.baseUrl ?? `${scheme}://${config.host}:${config.port}` };
  const announcer = new Announcer();
  const db = announcing(await openStore(options, vault, clock, log, metrics.registry, closers), announcer);
  const sandboxClock = new SandboxClock(db, clock);
  const bankTime = isSandbox ? () => sandboxClock.now() : async () => clock.now();
  const core = await openConfiguredCore({ config, db, log, metrics, bankTime, isSandbox }, closers);
  const testSystem = new TestSystem(core ? () => core.isTest() : async () => isSandbox, clock);
  if (isSandbox && !(await testSystem.isTest())) log.warn({}, NO_TEST_SYSTEM);
  return {
    config,
    clock,
    log,
    load,
    metrics,
    observer: createObserver(log, metrics),
    security,
    detection: new Detection(security),
    vault,
    site,
    db,
    announcer,
    isSandbox,
    testSystem,
    core,
    bank: bankOf(options, core, db, bankTime, clock),
    sandboxClock,
    bankTime,
    accountHolders: holdersOf(options, core, db, clock),
    openId: await openIdOf(options, vault, clock),
  };
};

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;
