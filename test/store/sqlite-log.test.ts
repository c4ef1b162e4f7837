/** The write-ahead log of the embedded engine: a batch is confirmed when it is flushed, and the log is copied beside the commits. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Db, StoreUnavailable } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { tempFolder } from '../cli/program.js';

const INSERT = 'insert into notes (id) values (?)';
const { fdatasync } = fs;
let path: string;
let db: Db;

const flushWith = (flush: typeof fs.fdatasync | ((fd: number, done: fs.NoParamCallback) => void)): void => {
  fs.fdatasync = flush as typeof fs.fdatasync;
  syncBuiltinESMExports();
};

beforeEach(async () => {
  path = join(tempFolder(), 'log.db');
  db = await openDb(`sqlite:${path}`);
  await db.script('create table notes (id text primary key)');
});
afterEach(async () => {
  flushWith(fdatasync);
  await db.close();
});

it('confirms a batch only when it is flushed', async () => {
  let release: () => void = () => undefined;
  let isFlushing: () => void = () => undefined;
  const flushing = new Promise<void>((resolve) => {
    isFlushing = resolve;
  });
  flushWith((fd, done) => {
    release = () => fdatasync(fd, done);
    isFlushing();
  });
  let isConfirmed = false;
  const written = db.writeBatch([{ sql: INSERT, params: ['a'] }]).then(() => {
    isConfirmed = true;
  });
  await flushing;
  // Others go on meanwhile.
  expect(await db.one('select count(*) as count from notes')).toEqual({ count: 1 });
  expect(isConfirmed).toBe(false);
  release();
  await written;
  expect(isConfirmed).toBe(true);
});

it('does not confirm a batch whose flush has failed: it may or may not be there', async () => {
  flushWith((_fd, done) => done(new Error('the disk is gone')));
  const failed = await db
    .writeBatch([{ sql: INSERT, params: ['a'] }])
    .catch((error: unknown) => error as StoreUnavailable);
  expect(failed).toBeInstanceOf(StoreUnavailable);
  expect(failed).toMatchObject({ outcomeUnknown: true });
});

it('copies the log beside the commits, long before the engine would do it, and loses nothing', async () => {
  const [BATCHES, BATCH] = [14, 500];
  const before = fs.statSync(path).size;
  for (let batch = 0; batch < BATCHES; batch += 1)
    await db.writeBatch(
      Array.from({ length: BATCH }, (_, index) => ({
        sql: INSERT,
        params: [String(batch * BATCH + index).padStart(6, '0')],
      })),
    );
  // The thread has as long as it needs. Without it nothing is copied before the store is closed.
  while (fs.statSync(path).size === before) await pause(20);
  await db.close();
  db = await openDb(`sqlite:${path}`);
  expect(await db.one('select count(*) as count from notes')).toEqual({ count: BATCH * BATCHES });
});
