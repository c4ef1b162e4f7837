/** The sandbox as an extension of the service: a demo bank with its people, controls, a third party and a test authority. */

import { dateAt, type Operation, SECOND, version } from 'trapeza/base';
import {
  ACCESS_TOKEN_SECONDS,
  type DeveloperPortal,
  type Extension,
  type ExtensionBase,
  type ExtensionParts,
  type OpenExtension,
  type PageParts,
} from 'trapeza/extend';
import { frameOf, replyOf } from 'trapeza/pages';
import { walkthroughAddresses } from './applications.js';
import { createResponder } from './authority/responder.js';
import { demoBrand } from './bank/brand.js';
import { createDemoBank } from './bank/demo-bank.js';
import { demoAccountHolders } from './bank/demo-identity.js';
import { DemoLife } from './bank/living/demo-life.js';
import { openWays, type Ways } from './bank/ways.js';
import { SandboxClock } from './clock.js';
import { type ControlParts, createControls } from './controls.js';
import { decideConsent } from './decision.js';
import { demoOperator } from './demo-operator.js';
import { createPortalPages } from './developers/portal-pages.js';
import { signUpOperation } from './developers/sign-up-operation.js';
import { hasTenancy, Tenancy } from './developers/tenancy.js';
import { sandboxJobs } from './jobs.js';
import { sandboxMigrations } from './migrations/index.js';
import { registerOwnApplication } from './own-applications.js';
import { pageAdditions } from './pages/additions.js';
import { createBankLoginPages } from './pages/bank-login-page.js';
import { credentialsPage } from './pages/credentials-page.js';
import { createDevicePages } from './pages/devices-page.js';
import { createPhonePages } from './pages/phone-page.js';
import { type Catalogue, scenariosPages } from './pages/scenarios-page.js';
import { type PeopleParts, peopleControls } from './people-control.js';
import { createCertificateControls } from './pki/certificates.js';
import { authorityRows, PKI_PATH, SandboxAuthority } from './pki/sandbox-authority.js';
import { checkSignedRequest } from './pki/signature-check.js';
import { portalHelp } from './portal-help.js';
import { settleApplications } from './registration.js';
import { openRoster, type Roster } from './roster.js';
import { createRehearsal } from './scenarios/rehearsal.js';
import { resetSandbox, type SeedParts, seedSandbox } from './seed.js';
import { demandTestCore, TestSystem } from './test-system.js';
import { openDemoTpp, openReturnPage } from './third-party.js';
import { walkRows } from './tpp/walks.js';

/** Operations that are described, never called: their parts are not needed. */
const described = <T>(create: (parts: never) => T): T => create({ hasOrders: true } as never);

const describe = (api: readonly Operation[]): readonly Operation[] => [
  ...api.map(described(createRehearsal).rehearsable),
  ...createControls({} as never, [
    described(signUpOperation),
    described(registerOwnApplication),
    described(decideConsent),
    ...described(createCertificateControls),
    described(checkSignedRequest),
    ...described(peopleControls),
  ]),
];

const seedParts = ({ config, vault, clock, tell }: ExtensionBase, roster: Roster): SeedParts => ({
  vault,
  nowMs: clock.now(),
  timeZone: config.timeZone,
  months: config.demoMonths,
  volume: config.demoVolume,
  own: (queries) => roster.own(queries),
  tell,
});

/** Named with its port, so that it may be this machine. */
const hostOf = (baseUrl: string): string => {
  const { protocol, hostname, port } = new URL(baseUrl);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
};

interface Parts {
  readonly base: ExtensionBase;
  readonly roster: Roster;
  readonly time: SandboxClock;
  /** Absent in front of a core, which has books of its own. */
  readonly life: DemoLife | undefined;
  readonly testSystem: TestSystem;
  readonly ways: Ways;
  readonly authority: SandboxAuthority;
  readonly rehearsal: ReturnType<typeof createRehearsal>;
  /** The demo third party needs our own authorization server. */
  readonly hasDemoTpp: boolean;
  /** Absent in the sandbox of a developer: there is one below another. */
  readonly tenancy: Tenancy | undefined;
  /** It is the sandbox of a developer. */
  readonly isOwn: boolean;
}

