/** Brings a database to the current shape. Safe when several processes start at once, on an empty or an old database. */
import type { Db } from './db.js';
import { foundation } from './migrations/001-foundation.js';
import { atmsMigration } from './migrations/002-atms.js';
import { accountHolders } from './migrations/004-account-holders.js';
import { oauth } from './migrations/005-oauth.js';
import { watching } from './migrations/006-watching.js';
import { accountInformation } from './migrations/008-account-information.js';
import { payments } from './migrations/010-payments.js';
import { bankData } from './migrations/011-bank-data.js';
import { remotePayments } from './migrations/013-remote-payments.js';
import { demoBank } from './migrations/demo/003-demo-bank.js';
import { ledger } from './migrations/demo/007-ledger.js';
import { demoTpp } from './migrations/demo/009-demo-tpp.js';
import { simulator } from './migrations/demo/012-simulator.js';
import { accountsHere } from './migrations/demo/019-accounts-here.js';
import { holdersHere } from './migrations/demo/022-holders-here.js';
import { hotPath } from './migrations/records/015-hot-path.js';
import { recordsInBlocks } from './migrations/records/018-records-in-blocks.js';
import { certificates } from './migrations/security/014-certificates.js';
import { signaturePolicy } from './migrations/security/016-signature-policy.js';
import { tokenBindings } from './migrations/security/017-bindings.js';
import { guessing } from './migrations/security/020-guessing.js';
import { blockedCertificates } from './migrations/security/021-blocked-certificates.js';

export interface Migration {
  readonly id: number;
  readonly name: string;
  /** One text for both engines, but where they need different shapes. */
  readonly sql: string | Readonly<Record<Db['engine'], string>>;
}

export const scriptFor = ({ sql }: Migration, engine: Db['engine']): string =>
  typeof sql === 'string' ? sql : sql[engine];

export const migrations: readonly Migration[] = [
  foundation,
  atmsMigration,
  demoBank,
  accountHolders,
  oauth,
  watching,
  ledger,
  accountInformation,
  demoTpp,
  payments,
  bankData,
  simulator,
  remotePayments,
  certificates,
  hotPath,
  signaturePolicy,
  tokenBindings,
  recordsInBlocks,
  accountsHere,
  guessing,
  blockedCertificates,
  holdersHere,
];

const LEDGER = `create table if not exists migrations (
  id bigint primary key, name text not null, applied_at bigint not null)`;

const exists = async (db: Db): Promise<boolean> => {
  const sql =
    db.engine === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name = 'migrations'`
      : `select table_name as name from information_schema.tables
         where table_schema = current_schema() and table_name = 'migrations'`;
  return (await db.one(sql)) !== undefined;
};

/** The migrations still to run; throws where the database is newer than this program. */
export const pendingMigrations = async (db: Db): Promise<readonly Migration[]> => {
  if (!(await exists(db))) return migrations;
  const applied = await db.all<{ id: number }>('select id from migrations');
  return remaining(applied.map((row) => row.id));
};

const remaining = (applied: readonly number[]): readonly Migration[] => {
  const newest = Math.max(0, ...applied);
  const known = migrations.at(-1)?.id ?? 0;
  if (newest > known) {
    throw new Error(
      `the database has migration ${newest}, but this version of trapeza knows only ${known}: start a newer version`,
    );
  }
  return migrations.filter((migration) => !applied.includes(migration.id));
};

/** Returns the names of the migrations it ran. */
export const migrate = async (db: Db, nowMs: number): Promise<string[]> => {
  if ((await pendingMigrations(db)).length === 0) return [];
  return db.exclusive(async (tx) => {
    await tx.script(LEDGER);
    const applied = await tx.all<{ id: number }>('select id from migrations');
    const ran: string[] = [];
    for (const migration of remaining(applied.map((row) => row.id))) {
      await tx.script(scriptFor(migration, db.engine));
      await tx.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [
        migration.id,
        migration.name,
        nowMs,
      ]);
      ran.push(migration.name);
    }
    return ran;
  });
};
