/** `trapeza doctor --start`: whether `serve` would refuse these settings, by the checks that it makes itself. */
import { createServer, type ListenOptions } from 'node:net';
import type { AppOptions } from '../../app/options.js';
import { keptKeyFaults, settingChecks, signingFaults } from '../../app/start-checks.js';
import { type Config, ConfigError, readConfig } from '../../config/config.js';
import { settings } from '../../config/settings.js';
import { systemClock } from '../../lib/clock.js';
import { Vault } from '../../lib/vault.js';
import { keyPurposes, SigningKeys } from '../../oauth/signing-keys.js';
import type { Db } from '../../store/db.js';
import { poolingFaults, storeFaults } from '../../store/fitness.js';
import { migrationState } from '../../store/migrate.js';
import { openDb } from '../../store/open.js';
import { explain } from '../output.js';
import { productionOptions } from '../serve.js';
import { type Finding, finding } from './finding.js';

const GOOD = 'serve starts with it';

const foundBy = async (
  check: string,
  work: () => Promise<readonly string[]>,
  good = GOOD,
): Promise<Finding> => {
  const faults = await work().catch((error: unknown) =>
    error instanceof ConfigError ? error.faults : [explain(error)],
  );
  return finding(check, faults.length === 0 ? 'ok' : 'failed', faults.length === 0 ? good : faults.join(' '));
};

const listens = (host: string, port: number, isShared: boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    const wanted: ListenOptions & { readonly reusePort?: boolean } = isShared
      ? { host, port, reusePort: true }
      : { host, port };
    server.listen(wanted, () => server.close(() => resolve()));
  });

const checkPorts = (config: Config): Promise<Finding[]> =>
  Promise.all([
    foundBy(settings.port.variable, async () => {
      await listens(config.host, config.port, config.sharedPort === 'on');
      return [];
    }),
    foundBy(settings.managementPort.variable, async () => {
      await listens(config.managementHost, config.managementPort, false);
      return [];
    }),
    foundBy(settings.operatorPort.variable, async () => {
      await listens(config.operatorHost, config.operatorPort, false);
      return [];
    }),
  ]);

const keyFaults = async (db: Db, { secret = '' }: Config): Promise<readonly string[]> => {
  const vault = new Vault(secret);
  const faults: string[] = [];
  for (const purpose of keyPurposes)
    faults.push(...(await signingFaults(new SigningKeys(db, vault, systemClock, purpose), purpose)));
  return [...faults, ...(await keptKeyFaults(db, vault))];
};

const checkStore = async (config: Config): Promise<Finding[]> => {
  const { databaseUrl, databasePooling: pooling } = config;
  const pooled = await foundBy(settings.databasePooling.variable, () => poolingFaults(databaseUrl, pooling));
  if (pooled.verdict === 'failed') return [pooled];
  const db = await openDb(databaseUrl, 1, { pooling });
  try {
    const store = await foundBy('database', () => storeFaults(db), db.engine);
    if (store.verdict === 'failed') return [pooled, store];
    const { pending } = await migrationState(db);
    if (pending.length > 0)
      return [pooled, store, finding('migrations', 'ok', `${pending.length} to run, which serve does first`)];
    return [pooled, store, await foundBy('signing keys', () => keyFaults(db, config))];
  } finally {
    await db.close();
  }
};

const attempt = (check: string, work: () => Promise<Finding[]>): Promise<Finding[]> =>
  work().catch((error: unknown) => [finding(check, 'failed', explain(error))]);

const readOptions = async (): Promise<AppOptions | Finding> => {
  try {
    return await productionOptions(readConfig());
  } catch (error) {
    const faults = error instanceof ConfigError ? error.faults.join(' ') : explain(error);
    return finding('configuration', 'failed', faults);
  }
};

export const examineStart = async (): Promise<Finding[]> => {
  const options = await readOptions();
  if ('verdict' in options) return [options];
  const { config } = options;
  return [
    finding('configuration', 'ok', 'complete for production'),
    ...(await Promise.all(settingChecks.map(({ check, faults }) => foundBy(check, () => faults(options))))),
    ...(await checkPorts(config)),
    ...(await attempt('database', () => checkStore(config))),
  ];
};