const catalogueOf = ({ base, rehearsal, roster }: Parts): Catalogue => ({
  operations: () => rehearsal.known(),
  people: () => roster.current,
  hasOrders: !base.core,
});

const additionsTo = (parts: Parts, isTestBank: boolean) => {
  const { base, roster, hasDemoTpp, tenancy, isOwn } = parts;
  return pageAdditions({
    people: roster.current,
    catalogue: catalogueOf(parts),
    isTestBank,
    hasDemoTpp,
    hasPortal: tenancy !== undefined || isOwn,
    isOwn,
    ...(base.core ? { facilityOf: (lang) => base.brand?.name(lang) ?? 'Trapeza' } : {}),
  });
};

/** Without the demo people it is the sandbox in front of a bank of its own. */
const showCredentials =
  (parts: Parts): ControlParts['credentialsPage'] =>
  (credentials) => {
    const { baseUrl } = parts.base.site;
    const additions = additionsTo(parts, credentials.psus.length > 0);
    return replyOf(credentialsPage(frameOf(baseUrl, version, additions), credentials));
  };

const operationsOf = (
  parts: Parts,
  { directory, bank, signatures, issueToken, refreshAtms }: ExtensionParts,
  api: readonly Operation[],
): readonly Operation[] => {
  const { base, roster, time, life, testSystem, authority, tenancy } = parts;
  const { config, db, site, core } = base;
  const find = (key: string) => directory.find(key);
  const reset: PeopleParts['reset'] = async (isLate, first) => {
    await resetSandbox(db, seedParts(base, roster), { baseUrl: site.baseUrl, isLate, first });
    await core?.resetSimulator();
    await Promise.all([directory.refresh(), refreshAtms(), roster.read()]);
  };
  const controlParts: ControlParts = {
    db,
    site,
    clock: time,
    testSystem,
    people: () => roster.read(),
    find,
    issue: issueToken,
    tokenSeconds: ACCESS_TOKEN_SECONDS,
    credentialsPage: showCredentials(parts),
    life,
    reset,
  };
  const signatureCheck = checkSignedRequest({
    signatures,
    policy: config.signaturePolicy,
    find,
    operations: api,
  });
  return [
    ...api.map(parts.rehearsal.rehearsable),
    ...createControls(controlParts, [
      ...(tenancy ? [signUpOperation(tenancy)] : []),
      registerOwnApplication({ ...base, now: () => base.clock.now() }),
      decideConsent({ db, bank, clock: time, testSystem, regime: config.regime, vault: base.vault }),
      ...createCertificateControls({ authority, db, now: () => base.clock.now() }),
      signatureCheck,
      // A core has people of its own.
      ...(core ? [] : peopleControls({ reset, today: () => dateAt(base.clock.now(), config.timeZone) })),
    ]),
  ];
};

const pagesOf = (sandboxParts: Parts, parts: PageParts) => {
  const { base, ways, roster, authority, hasDemoTpp, tenancy } = sandboxParts;
  const demoTpp = hasDemoTpp ? openDemoTpp(parts, () => roster.current) : undefined;
  const responder = createResponder({
    authority: () => authority.authority(),
    issued: () => authority.issued(),
    clock: base.clock,
    prefix: PKI_PATH,
  });
  return {
    pages: [
      ...(demoTpp?.pages ?? []),
      openReturnPage(parts, () => roster.read()),
      ...(tenancy ? createPortalPages({ ...parts, tenancy }) : []),
      ...scenariosPages({ ...catalogueOf(sandboxParts), frame: parts.frame }),
      // A core has people and phones of its own.
      ...(base.core ? [] : createPhonePages({ ...base, frame: parts.frame })),
      ...(base.core ? [] : createDevicePages({ ...base, frame: parts.frame, ...ways })),
      ...(ways.openId ? createBankLoginPages(ways.openId, parts.frame) : []),
    ],
    mounts: [...(demoTpp ? [demoTpp.mount] : []), ...(tenancy ? [tenancy.mount] : []), responder],
  };
};

