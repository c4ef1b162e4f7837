/** Empty stores of both engines with all migrations, and what they say of a statement. */
import { simulatorMigrations } from '../../../packages/core-kit/src/simulator/migrations.js';
import type { Db, Value } from '../../../src/store/db.js';
import { migrate } from '../../../src/store/migrate.js';
import { openDb } from '../../../src/store/open.js';
import { createDatabase } from '../../support/database.js';
import { bothEngines, type Engine } from '../../support/engines.js';
import { type Described, Postgres, Sqlite } from './engines.js';
import { BACKUP_FACTS } from './exceptions.js';

export type Row = Readonly<Record<string, unknown>>;

export interface EmptyStore {
  describe(sql: string): Promise<Described>;
  /** Executes a read. */
  read(sql: string, params: readonly Value[]): Promise<Row[]>;
  close(): Promise<void>;
}

const migrated = async (url: string): Promise<Db> => {
  const db = await openDb(url, 1);
  await migrate(db, 1, simulatorMigrations);
  return db;
};

const openSqliteStore = async (): Promise<EmptyStore> => {
  const { url, drop } = await createDatabase('sqlite');
  const db = await migrated(url);
  await db.script(BACKUP_FACTS);
  const described = new Sqlite(url.slice('sqlite:'.length));
  return {
    describe: async (sql) => described.describe(sql),
    read: (sql, params) => db.all(sql, params),
    close: async () => {
      described.close();
      await db.close();
      await drop();
    },
  };
};

const openPostgresStore = async (): Promise<EmptyStore> => {
  const { url, drop } = await createDatabase('postgres');
  const db = await migrated(url);
  const described = new Postgres(url);
  await described.open();
  return {
    describe: (sql) => described.describe(sql),
    read: (sql, params) => db.all(sql, params),
    close: async () => {
      await described.close();
      await db.close();
      await drop();
    },
  };
};

export const engines = bothEngines(
  'each engine reads a statement with a parser, a planner and types of its own',
);

export const openStore = (engine: Engine): Promise<EmptyStore> =>
  engine === 'sqlite' ? openSqliteStore() : openPostgresStore();
