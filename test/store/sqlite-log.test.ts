/** The write-ahead log of the embedded engine is copied beside the commits. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { createCopy } from '../../src/store/sqlite/copy-log.js';
import { driver } from '../../src/store/sqlite/driver.js';
import { tempFolder } from '../cli/program.js';
import { until } from '../support/until.js';

/** A page for each. */
const GROW = `insert into pages
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ?) select zeroblob(3900) from n`;
const INSERT = 'insert into notes (id) values (?)';
let path: string;
let db: Db;

beforeEach(async () => {
  path = join(tempFolder(), 'log.db');
  db = await openDb(`sqlite:${path}`);
  await db.script('create table notes (id text primary key)');
});
afterEach(async () => {
  await db.close();
});

it.each([
  ['little at a time', 40, 10],
  ['much at once if commits are large', 34, 500],
])('copies the log beside the commits and loses nothing: %s', async (_, BATCHES, BATCH) => {
  const before = statSync(path).size;
  for (let batch = 0; batch < BATCHES; batch += 1)
    await db.writeBatch(
      Array.from({ length: BATCH }, (_, index) => ({
        sql: INSERT,
        params: [String(batch * BATCH + index).padStart(6, '0')],
      })),
    );
  // The thread has as long as it needs. Without it nothing is copied before the store is closed.
  await until(() => statSync(path).size !== before);
  await db.close();
  db = await openDb(`sqlite:${path}`);
  expect(await db.one('select count(*) as count from notes')).toEqual({ count: BATCH * BATCHES });
});

it('keeps commits out of a long log once, and behind a long read not again before it has grown as much', async () => {
  const Connection = driver();
  const [reader, copier] = [new Connection(path), new Connection(path)];
  const passes: string[] = [];
  const copy = createCopy({
    prepare: (sql) => {
      const statement = copier.prepare(sql);
      return {
        get: () => {
          passes.push(/\w+(?=\))/.exec(sql)?.[0] ?? '');
          return statement.get();
        },
      };
    },
  });
  const passesAfter = async (pages: number): Promise<string> => {
    await db.transaction((tx) => tx.run(GROW, [pages]));
    passes.length = 0;
    copy();
    return passes.join();
  };
  await db.script('create table pages (filling blob)');
  reader.exec('begin; select count(*) from pages');
  expect(await passesAfter(100)).toBe('passive,passive');
  expect(await passesAfter(8000)).toBe('passive,passive,restart');
  expect(await passesAfter(100)).toBe('passive,passive');
  expect(await passesAfter(8000)).toBe('passive,passive,restart');
  reader.exec('commit');
  expect(await passesAfter(8000)).toBe('passive,passive,restart');
  expect(await passesAfter(100)).toBe('passive,passive');
  reader.close();
  copier.close();
});
