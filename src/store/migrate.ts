/** Brings a database to the current shape. Safe when several processes start at once, on an empty or an old database. */

import type { RealTime } from '../lib/clock.js';
import type { Db, Queries } from './db.js';
import { exclusiveGivingWay } from './give-way.js';
import { foundation } from './migrations/001-foundation.js';
import { atmsMigration } from './migrations/002-atms.js';
import { accountHolders } from './migrations/004-account-holders.js';
import { oauth } from './migrations/005-oauth.js';
import { watching } from './migrations/006-watching.js';
import { accountInformation } from './migrations/008-account-information.js';
import { payments } from './migrations/010-payments.js';
import { bankData } from './migrations/011-bank-data.js';
import { remotePayments } from './migrations/013-remote-payments.js';
import { certificates } from './migrations/014-certificates.js';
import { hotPath } from './migrations/015-hot-path.js';
import { signaturePolicy } from './migrations/016-signature-policy.js';
import { tokenBindings } from './migrations/017-bindings.js';
import { recordsInBlocks } from './migrations/018-records-in-blocks.js';
import { guessing } from './migrations/020-guessing.js';
import { blockedCertificates } from './migrations/021-blocked-certificates.js';
import { openConsents } from './migrations/023-open-consents.js';
import { jobs } from './migrations/024-jobs.js';
import { extensions } from './migrations/026-extensions.js';
import { recordsByPerson } from './migrations/027-records-by-person.js';
import { repeatedReads } from './migrations/028-repeated-reads.js';
import { statusReasons } from './migrations/029-status-reasons.js';
import { historyNotes } from './migrations/030-history-notes.js';
import { paymentNotes } from './migrations/031-payment-notes.js';
import { requestLog } from './migrations/032-request-log.js';
import { endedApplications } from './migrations/033-ended-applications.js';
import { lastMethods } from './migrations/034-last-methods.js';
import { dashboard } from './migrations/039-dashboard.js';
import { purposes } from './migrations/041-purposes.js';
import { thirdPartyBlocks } from './migrations/042-third-party-blocks.js';
import { dashboardOrder } from './migrations/043-dashboard-order.js';
import { orderQuestions } from './migrations/045-order-questions.js';
import { bankNotices } from './migrations/046-bank-notices.js';
import { registration } from './migrations/050-registration.js';
import { trustedLists } from './migrations/051-trusted-lists.js';
import { auditLog } from './migrations/053-audit-log.js';
import { operators } from './migrations/054-operators.js';
import { atmDrafts } from './migrations/055-atm-drafts.js';
import { ebaRegister } from './migrations/057-eba-register.js';
import { statistics } from './migrations/058-statistics.js';
import { incidents } from './migrations/059-incidents.js';
import { announcements } from './migrations/060-announcements.js';
import { fundsMonths } from './migrations/062-funds-months.js';
import { fundsByApplication } from './migrations/063-funds-by-application.js';
import { fundsOneIndex } from './migrations/064-funds-one-index.js';
import { unattendedReads } from './migrations/065-unattended-reads.js';
import { proposals } from './migrations/068-proposals.js';
import { storePulses } from './migrations/070-store-pulses.js';
import { quotaGrants } from './migrations/073-quota-grants.js';
import { paymentRetries } from './migrations/076-payment-retries.js';
import { clientSecrets } from './migrations/077-client-secrets.js';
import { monthsByFunction } from './migrations/078-months-by-function.js';
import { putSetting, readSetting } from './settings.js';

export interface Migration {
  readonly id: number;
  readonly name: string;
  /** One text for both engines, unless they need different shapes. */
  readonly sql: string | Readonly<Record<Db['engine'], string>>;
  /**
   * The oldest program that may run on the database afterwards, named by the newest migration it knows. Without it only the program
   * that knows the migration before this one may: what a migration adds must not disturb it.
   */
  readonly compatibleFrom?: number;
  /**
   * Done first on PostgreSQL, each in a transaction of its own, if the migration is missing: what takes long on a large table and needs no
   * lock that calls wait for. It may find any older shape, or no table at all, and may be done twice.
   */
  readonly beforePostgres?: readonly string[];
}

export const scriptFor = ({ sql }: Migration, engine: Db['engine']): string =>
  typeof sql === 'string' ? sql : sql[engine];

export const migrations: readonly Migration[] = [
  foundation,
  atmsMigration,
  accountHolders,
  oauth,
  watching,
  accountInformation,
  payments,
  bankData,
  remotePayments,
  certificates,
  hotPath,
  signaturePolicy,
  tokenBindings,
  recordsInBlocks,
  guessing,
  blockedCertificates,
  openConsents,
  jobs,
  extensions,
  recordsByPerson,
  repeatedReads,
  statusReasons,
  historyNotes,
  paymentNotes,
  requestLog,
  endedApplications,
  lastMethods,
  dashboard,
  purposes,
  thirdPartyBlocks,
  dashboardOrder,
  orderQuestions,
  bankNotices,
  registration,
  trustedLists,
  auditLog,
  operators,
  atmDrafts,
  ebaRegister,
  statistics,
  incidents,
  announcements,
  fundsMonths,
  fundsByApplication,
  fundsOneIndex,
  unattendedReads,
  proposals,
  storePulses,
  quotaGrants,
  paymentRetries,
  clientSecrets,
  monthsByFunction,
];

