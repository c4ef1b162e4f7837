/** `trapeza migrate` and `trapeza doctor`: brings the database up to date; looks whether everything is in order. */
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { sealedKinds, secretStatus } from '../../admin/secret.js';
import { ANCHORS_REMEDY, lacksAnchors, NO_ANCHORS } from '../../certificate/open.js';
import {
  type Config,
  namesStore,
  productionFaults,
  readConfig,
  settings,
  unreadSettings,
} from '../../config/config.js';
import { settingsInForce } from '../../config/in-force.js';
import { SECOND, systemClock } from '../../lib/clock.js';
import { Vault } from '../../lib/vault.js';
import { SigningKeys } from '../../oauth/signing-keys.js';
import type { Db } from '../../store/db.js';
import { poolingFaults, roleFaults, storeFaults } from '../../store/fitness.js';
import { grantsFor } from '../../store/grants.js';
import { extensionOf, migrate, migrationState } from '../../store/migrate.js';
import { openDb } from '../../store/open.js';
import { modeForOthers } from '../../store/private-files.js';
import { APART_MS, serverTime } from '../../store/server-time.js';
import { CommandError, explain, type JsonFlag, print, printJson, printOutcome } from '../output.js';
import { now, withDb } from '../store.js';
import { extensionSealedOf } from '../wings.js';
import { checkBrand } from './brand.js';
import { checkAnchors, checkCertificates, checkRevocation, readIfThere } from './certificates.js';
import { checkDurability } from './durability.js';
import { type Finding, finding, lineOf } from './finding.js';
import { checkDisk, checkHosts, checkModule, checkPaths } from './reach.js';
import { examineStart } from './start.js';

const checkNode = (): Finding => {
  const { node } = process.versions;
  const major = Number(node.split('.')[0]);
  return major >= 22
    ? finding('node', 'ok', node)
    : finding('node', 'warning', `${node} is past its end of life; Node 24 is recommended`);
};

/** What is asked about; without it, both. */
type Target = 'sandbox' | 'production' | undefined;

const forProduction = (check: string, target: Target, lack: string): Finding => {
  if (target === 'production') return finding(check, 'failed', lack);
  if (target === 'sandbox') return finding(check, 'ok', 'enough for the sandbox');
  return finding(check, 'warning', `fine for the sandbox; for production: ${lack}`);
};

const checkConfiguration = (config: Config, target: Target): Finding => {
  const faults = productionFaults(config);
  if (faults.length === 0) return finding('configuration', 'ok', 'complete for production');
  return forProduction('configuration', target, faults.join(' '));
};

/** No fault: there may be a reason. */
const checkExperts = (config: Config): Finding => {
  const changed = settingsInForce(config).filter(({ isExpert, source }) => isExpert && source !== 'default');
  const names = changed.map(({ variable }) => variable);
  return finding(
    'experts',
    'ok',
    names.length === 0
      ? 'no setting for experts is changed'
      : `settings for experts that are changed: ${names.join(', ')}`,
  );
};

/** Files that we create are readable by their owner alone; others are only reported. */
const checkFiles = ({ databaseUrl, dataFolder }: Config): Finding => {
  const store = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined;
  const stores = [...(store ? [store] : []), join(dataFolder, 'core-simulator', 'core-simulator.db')];
  const files = [
    dataFolder,
    join(dataFolder, 'sandbox-secret'),
    ...stores.flatMap((path) => [path, `${path}-wal`, `${path}-shm`]),
  ];
  const open = files.flatMap((path) => {
    const mode = modeForOthers(path);
    return mode === undefined ? [] : [`${path} (${mode})`];
  });
  if (open.length === 0) return finding('files', 'ok', 'for the account that runs the service alone');
  return finding('files', 'warning', `other accounts may use ${open.join(', ')}: chmod go= PATH`);
};

const checkSignatures = (config: Config, target: Target): Finding =>
  lacksAnchors(config)
    ? forProduction('signatures', target, `${NO_ANCHORS}: ${ANCHORS_REMEDY}`)
    : finding('signatures', 'ok', config.signaturePolicy);

const aheadText = (ahead: readonly number[]): string =>
  `the database is ahead by migration ${ahead.join(', ')}, with which this version works`;