const AT_START_MS = 2 * SECOND;

const livingBank = ({ db, config: { timeZone } }: ExtensionBase, time: SandboxClock): DemoLife =>
  new DemoLife({ db, timeZone, today: async (queries) => dateAt(await time.nowIn(queries), timeZone) });

/** The sandbox of one developer. */
const ownSandbox = (portal: DeveloperPortal): Extension => ({
  ...sandbox,
  open: async (base) => {
    const help = portalHelp({ ...base, authority: new SandboxAuthority(base) });
    return { ...(await openSandbox(base, 'own')), portal: { ...help, ...portal } };
  },
});

const openSandbox = async (
  base: ExtensionBase,
  place: Tenancy | 'own' | undefined,
): Promise<OpenExtension> => {
  const tenancy = place === 'own' ? undefined : place;
  const { config, clock, db, site, core } = base;
  await demandTestCore(base);
  const roster = await openRoster(base);
  await seedSandbox(db, seedParts(base, roster));
  await roster.read();
  const time = new SandboxClock(db, base.storeClock);
  const testSystem = new TestSystem(core ? () => core.isTest() : async () => true, clock);
  await testSystem.isTest();
  const life = core ? undefined : livingBank(base, time);
  await life?.catchUp(AT_START_MS);
  const ways = openWays(base);
  const authority = new SandboxAuthority(base);
  const hasDemoTpp = !config.issuer;
  const rehearsal = createRehearsal({ deadlineMs: config.deadlineMs, site, hasOrders: core === undefined });
  const parts: Parts = {
    base,
    roster,
    time,
    life,
    testSystem,
    ways,
    authority,
    rehearsal,
    hasDemoTpp,
    tenancy,
    isOwn: place === 'own',
  };
  return {
    bank: createDemoBank(db, { bankTime: base.bankTime, timeZone: config.timeZone }, rehearsal.orderWish),
    wrapBank: rehearsal.wrapBank,
    accountHolders: demoAccountHolders(db, clock, { ...ways, pauseClock: time }),
    trust: { anchors: authority, hosts: () => [hostOf(site.baseUrl)], issuesToAnybody: true },
    beforeEffect: rehearsal.beforeEffect,
    operations: (service, api) => operationsOf(parts, service, api),
    pages: (service) => pagesOf(parts, service),
    receivers: () => [walkthroughAddresses(site.baseUrl).webhookUrl],
    jobs: sandboxJobs({ db, clock, life, roster, tenancy }),
    additions: () => additionsTo(parts, testSystem.isKnown),
    demoOperator,
    // The pages of another bank are not in the dress of the demo bank.
    ...(core ? {} : { brand: demoBrand }),
    listening: async ({ directory }) => {
      await settleApplications(db, site.baseUrl, clock.now());
      await directory.refresh();
    },
    ...(tenancy ? { close: () => tenancy.close() } : {}),
  };
};

export const sandbox: Extension = {
  name: 'sandbox',
  isTest: true,
  migrations: sandboxMigrations,
  sealed: [authorityRows, walkRows],
  bankTime(db, clock) {
    const time = new SandboxClock(db, clock);
    return () => time.now();
  },
  findPerson: async (db, name) =>
    (await db.one<{ id: string }>('select id from demo_psus where username = ?', [name]))?.id,
  describe,
  open: (base) => openSandbox(base, hasTenancy(base) ? new Tenancy(base, ownSandbox) : undefined),
};
