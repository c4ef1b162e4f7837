/** The write-ahead log of the embedded engine is copied beside the commits. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { tempFolder } from '../cli/program.js';

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
  while (statSync(path).size === before) await pause(20);
  await db.close();
  db = await openDb(`sqlite:${path}`);
  expect(await db.one('select count(*) as count from notes')).toEqual({ count: BATCH * BATCHES });
});
