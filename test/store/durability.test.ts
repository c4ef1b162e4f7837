/** What is acknowledged is on the disk: tests of kills rely on it, and a loss of power cannot be tried here. */
import { afterEach, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Engine, hasPostgres } from '../support/engines.js';

let database: TestDatabase;
let db: Db;

const open = async (engine: Engine): Promise<void> => {
  database = await createDatabase(engine, 'disk');
  db = await openDb(database.url, 1);
};

afterEach(async () => {
  await db.close();
  await database.drop();
});

const FULL = 2;

it('SQLite flushes its log with every commit', async () => {
  await open('sqlite');
  const told = await db.transaction(async (tx) => [
    await tx.one('pragma synchronous'),
    await tx.one('pragma journal_mode'),
  ]);
  expect(told).toEqual([{ synchronous: FULL }, { journal_mode: 'wal' }]);
});

it.runIf(hasPostgres)('PostgreSQL is asked for nothing less than it was set to', async () => {
  await open('postgres');
  const settings = await db.all(
    "select name, setting, source from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name",
  );
  expect(settings).toEqual(
    ['fsync', 'full_page_writes', 'synchronous_commit'].map((name) => ({
      name,
      setting: 'on',
      source: 'default',
    })),
  );
});