const LEDGER = `
  create table if not exists migrations (
    id bigint primary key, name text not null, applied_at bigint not null);
  create table if not exists migration_compatibility (
    id bigint primary key, compatible_from bigint not null);`;

type Known = Queries & Pick<Db, 'engine'>;

const exists = async (db: Known): Promise<boolean> => {
  const sql =
    db.engine === 'sqlite'
      ? `select name from sqlite_master where type = 'table' and name = 'migrations'`
      : // Also for a role that may not read it, which a view of the standard would hide.
        `select relname as name from pg_class where oid = to_regclass(format('%I.migrations', current_schema()))`;
  return (await db.one(sql)) !== undefined;
};

const appliedIn = async (db: Queries): Promise<readonly number[]> =>
  (await db.all<{ id: number }>('select id from migrations')).map(({ id }) => id);

const newestKnown = (): number => migrations.at(-1)?.id ?? 0;

const EXTENSION = 'extension';

/** From this id on migrations belong to extensions. */
const EXTENSIONS_FROM = 10_000;

/** Which extension a store was made for. Its data and keys may be public, so nothing else runs on it. */
export const extensionOf = (db: Queries): Promise<string | undefined> => readSetting(db, EXTENSION);

/** Call within a transaction, before anything of the extension is written. */
export const markExtension = (tx: Queries, name: string): Promise<void> => putSetting(tx, EXTENSION, name);

/** The migrations that are in the database and unknown here; throws if one of them does not allow a program as old as this. */
const aheadOf = async (db: Queries, applied: readonly number[]): Promise<readonly number[]> => {
  const known = newestKnown();
  const ahead = applied.filter((id) => id > known && id < EXTENSIONS_FROM).toSorted((a, b) => a - b);
  if (ahead.length === 0) return ahead;
  // A program that ran a migration unknown to this one has created the table.
  const recorded = await db.all<{ id: number; from: number }>(
    'select id, compatible_from as "from" from migration_compatibility',
  );
  const oldest = Math.max(...ahead.map((id) => recorded.find((each) => each.id === id)?.from ?? id - 1));
  if (oldest > known) {
    throw new Error(
      `the database has migration ${ahead.at(-1)} and needs a program that knows ${oldest}, but this version of trapeza knows only ${known}: start a newer version`,
    );
  }
  return ahead;
};

const missingIn = (applied: readonly number[], more: readonly Migration[]): readonly Migration[] =>
  [...migrations, ...more].filter(({ id }) => !applied.includes(id));

/** Throws if the database is too new for this program. Returns its newest migration, without those of extensions. */
export const newestIn = async (db: Queries): Promise<number> => {
  const applied = await appliedIn(db);
  await aheadOf(db, applied);
  return Math.max(0, ...applied.filter((id) => id < EXTENSIONS_FROM));
};

export interface MigrationState {
  /** Still to run. */
  readonly pending: readonly Migration[];
  /** Of a newer version, with which this one works. */
  readonly ahead: readonly number[];
}

/** Throws if the database is too new for this program. */
export const migrationState = async (db: Known, more: readonly Migration[] = []): Promise<MigrationState> => {
  if (!(await exists(db))) return { pending: missingIn([], more), ahead: [] };
  const applied = await appliedIn(db);
  return { pending: missingIn(applied, more), ahead: await aheadOf(db, applied) };
};

const note = async (tx: Queries, { id, name, compatibleFrom }: Migration, nowMs: RealTime): Promise<void> => {
  await tx.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [id, name, nowMs]);
  if (compatibleFrom !== undefined)
    await tx.run('insert into migration_compatibility (id, compatible_from) values (?, ?)', [
      id,
      compatibleFrom,
    ]);
};

/** Runs what is missing, with the migrations of extensions last; returns their names. Alone, in a transaction of `exclusive`. */
export const runMigrations = async (
  tx: Queries & { script(sql: string): Promise<void> },
  engine: Db['engine'],
  nowMs: RealTime,
  more: readonly Migration[],
): Promise<string[]> => {
  await tx.script(LEDGER);
  const applied = await appliedIn(tx);
  await aheadOf(tx, applied);
  const pending = missingIn(applied, more);
  for (const migration of pending) {
    await tx.script(scriptFor(migration, engine));
    await note(tx, migration, nowMs);
  }
  return pending.map(({ name }) => name);
};

/** As `runMigrations`; nothing is locked if nothing is missing. Older nodes may serve meanwhile. */
export const migrate = async (
  db: Db,
  nowMs: RealTime,
  more: readonly Migration[] = [],
): Promise<string[]> => {
  const { pending } = await migrationState(db, more);
  if (pending.length === 0) return [];
  if (db.engine === 'postgres')
    for (const script of pending.flatMap(({ beforePostgres }) => beforePostgres ?? []))
      await exclusiveGivingWay(db, (tx) => tx.script(script));
  return exclusiveGivingWay(db, (tx) => runMigrations(tx, db.engine, nowMs, more));
};
