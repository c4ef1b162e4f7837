/** Two transactions that wait for each other: one goes on, the other has done nothing and may be tried again. */
import { expect, it } from 'vitest';
import { type Queries, StoreBusy } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';

const touch = (tx: Queries, id: number): Promise<number> =>
  tx.run('update places set count = count + 1 where id = ?', [id]);

it.runIf(hasPostgres)('a deadlock is a busy store, not a fault of ours', async () => {
  const database = await createDatabase('postgres');
  const db = await openDb(database.url, 3);
  try {
    await db.script(
      'create table places (id integer, count integer); insert into places values (1, 0), (2, 0)',
    );
    let arrived = 0;
    let release: () => void;
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    const cross = (own: number, other: number): Promise<void> =>
      db.transaction(async (tx) => {
        await touch(tx, own);
        arrived += 1;
        if (arrived === 2) release();
        await both;
        await touch(tx, other);
      });
    const [first, second] = await Promise.allSettled([cross(1, 2), cross(2, 1)]);
    const failed = [first, second].filter((each) => each?.status === 'rejected');
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({ reason: expect.any(StoreBusy) });
    expect(await db.all('select count from places order by id')).toEqual([{ count: 1 }, { count: 1 }]);
  } finally {
    await db.close();
    await database.drop();
  }
});
