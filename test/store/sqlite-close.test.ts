/** A clean stop leaves the embedded store in one file, so that a copy of that file is the whole store. */
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { driver } from '../../src/store/sqlite/driver.js';
import { tempFolder } from '../cli/program.js';

const COUNT = 'select count(*) as count from notes';
let folder: string;
let db: Db;

const urlOf = (name: string): string => `sqlite:${join(folder, name)}`;

const note = (into: Db, from: number, to: number): Promise<unknown> =>
  into.writeBatch(
    Array.from({ length: to - from }, (_, index) => ({
      sql: 'insert into notes (id) values (?)',
      params: [`${from + index}`.padStart(600, '0')],
    })),
  );

/** What a copy of the one file has. */
const copied = async (): Promise<unknown> => {
  copyFileSync(join(folder, 'trapeza.db'), join(folder, 'copy.db'));
  const copy = await openDb(urlOf('copy.db'));
  const found = await copy.one(COUNT);
  await copy.close();
  return found;
};

beforeEach(async () => {
  folder = tempFolder('disk');
  db = await openDb(urlOf('trapeza.db'));
  await db.script('create table notes (id text primary key)');
});

it.each([10, 1000])(
  'after %i rows, read by each of its connections, there is one file with all of them',
  async (rows) => {
    await note(db, 0, rows);
    await db.all(COUNT);
    await db.batchedReads.all(COUNT);
    await db.transaction(() => db.batchedReads.all(COUNT));
    await db.close();
    expect(readdirSync(folder)).toEqual(['trapeza.db']);
    expect(await copied()).toEqual({ count: rows });
  },
);

it('beside another process everything is in the file too, and the other goes on', async () => {
  const other = await openDb(urlOf('trapeza.db'));
  await note(other, 0, 10);
  await note(db, 10, 20);
  await db.close();
  expect(await copied()).toEqual({ count: 20 });
  await note(other, 20, 30);
  expect(await other.one(COUNT)).toEqual({ count: 30 });
  await other.close();
  expect(await copied()).toEqual({ count: 30 });
});

it('behind a long read of another process it neither waits nor loses anything', async () => {
  const Connection = driver();
  const other = new Connection(join(folder, 'trapeza.db'));
  other.exec(`begin; ${COUNT}`);
  await note(db, 0, 10);
  await db.close();
  expect(other.prepare(COUNT).get()).toMatchObject({ count: 0 });
  other.close();
  const again = await openDb(urlOf('trapeza.db'));
  expect(await again.one(COUNT)).toEqual({ count: 10 });
  await again.close();
});
