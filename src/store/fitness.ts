/** Whether a service can work on a store: its shape, and on PostgreSQL the rights of the role that it logs in with. */
import type { Db, Queries } from './db.js';
import { missingGrants } from './grants.js';
import { extensionOf, migrationState } from './migrate.js';
import { isPostgres } from './open.js';

type Known = Queries & Pick<Db, 'engine'>;

interface Role {
  readonly name: string;
  readonly schema: string | null;
  readonly mayMigrate: 'true' | 'false';
}

const ROLE = `
  select current_user as name, current_schema() as schema, cast(
    coalesce(has_schema_privilege(current_schema(), 'create'), false)
      and coalesce((select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('migrations')), true)
    as text) as "mayMigrate"`;

const POOLED =
  'a pooler in front of the database gives every transaction another session, but TRAPEZA_DATABASE_POOLING is session: set TRAPEZA_DATABASE_POOLING=transaction, or pool_mode = session in PgBouncer.';

const MOST_SHOWN = 6;

const shortened = (names: readonly string[]): string =>
  names.length <= MOST_SHOWN
    ? names.join(', ')
    : `${names.slice(0, MOST_SHOWN).join(', ')} and ${names.length - MOST_SHOWN} more`;

/** Of the role that the service logs in with. Throws if the store is too new for this program. */
export const roleFaults = async (db: Known): Promise<string[]> => {
  if (db.engine === 'sqlite') return [];
  const role = await db.one<Role>(ROLE);
  if (!role) return [];
  const { name, schema } = role;
  const mayMigrate = role.mayMigrate === 'true';
  if (schema === null)
    return [
      `the role ${name} of DATABASE_URL may use no schema of the search path: trapeza migrate --grants ${name} prints what it needs.`,
    ];
  const missing = mayMigrate ? [] : await missingGrants(db);
  if (missing.length > 0)
    return [
      `the role ${name} of DATABASE_URL lacks ${shortened(missing)}: run what trapeza migrate --grants ${name} prints, as the role that migrates.`,
    ];
  const { pending } = mayMigrate ? { pending: [] } : await migrationState(db);
  if (pending.length === 0) return [];
  return [
    `the database lacks ${pending.length} migration(s), and the role ${name} of DATABASE_URL may not run them: run trapeza migrate as the role that owns the tables.`,
  ];
};

/** By the names of the extensions that the service has. */
const ownerFaults = async (db: Known, extensions: readonly string[]): Promise<string[]> => {
  const owner = await extensionOf(db);
  if (owner === undefined || extensions.includes(owner)) return [];
  return [
    `this database holds the demo data and public demo keys of the ${owner}: use a database of its own.`,
  ];
};

/** What keeps a service from using this store, once it is migrated. Throws if the store is too new for this program. */
export const storeFaults = async (db: Known, extensions: readonly string[] = []): Promise<string[]> => {
  const ofRole = await roleFaults(db);
  if (ofRole.length > 0) return ofRole;
  const { pending } = await migrationState(db);
  return pending.some(({ name }) => name === 'foundation') ? [] : ownerFaults(db, extensions);
};

/** Of the configured store, before it is opened. If nothing answers, opening it says so. */
export const poolingFaults = async (
  databaseUrl: string,
  pooling: 'session' | 'transaction',
): Promise<string[]> => {
  if (pooling === 'transaction' || !isPostgres(databaseUrl)) return [];
  const { sharesSessions } = await import('./postgres/pooling.js');
  const isShared = await sharesSessions(databaseUrl).catch(() => false);
  return isShared ? [POOLED] : [];
};
