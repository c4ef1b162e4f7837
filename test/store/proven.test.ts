/** A list of which an empty answer would open something is whole, or it is an error. */
import { expect, it } from 'vitest';
import { type Reads, StoreUnavailable } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { allProven } from '../../src/store/proven.js';
import { createDatabase } from '../support/database.js';
import { bothEngines } from '../support/engines.js';

const SQL = 'select id from blocked where kind = ?';

const engines = bothEngines(
  'types: a count beside the rows is a bigint on PostgreSQL and a number on SQLite',
);

it.each(engines)('faults 1: %s: a list is whole, or none of it is believed', async (engine) => {
  const database = await createDatabase(engine);
  const db = await openDb(database.url, 1);
  try {
    await db.script('create table blocked (kind text, id text)');
    expect(await allProven(db, SQL, ['a'])).toEqual([]);
    for (const id of ['x', 'y', 'z']) await db.run('insert into blocked values (?, ?)', ['a', id]);
    const rows = await allProven<{ id: string }>(db, SQL, ['a']);
    expect(rows.map(({ id }) => id).toSorted()).toEqual(['x', 'y', 'z']);
    for (const kept of [0, 1, 2]) {
      const cut: Reads = {
        all: async <T>(sql: string, params?: readonly string[]) =>
          (await db.all<T>(sql, params)).slice(0, kept),
        one: db.one,
      };
      await expect(allProven(cut, SQL, ['a'])).rejects.toBeInstanceOf(StoreUnavailable);
    }
  } finally {
    await db.close();
    await database.drop();
  }
});
