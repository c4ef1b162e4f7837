/** `trapeza backup` and `trapeza restore`: copies of the embedded store. PostgreSQL has tools of its own: docs/backup.md. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { type Config, readConfig, settings } from '../../config/config.js';
import { systemClock } from '../../lib/clock.js';
import { instantText } from '../../lib/instant.js';
import { Vault } from '../../lib/vault.js';
import { keyPurposes, SigningKeys } from '../../oauth/signing-keys.js';
import type { Db } from '../../store/db.js';
import { newestIn } from '../../store/migrate.js';
import { makePrivateFolder } from '../../store/private-files.js';
import { backUp, restoreBackup } from '../../store/sqlite/backup.js';
import { version } from '../../version.js';
import { readIfThere } from '../doctor/certificates.js';
import { CommandError, type JsonFlag, print, printJson } from '../output.js';
import { now, type ReasonFlag, withDb, withReason } from '../store.js';
import { hasAuditLog, recordKeeping } from './record.js';

const SQLITE = 'sqlite:';

export const sqlitePathOf = ({ databaseUrl }: Config): string => {
  if (databaseUrl.startsWith(SQLITE)) return resolve(databaseUrl.slice(SQLITE.length));
  throw new CommandError(
    'this is for the embedded store (DATABASE_URL=sqlite:PATH); PostgreSQL has tools of its own: docs/backup.md',
  );
};

/** The sandbox makes a secret of its own if none is configured. */
export const vaultOf = ({ secret, dataFolder }: Config): Vault => {
  const known = secret ?? readIfThere(join(dataFolder, 'sandbox-secret'));
  if (known === undefined)
    throw new CommandError('TRAPEZA_SECRET is missing: values in the store are sealed under it');
  return new Vault(known);
};

/** Throws if the configured secret is not the one of the store: the backup would name the wrong one. */
const checkSecret = async (db: Db, vault: Vault): Promise<void> => {
  for (const purpose of keyPurposes) {
    const keys = new SigningKeys(db, vault, systemClock, purpose);
    if ((await keys.all()).length > 0) await keys.current();
  }
};

const FILES = [
  'trustAnchors',
  'tlsCertificate',
  'tlsKey',
  'coreClientCertificate',
  'coreClientKey',
  'coreCa',
  'brand',
  'bankModule',
] as const;

/** What a restored store needs and does not contain. */
const besides = (config: Config, secrets: readonly string[]): string[] => [
  `TRAPEZA_SECRET, in another place than the backup (fingerprint ${secrets.join(' and ')})`,
  'the settings of the service (its environment)',
  ...FILES.flatMap((name) => {
    const path = config[name];
    return path === undefined ? [] : [`${settings[name].variable}: ${resolve(path)}`];
  }),
];

interface BackupFlags extends JsonFlag, ReasonFlag {}

const runBackup = async (name: string, { json, reason }: BackupFlags): Promise<void> => {
  const path = sqlitePathOf(readConfig());
  if (!existsSync(path)) throw new CommandError(`there is no store at ${path}: check DATABASE_URL`);
  await withDb(async (db, config) => {
    const vault = vaultOf(config);
    await checkSecret(db, vault);
    const file = resolve(name);
    const facts = { startedAt: instantText(now()), version, secrets: vault.fingerprints };
    const made = await backUp(db, file, facts);
    // After it: a backup that failed is none.
    if (hasAuditLog(await newestIn(db)))
      await db.transaction((tx) =>
        recordKeeping(tx, 'store.backup', { reason }, { file, ...made, ...facts }),
      );
    const keep = besides(config, facts.secrets);
    if (json) return printJson({ file, ...made, ...facts, keep });
    print(`${file}: ${made.bytes} bytes, complete and checked, as of ${facts.startedAt}.`);
    print(['Keep beside it:', ...keep.map((each) => `  - ${each}`)].join('\n'));
  });
};

interface RestoreFlags extends JsonFlag, ReasonFlag {
  readonly replace?: boolean;
}

const runRestore = async (name: string, { replace, json, reason }: RestoreFlags): Promise<void> => {
  const config = readConfig();
  const path = sqlitePathOf(config);
  const aside = `${path}.replaced-${instantText(now()).replaceAll(/\D/g, '').slice(0, 14)}`;
  makePrivateFolder(resolve(path, '..'));
  const file = resolve(name);
  const isReplaced = replace === true && existsSync(path);
  const moved = isReplaced ? { replaced: aside } : {};
  const facts = await restoreBackup({
    ...{ file, path, configured: vaultOf(config).fingerprints, aside: replace ? aside : undefined },
    finish: async (copy, restored) => {
      if (hasAuditLog(restored.migration))
        await recordKeeping(copy, 'store.restore', { reason }, { file, ...restored, ...moved });
    },
  });
  if (json) return printJson({ path, ...facts, ...moved });
  print(`${path} is the store as of ${facts.startedAt}, made by version ${facts.version}.`);
  if (isReplaced) print(`The store before is kept as ${aside}.`);
  print(
    'Next: trapeza doctor, then start the service. What changed after that moment is not in it: docs/backup.md',
  );
};

export const registerBackup = (program: Command): void => {
  withReason(program.command('backup'))
    .description('copy the embedded store to a file while the service runs')
    .argument('<file>', 'the new file; an existing one is not overwritten')
    .option('--json', 'print JSON')
    .action(runBackup);
  withReason(program.command('restore'))
    .description('make the embedded store from a backup; the service must not run')
    .argument('<file>', 'a file of "trapeza backup"')
    .option('--replace', 'replace the store that is there, and keep it under another name')
    .option('--json', 'print JSON')
    .action(runRestore);
};
