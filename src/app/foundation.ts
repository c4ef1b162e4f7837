/** What everything else stands on: log, metrics, store, secrets, the bank and its time. */
import { AuditLog } from '../audit/audit-log.js';
import { SecurityRecorder } from '../audit/security-recorder.js';
import type { AccountHolders } from '../bank/account-holders.js';
import type { HeldBank } from '../bank/bank.js';
import { loginsInTurn, withLogin } from '../bank/guard/logins-in-turn.js';
import { forHolders } from '../bank/guard/memberships.js';
import { dependableBank, dependableHolders } from '../bank/guard/module.js';
import type { Core } from '../bank/http/open-core.js';
import type { OpenIdLogin } from '../bank/openid/openid-login.js';
import { CONFIRMED } from '../bank/openid/step-up-state.js';
import { ConfigError } from '../config/config.js';
import { BankNotes } from '../consent/bank-data.js';
import { Announcer, announcing } from '../events/announce.js';
import { Guard } from '../gate/guard/guard.js';
import { sourceOf } from '../gate/source.js';
import { Load } from '../http/listeners/load.js';
import type { Site } from '../http/render.js';
import { type Clock, systemClock } from '../lib/clock.js';
import { Vault } from '../lib/vault.js';
import { Detection } from '../observe/detection.js';
import { LiveCalls } from '../observe/live-calls.js';
import { createLog } from '../observe/log.js';
import { createMetrics, type Metrics } from '../observe/metrics.js';
import { createObserver } from '../observe/observer.js';
import { SecurityEvents } from '../observe/security-events.js';
import { tracedStore } from '../observe/trace/traced-store.js';
import type { Db } from '../store/db.js';
import { neutralBrand } from '../web/brand/brand.js';
import { connectionRules } from './connections.js';
import { openConfiguredCore } from './core.js';
import { bankTimeIn, type Extension, type ExtensionBase, type OpenExtension } from './extension.js';
import type { AppOptions, Closers } from './options.js';
import { reachOf } from './reach.js';
import { ownBrand } from './start-checks.js';
import { openStore } from './store.js';
import { createClockMetrics, StoreClock, type StoreClockParts } from './store-clock.js';
import { openTracer } from './tracing.js';

/** Of the calls of a core that may be made at once. */
const BESIDE = 0.25;

const bankOf = (
  { config, bank: module }: AppOptions,
  core: Core | undefined,
  opened: readonly OpenExtension[],
  clock: Clock,
): HeldBank => {
  const configured = module ? dependableBank(module, config.deadlineMs) : core?.bank;
  const bank = configured
    ? forHolders(configured, clock, Math.floor(config.coreMaxCalls * BESIDE))
    : firstOf(opened, 'bank');
  if (!bank) throw new ConfigError(['a service needs a bank: set TRAPEZA_CORE_URL or TRAPEZA_BANK_MODULE.']);
  return opened.reduce((wrapped, { wrapBank }) => wrapBank?.(wrapped) ?? wrapped, bank);
};

/** Logins of a bank's module at once: what one of them costs is not known. */
const MODULE_LOGINS = 16;

/** A core over HTTP has turns of its own. */
const knownHolders = (
  { accountHolders, config }: AppOptions,
  core: Core | undefined,
  opened: readonly OpenExtension[],
): AccountHolders | undefined => {
  if (accountHolders)
    return loginsInTurn(dependableHolders(accountHolders, config.deadlineMs), MODULE_LOGINS);
  return core?.accountHolders ?? firstOf(opened, 'accountHolders');
};

/** With the bank's own login, ours refuses everyone; one-time codes do not change. */
const holdersOf = (
  options: AppOptions,
  core: Core | undefined,
  opened: readonly OpenExtension[],
  { openId, stepUp }: OpenIdParts,
): AccountHolders | undefined => {
  const holders = knownHolders(options, core, opened);
  if (!holders || !openId) return holders;
  return withLogin(stepUp?.(holders) ?? holders, async () => ({ kind: 'refused' }));
};

interface OpenIdParts {
  readonly openId: OpenIdLogin | undefined;
  /** Adds the confirmation there to what the bank offers. */
  readonly stepUp?: (holders: AccountHolders) => AccountHolders;
}

