/** Databases of this or an earlier version, to be migrated. */
import { afterEach } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { migrations, scriptFor } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import type { Engine } from '../support/engines.js';

/** Undoes what a test has opened, the newest first. */
export const useClosers = (): (() => unknown)[] => {
  const closers: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return closers;
};

export const emptyDatabase = async (
  engine: Engine,
  closers: (() => unknown)[],
): Promise<{ url: string; db: Db }> => {
  const database = await createDatabase(engine);
  closers.push(() => database.drop());
  const db = await openDb(database.url, 2);
  closers.push(() => db.close());
  return { url: database.url, db };
};

export const LEDGER = 'select id, name from migrations order by id';
export const allMigrations = migrations.map(({ id, name }) => ({ id, name }));

/** As an earlier version left it: only the first migration, and rows of its time. */
export const makeOld = async (db: Db): Promise<void> => {
  const [first] = migrations;
  if (!first) throw new Error('there is no first migration');
  await db.script(
    'create table migrations (id bigint primary key, name text not null, applied_at bigint not null)',
  );
  await db.script(scriptFor(first, db.engine));
  await db.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [first.id, first.name, 1]);
  await db.run(
    `insert into tpps (id, name, registration, roles, status, created_at) values (?, ?, ?, ?, 'active', ?)`,
    ['tpp-1', 'Ελληνική', 'PSDGR-BOG-1', 'PSP_IC', 1],
  );
};
