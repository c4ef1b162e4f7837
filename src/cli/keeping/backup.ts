/** `trapeza backup` and `trapeza restore`: copies of the embedded store. PostgreSQL has tools of its own: docs/backup.md. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { readHead } from '../../audit/audit-log.js';
import { type Config, readConfig, settings } from '../../config/config.js';
import { systemClock } from '../../lib/clock.js';
import { instantText } from '../../lib/instant.js';
import type { Vault } from '../../lib/vault.js';
import { keyPurposes, SigningKeys } from '../../oauth/signing-keys.js';
import { acceptStore, recordLoss } from '../../store/continuity/pulse.js';
import type { Db, Queries } from '../../store/db.js';
import { newestIn } from '../../store/migrate.js';
import { makePrivateFolder } from '../../store/private-files.js';
import { backUp, restoreBackup } from '../../store/sqlite/backup.js';
import { version } from '../../version.js';
import { CommandError, type JsonFlag, print, printJson } from '../output.js';
import { auditOf, now, type ReasonFlag, vaultOf, withDb, withReason } from '../store.js';
import { hasAuditLog, recordKeeping } from './record.js';

const SQLITE = 'sqlite:';

export const sqlitePathOf = ({ databaseUrl }: Config): string => {
  if (databaseUrl.startsWith(SQLITE)) return resolve(databaseUrl.slice(SQLITE.length));
  throw new CommandError(
    'this is for the embedded store (DATABASE_URL=sqlite:PATH); PostgreSQL has tools of its own: docs/backup.md',
  );
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
    const isAudited = hasAuditLog(await newestIn(db));
    if (isAudited)
      await db.transaction((tx) =>
        recordKeeping(tx, auditOf(config), 'store.backup', { reason }, { file, ...made, ...facts }),
      );
    const auditHead = isAudited ? (await readHead(db)).hash : undefined;
    const keep = besides(config, facts.secrets);
    if (json) return printJson({ file, ...made, ...facts, keep, auditHead });
    print(`${file}: ${made.bytes} bytes, complete and checked, as of ${facts.startedAt}.`);
    if (auditHead !== undefined)
      print(`Head of the audit log, for "trapeza audit verify --head": ${auditHead}`);
    print(['Keep beside it:', ...keep.map((each) => `  - ${each}`)].join('\n'));
  });
};

interface RestoreFlags extends JsonFlag, ReasonFlag {
  readonly replace?: boolean;
  readonly accept?: boolean;
}

/** What was answered since the backup is not in it: the service starts on it only when an operator has accepted that. */
const settleLoss = async (copy: Queries, startedAt: string, isAccepted: boolean): Promise<void> => {
  if (isAccepted) await acceptStore(copy, now());
  else
    await recordLoss(copy, {
      evidence: 'restored',
      noticedAt: instantText(now()),
      detail: `restored from a backup of ${startedAt}`,
    });
};

const runRestore = async (
  name: string,
  { replace, accept = false, json, reason }: RestoreFlags,
): Promise<void> => {
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
      await settleLoss(copy, restored.startedAt, accept);
      if (hasAuditLog(restored.migration))
        await recordKeeping(
          copy,
          auditOf(config),
          'store.restore',
          { reason },
          { file, ...restored, ...moved, accepted: accept },
        );
    },
  });
  if (json) return printJson({ path, ...facts, ...moved });
  print(`${path} is the store as of ${facts.startedAt}, made by version ${facts.version}.`);
  if (isReplaced) print(`The store before is kept as ${aside}.`);
  print('What changed after that moment is not in it: compare with the core, as docs/backup.md says.');
  print(
    accept
      ? 'Next: trapeza doctor, then trapeza payments reconcile, then start the service.'
      : 'Next: trapeza payments reconcile, then trapeza store accept, without which the service does not start.',
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
    .option(
      '--accept',
      'accept that what changed since the backup is lost; else "trapeza store accept" has to',
    )
    .option('--json', 'print JSON')
    .action(runRestore);
};
