/** The benchmark's funds records: as many for each person, over 25 months, found and forgotten as others are. */
import { describe, expect, it } from 'vitest';
import { checkDisk, fillRecords, measureForgetting, measureList, sizeOf } from '../../bench/records.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';

const PEOPLE = 10;
const RECORDS = 5200;

describe.each(engines)('records of the benchmark on %s', (engine) => {
  it('are the same number for each person, at different times, with every index', async () => {
    const database = await createDatabase(engine);
    const db = await openDb(database.url, 1);
    try {
      await migrate(db, 1);
      const before = await sizeOf(db);
      await fillRecords(db, PEOPLE, RECORDS);
      expect(await sizeOf(db)).toBeGreaterThan(before + RECORDS * 300);
      const people = await db.all<{ psuId: string; count: number; times: number; months: number }>(
        `select psu_id as "psuId", count(*) as count, count(distinct asked_at) as times,
           count(distinct asked_at / 2600000000) as months from funds_confirmations group by psu_id`,
      );
      expect(people.map(({ count, times }) => [count, times])).toEqual(
        Array(PEOPLE).fill([RECORDS / PEOPLE, RECORDS / PEOPLE]),
      );
      expect(Math.min(...people.map(({ months }) => months))).toBeGreaterThan(23);
      expect(await measureList(db, people, 3)).toBeGreaterThan(0);
      const { deleteUs, dropMs } = await measureForgetting(db);
      expect(deleteUs).toBeGreaterThan(0);
      expect(dropMs !== undefined).toBe(engine === 'postgres');
      const [left] = await db.all<{ count: number }>('select count(*) as count from funds_confirmations');
      expect(left?.count).toBeLessThan(RECORDS);
    } finally {
      await db.close();
      await database.drop();
    }
  });
});

it('a disk without room is refused before anything is written', () => {
  expect(() => checkDisk(1, 1)).not.toThrow();
  expect(() => checkDisk(1, 1e15)).toThrow(/free and the stores need .* fewer --records/);
});