const openIdOf = async (
  { config, vault, clock, site }: Pick<ExtensionBase, 'config' | 'vault' | 'clock' | 'site'>,
  security: SecurityEvents,
): Promise<OpenIdParts> => {
  const { loginIssuer: issuer, loginClientId: clientId, loginClientSecret: clientSecret } = config;
  if (!issuer || !clientId || !clientSecret) return { openId: undefined };
  const { OpenIdLogin } = await import('../bank/openid/openid-login.js');
  const openId = new OpenIdLogin({ issuer, clientId, clientSecret }, vault, clock);
  const { loginAcrValues: acrValues } = config;
  if (!acrValues) return { openId };
  const { OpenIdStepUp, withStepUp } = await import('../bank/openid/step-up.js');
  const stepUp = new OpenIdStepUp({
    provider: () => openId.provider(),
    acrValues,
    callback: () => `${site.baseUrl}${CONFIRMED}`,
    vault,
    clock,
    onRefused: (reason, personId) => security.event('confirmation-refused', { reason, personId }),
  });
  return { openId, stepUp: (holders) => withStepUp(holders, stepUp) };
};

/** The member of the first extension that has it. */
const firstOf = <Name extends keyof OpenExtension>(
  opened: readonly OpenExtension[],
  name: Name,
): OpenExtension[Name] | undefined => opened.find((each) => each[name] !== undefined)?.[name];

const openTimes = async (
  extensions: readonly Extension[],
  { metrics, ...parts }: Pick<StoreClockParts, 'db' | 'clock' | 'log'> & { readonly metrics: Metrics },
  closers: Closers,
) => {
  const doubtsGaps = !extensions.some((each) => each.bankTime);
  const storeClock = closers.add(await StoreClock.open({ ...parts, doubtsGaps }), (each) => each.close());
  createClockMetrics(metrics.registry, storeClock);
  return {
    storeClock,
    bankTime: bankTimeIn(extensions, parts.db, storeClock),
    /** For what ends or deletes: by the earlier of both clocks. */
    endingTime: bankTimeIn(extensions, parts.db, storeClock.earlier),
  };
};

export const openFoundation = async (options: AppOptions, closers: Closers) => {
  const { config, clock = systemClock, extensions = [], tell = () => undefined } = options;
  const brand = ownBrand(config);
  const log = closers.add(options.log ?? createLog(config.logLevel, { node: config.node }), (each) =>
    each.flush(),
  );
  const load = new Load(config);
  const metrics = createMetrics(() => load.inFlight, !options.isGuest);
  const vault = new Vault(config.secret ?? '');
  const audit = new AuditLog(() => vault);
  const [{ key }] = vault.keys('security-event');
  const security = new SecurityEvents({ log, registry: metrics.registry, key });
  const scheme = config.tlsCertificate === undefined ? 'http' : 'https';
  const site: Site = { baseUrl: config.baseUrl ?? `${scheme}://${config.host}:${config.port}` };
  const announcer = new Announcer();
  const tracer = openTracer(config, metrics, closers);
  const { store, continuity } = await openStore(options, { clock, log, metrics }, closers);
  const dressed = (each: Db): Db => announcing(tracer ? tracedStore(each, tracer) : each, announcer);
  const db = dressed(continuity?.guard(store) ?? store);
  const unguarded = dressed(store);
  const source = sourceOf(config.trustedProxies);
  const guard = new Guard({ config, clock, db: unguarded, vault, security, sourceOf: source });
  const recorder = closers.add(new SecurityRecorder({ db, audit, clock, log }), (each) => each.close());
  security.listen((kind, facts) => recorder.record(kind, facts));
  const isTest = extensions.some((each) => each.isTest);
  const times = await openTimes(extensions, { db, clock, log, metrics }, closers);
  const notes = new BankNotes(db);
  const core = await openConfiguredCore({ config, notes, log, metrics, ...times, isTest, tracer }, closers);
  const opened: OpenExtension[] = [];
  const reach = reachOf(options, isTest, opened);
  const about = { log, vault, db, site, security, core, brand, tell, reach, guard, sourceOf: source };
  const base = { config, clock, ...times, ...about };
  const calls = new LiveCalls(clock);
  const seen = createObserver(log, metrics, calls);
  const observer = tracer?.observing(seen) ?? seen;
  const openId = await openIdOf(base, security);
  for (const extension of extensions)
    opened.push(closers.add(await extension.open(base), (each) => each.close?.()));
  return {
    ...base,
    notes,
    audit,
    continuity,
    /** For operators, who look at a store that has forgotten something, too. */
    unguarded,
    connectionsOf: connectionRules(config, metrics.registry),
    load,
    metrics,
    calls,
    observer,
    tracer,
    detection: new Detection(security),
    announcer,
    isTest,
    extensions: opened,
    dress: brand ?? firstOf(opened, 'brand') ?? neutralBrand(),
    bank: bankOf(options, core, opened, clock),
    accountHolders: holdersOf(options, core, opened, openId),
    openId: openId.openId,
  };
};

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;
