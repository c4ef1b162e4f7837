/** Readiness asks when the store last did what it was asked. */
import { afterEach, expect, it } from 'vitest';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { bothEngines } from '../support/engines.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const engines = bothEngines('each engine notes by itself when it last read and wrote');

it.each(engines)('%s knows when a read and when a write last succeeded', async (engine) => {
  const database = await createDatabase(engine);
  closers.push(() => database.drop());
  const db = await openDb(database.url, 1);
  closers.push(() => db.close());
  const INSERT = 'insert into things (id) values (?)';
  const COUNT = 'select count(*) as n from things';
  await db.script('create table things (id text primary key)');
  expect(db.lastSuccess).toMatchObject({ readAt: -Infinity, writeAt: -Infinity });

  await db.batchedReads.one(COUNT);
  expect(db.lastSuccess.readAt).toBeGreaterThan(0);
  await db.transaction((tx) => tx.one(COUNT));
  expect(db.lastSuccess.writeAt).toBe(-Infinity);

  let last = 0;
  for (const write of [
    () => db.run(INSERT, ['a']),
    () => db.writeBatch([{ sql: INSERT, params: ['b'] }]),
    () => db.transaction((tx) => tx.run(INSERT, ['c'])),
  ]) {
    await write();
    expect(db.lastSuccess.writeAt).toBeGreaterThan(last);
    last = db.lastSuccess.writeAt;
  }

  const { ...before } = db.lastSuccess;
  await expect(db.batchedReads.one('select nothing from nowhere')).rejects.toThrow();
  await expect(db.run(INSERT, ['a'])).rejects.toThrow();
  await expect(db.writeBatch([{ sql: INSERT, params: ['a'] }])).rejects.toThrow();
  await expect(db.transaction((tx) => tx.run(INSERT, ['a']))).rejects.toThrow();
  expect(db.lastSuccess).toMatchObject(before);
});
