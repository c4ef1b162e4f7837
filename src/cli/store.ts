/** Opens the configured store for one command and closes it again. */
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Context } from '../acts/act.js';
import { Proposed } from '../acts/proposals.js';
import { Admin } from '../admin/admin.js';
import { type Actor, AuditLog } from '../audit/audit-log.js';
import { type Config, readConfig } from '../config/config.js';
import { systemClock } from '../lib/clock.js';
import { Vault } from '../lib/vault.js';
import type { Db } from '../store/db.js';
import { migrationState } from '../store/migrate.js';
import { openDb } from '../store/open.js';
import { clockOfStore } from '../store/server-time.js';
import { readIfThere } from './doctor/certificates.js';
import { CommandError } from './output.js';
import { bankTimeOf } from './wings.js';

export const withDb = async <T>(work: (db: Db, config: Config) => Promise<T>): Promise<T> => {
  const config = readConfig();
  const db = await openDb(config.databaseUrl, 2, { pooling: config.databasePooling });
  try {
    return await work(db, config);
  } finally {
    await db.close();
  }
};

/** For commands that read or write tables: says what to do if the tables are missing. */
export const withMigratedDb = <T>(work: (db: Db, config: Config) => Promise<T>): Promise<T> =>
  withDb(async (db, config) => {
    const { pending } = await migrationState(db);
    if (pending.length > 0)
      throw new CommandError(
        `the database lacks ${pending.length} migration(s): run "trapeza migrate" first`,
      );
    return work(db, config);
  });

/** The sandbox makes a secret of its own if none is configured. */
export const vaultOf = ({ secret, dataFolder }: Config): Vault => {
  const known = secret ?? readIfThere(join(dataFolder, 'sandbox-secret'));
  if (known === undefined)
    throw new CommandError(
      'TRAPEZA_SECRET is missing: values in the store are sealed under it, and the audit log is keyed',
    );
  return new Vault(known);
};

export const auditOf = (config: Config): AuditLog => new AuditLog(() => vaultOf(config));

/** The account of the operating system; a container may run under a number without a name. */
const systemUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
};

export interface ReasonFlag {
  readonly reason?: string | undefined;
}

/** For every command that changes something. */
export const withReason = (command: Command): Command =>
  command.option('--reason <text>', 'why, for the audit log');

export const actorOf = ({ reason }: ReasonFlag): Actor => ({ actor: `cli:${systemUser()}`, reason });

/** For commands that are an act, or a list, of the bank's operators. */
export const withContext = <T>(
  work: (context: Context & { readonly config: Config }) => Promise<T>,
  flags: ReasonFlag = {},
): Promise<T> =>
  withMigratedDb(async (db, config) => {
    const clock = await clockOfStore(db, systemClock);
    const bankTime = () => bankTimeOf(db);
    const by = actorOf(flags);
    return work({ db, audit: auditOf(config), config, clock, bankTime, by }).catch((error: unknown) => {
      throw error instanceof Proposed ? new CommandError(error.message) : error;
    });
  });

/** For commands that call several of them, or such that are methods still. */
export const withAdmin = <T>(
  work: (admin: Admin, config: Config, db: Db, context: Context) => Promise<T>,
  flags: ReasonFlag = {},
): Promise<T> =>
  withContext((context) => work(new Admin(context), context.config, context.db, context), flags);

export const now = (): number => systemClock.now();