const checkStore = async (db: Db, target: Target): Promise<Finding[]> => {
  await db.one('select 1 as one');
  const faults = await (target === 'production' ? storeFaults(db) : roleFaults(db));
  if (faults.length > 0) return faults.map((fault) => finding('database', 'failed', fault));
  const { pending, ahead } = await migrationState(db);
  if (pending.length > 0) {
    return [
      finding('database', 'ok', db.engine),
      finding('migrations', 'failed', `${pending.length} to run: trapeza migrate`),
    ];
  }
  // Late, because the demo data weighs more than all the rest, and `migrate` has no use for it.
  const owner = await extensionOf(db);
  return [
    finding(
      'database',
      'ok',
      `${db.engine}, ${owner === undefined ? 'no demo data' : `with the demo data of the ${owner}`}`,
    ),
    finding('migrations', 'ok', ahead.length === 0 ? 'up to date' : aheadText(ahead)),
  ];
};

/** Only a server of its own can disagree with this machine. */
const checkClock = async (db: Db): Promise<Finding> => {
  const time = await serverTime(db, systemClock);
  if (time === undefined) return finding('clock', 'ok', 'the store has no clock of its own');
  const apartMs = Math.abs(time - systemClock.now());
  const verdict = apartMs <= APART_MS ? 'ok' : 'failed';
  return finding('clock', verdict, `${Math.round(apartMs / SECOND)} s apart from the database`);
};

/** The sandbox makes a secret of its own if none is configured. */
const secretOf = ({ secret, dataFolder }: Config, target: Target): string | undefined =>
  secret ?? (target === 'sandbox' ? readIfThere(join(dataFolder, 'sandbox-secret')) : undefined);

const checkKeys = async (db: Db, config: Config, target: Target): Promise<Finding> => {
  if (config.issuer)
    return finding('signing keys', 'ok', 'tokens come from the configured identity provider');
  const secret = secretOf(config, target);
  const keys = new SigningKeys(db, new Vault(secret ?? ''), systemClock);
  if ((await keys.all()).length === 0)
    return finding('signing keys', 'ok', 'none yet; the service makes one when it starts');
  if (!secret) return finding('signing keys', 'warning', 'not checked: TRAPEZA_SECRET is not set');
  const { key } = await keys.current();
  return finding('signing keys', 'ok', `${key.algorithm} ${key.kid}`);
};

/** Whatever a service would meet one day, at a login for example. */
const checkSealed = async (db: Db, config: Config, target: Target): Promise<Finding> => {
  const secret = secretOf(config, target);
  if (!secret) return finding('sealed values', 'warning', 'not checked: TRAPEZA_SECRET is not set');
  const kinds = [...sealedKinds, ...(await extensionSealedOf(db))];
  const { sealed, unopened } = await secretStatus({ db, vault: new Vault(secret), kinds, now: now() });
  if (unopened > 0) {
    const lost = sealed.filter((each) => each.unopened > 0);
    const each = lost.map((line) => `${line.kind}: ${line.unopened} (secret ${line.version})`);
    return finding(
      'sealed values',
      'failed',
      `TRAPEZA_SECRET does not open ${each.join(', ')}. List the secret that they were sealed under as well (NEW,OLD), then run: trapeza secret reseal`,
    );
  }
  const count = sealed.reduce((sum, each) => sum + each.count, 0);
  const older = sealed.filter(({ state, lastsMs }) => state === 'listed' && lastsMs === undefined);
  if (older.length === 0) return finding('sealed values', 'ok', `${count}, all can be opened`);
  const left = older.reduce((sum, each) => sum + each.count, 0);
  return finding(
    'sealed values',
    'ok',
    `${count}, all can be opened; ${left} need an older secret: trapeza secret status`,
  );
};

const attempt = async (check: string, work: () => Promise<Finding | Finding[]>): Promise<Finding[]> => {
  try {
    return [await work()].flat();
  } catch (error) {
    return [finding(check, 'failed', explain(error))];
  }
};

