/** A process that stood still takes its own pause for nobody's silence: what has arrived meanwhile counts. */
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';

const LIMIT_MS = 500;

/** Raises the flag when the server has answered the question, which it tells by having nothing to do. */
const WATCHER = `
  const { workerData: { url, flag } } = require('node:worker_threads');
  const pg = require('pg');
  const SEEN = "select 1 from pg_stat_activity where state = 'idle' and query like '%a question%' and pid <> pg_backend_pid()";
  (async () => {
    const client = new pg.Client(url);
    await client.connect();
    while ((await client.query(SEEN)).rowCount === 0) {}
    await client.end();
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  })();
`;

describe.runIf(hasPostgres)('a paused process', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await createDatabase('postgres');
    db = await openDb(database.url, 2, { statementMs: LIMIT_MS });
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  it('reads an answer that came during the pause, and keeps its connections', async () => {
    await db.one('select 1');
    const flag = new Int32Array(new SharedArrayBuffer(4));
    const watcher = new Worker(WATCHER, { eval: true, workerData: { url: database.url, flag } });
    const answer = db.one("select 'a question' as asked");
    // Sent, before this process stands still.
    await new Promise(setImmediate);
    const pausedAt = performance.now();
    while (Atomics.wait(flag, 0, 0) !== 'not-equal');
    Atomics.wait(flag, 0, 1, Math.max(1, pausedAt + 2 * LIMIT_MS - performance.now()));
    expect(await answer).toEqual({ asked: 'a question' });
    await watcher.terminate();
    expect(await db.one('select 2 as two')).toEqual({ two: 2 });
  });
});