const examine = async (target: Target): Promise<Finding[]> => {
  const config = readConfig();
  const findings = [
    checkNode(),
    checkConfiguration(config, target),
    ...unreadSettings().map((hint) => finding('settings', 'warning', hint)),
    checkExperts(config),
    checkFiles(config),
    checkBrand(config, target),
    checkSignatures(config, target),
    checkDisk(config),
    ...checkPaths(config),
    ...checkCertificates(config),
    ...(await checkAnchors(config)),
    ...(await checkModule(config)),
    ...(await checkHosts(config)),
  ];
  // The embedded store of this folder would be made, and judged in place of the bank's.
  if (target === 'production' && !namesStore()) return findings;
  const { databaseUrl, databasePooling: pooling } = config;
  const pooled = await poolingFaults(databaseUrl, pooling);
  if (pooled.length > 0)
    return [
      ...findings,
      ...pooled.map((fault) => finding(settings.databasePooling.variable, 'failed', fault)),
    ];
  const db = await openDb(databaseUrl, 1, { pooling });
  try {
    const store = await attempt('database', () => checkStore(db, target));
    findings.push(...store);
    const isUsable = store.every(({ verdict }) => verdict !== 'failed');
    findings.push(...(await checkRevocation(isUsable ? db : undefined, config)));
    if (!isUsable) return findings;
    findings.push(
      ...(await attempt('durability', () => checkDurability(db, target === 'production'))),
      ...(await attempt('clock', () => checkClock(db))),
      ...(await attempt('signing keys', () => checkKeys(db, config, target))),
      ...(await attempt('sealed values', () => checkSealed(db, config, target))),
    );
  } finally {
    await db.close();
  }
  return findings;
};

interface DoctorFlags extends JsonFlag {
  readonly sandbox?: boolean;
  readonly production?: boolean;
  readonly start?: boolean;
}

const targetOf = ({ sandbox, production }: DoctorFlags): Target => {
  if (production) return 'production';
  return sandbox ? 'sandbox' : undefined;
};

interface MigrateFlags extends JsonFlag {
  /** `true`: for the role without a name of its own. */
  readonly grants?: string | true;
}

const SERVING_ROLE = 'trapeza_serve';

const printGrants = async (db: Db, flags: MigrateFlags): Promise<void> => {
  if (db.engine === 'sqlite')
    throw new CommandError('the embedded store has no roles: DATABASE_URL must be postgres://… for --grants');
  const { pending } = await migrationState(db);
  if (pending.length > 0)
    throw new CommandError(`the database lacks ${pending.length} migration(s): run "trapeza migrate" first`);
  const grants = await grantsFor(db, typeof flags.grants === 'string' ? flags.grants : SERVING_ROLE);
  printOutcome(flags, { grants }, grants.join('\n'));
};

const runMigrate = async (db: Db, flags: MigrateFlags): Promise<void> => {
  const ran = await migrate(db, now());
  const line =
    ran.length === 0 ? 'The database is up to date.' : `Ran ${ran.length} migration(s): ${ran.join(', ')}.`;
  printOutcome(flags, { ran }, line);
};

export const registerDoctor = (program: Command): void => {
  program
    .command('migrate')
    .description('bring the database to the shape this version needs')
    .option(
      '--grants [role]',
      `print the rights that the role of the service needs, as SQL (default: ${SERVING_ROLE}); change nothing`,
    )
    .option('--json', 'print JSON')
    .action((flags: MigrateFlags) =>
      withDb((db) => (flags.grants === undefined ? runMigrate(db, flags) : printGrants(db, flags))),
    );
  program
    .command('doctor')
    .description('check configuration, files, hosts, disk, database, clock and keys')
    .addOption(new Option('--sandbox', 'say nothing of what only production needs').conflicts('production'))
    .option('--production', 'what production lacks is a failure, not a warning')
    .addOption(
      new Option('--start', 'only what keeps serve from starting').conflicts(['sandbox', 'production']),
    )
    .option('--json', 'print JSON')
    .action(async (options: DoctorFlags) => {
      const findings = await (options.start ? examineStart() : examine(targetOf(options)));
      if (options.json) printJson(findings);
      else for (const each of findings) print(lineOf(each));
      if (findings.some(({ verdict }) => verdict === 'failed')) process.exitCode = 1;
      // A bank's module may hold connections open, and gets no word that this was all.
      if (options.start) process.exit();
    });
};
