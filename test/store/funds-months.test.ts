/** Funds records in months on PostgreSQL: every one is stored and found, and retention drops months of which nothing must be kept. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oldestFundsRecord } from '../../src/consent/funds/records.js';
import { eachFundsAnswer } from '../../src/consent/uses.js';
import { type Job, runToEnd } from '../../src/jobs/jobs.js';
import { retention } from '../../src/jobs/retention.js';
import { DAY } from '../../src/lib/clock.js';
import type { Db } from '../../src/store/db.js';
import { migrate, migrations, scriptFor } from '../../src/store/migrate.js';
import { monthsIn } from '../../src/store/months.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';

const INSERT = `
  insert into funds_confirmations (id, consent_id, client_id, psu_id, account_id, amount, currency, available, request_id, asked_at)
  values (?, 'consent', 'app', 'psu', 'account', '1', 'EUR', 1, ?, ?)`;
const add = (db: Db, at: number): Promise<number> => db.run(INSERT, [`record-${at}`, `request-${at}`, at]);

/** Months of the calendar after the table's first partition, which ends at most three months from now. */
const JUNE = Date.UTC(new Date().getUTCFullYear() + 1, 5);
const month = (later: number): number => {
  const date = new Date(JUNE);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
};

const jobsAt = (db: Db, now: number): readonly [Job, Job] => {
  const [forget, prepare] = retention({
    db,
    bankTime: async () => now,
    retentionConsentYears: 5,
    retentionRecordMonths: 25,
    retentionEventDays: 90,
  });
  if (!forget || !prepare) throw new Error('a job is missing');
  return [forget, prepare];
};

const timesOf = async (db: Db): Promise<number[]> => {
  const times: number[] = [];
  for await (const { at } of eachFundsAnswer(db, 'psu', {})) times.push(at);
  return times;
};

const names = async (db: Db): Promise<string[]> => (await monthsIn(db)).map(({ name }) => name.slice(-5));

describe.runIf(hasPostgres)('funds records in months', () => {
  let db: Db;
  let drop: () => Promise<unknown>;
  beforeEach(async () => {
    const database = await createDatabase('postgres');
    drop = () => database.drop();
    db = await openDb(database.url, 3);
  });
  afterEach(async () => {
    await db.close();
    await drop();
  });

  it('are made for this month and the next two, once, whoever does it', async () => {
    await migrate(db, 1);
    const [, prepare] = jobsAt(db, JUNE + 9 * DAY);
    const runs = await Promise.all([runToEnd(prepare), runToEnd(prepare)]);
    expect(runs.reduce((sum, { done }) => sum + done, 0)).toBe(3);
    expect((await names(db)).map((name) => name.slice(-2))).toEqual(['06', '07', '08']);
    expect(await runToEnd(jobsAt(db, month(1))[1])).toEqual({ done: 1, isEnd: true });
  });

  it('leave with the last of their month; single ones of no month to the millisecond', async () => {
    await migrate(db, 1);
    await runToEnd(jobsAt(db, JUNE)[1]);
    const early = Date.UTC(2020, 0, 1);
    const late = month(9);
    const kept = [month(1) - 1, month(1), month(3) - 1];
    for (const at of [early, JUNE, ...kept, late, late + 1]) await add(db, at);
    expect(await timesOf(db)).toEqual([late + 1, late, ...kept.toReversed(), JUNE, early]);
    const lastOfJune = month(1) - 1;

    const [before] = jobsAt(db, month(26) - 2);
    expect((await before.overdueMs?.()) ?? 0).toBeGreaterThan(0);
    await runToEnd(before);
    expect(await timesOf(db)).toEqual([late + 1, late, ...kept.toReversed(), JUNE]);
    expect(await before.overdueMs?.()).toBe(0);
    expect(await oldestFundsRecord(db)).toEqual({ at: lastOfJune });

    await runToEnd(jobsAt(db, month(26))[0]);
    expect(await timesOf(db)).toEqual([late + 1, late, ...kept.slice(1).toReversed()]);
    const runs = await Promise.all([0, 1].map(() => runToEnd(jobsAt(db, month(25 + 9))[0])));
    expect(runs.reduce((sum, { done }) => sum + done, 0)).toBe(3);
    expect(await timesOf(db)).toEqual([late + 1]);
    expect(await names(db)).toEqual([]);
  });

  it('a month whose records came first is not made, and they are found and forgotten all the same', async () => {
    await migrate(db, 1);
    await add(db, month(1) + DAY);
    expect(await runToEnd(jobsAt(db, JUNE)[1])).toEqual({ done: 2, isEnd: true });
    await add(db, month(1) + 2 * DAY);
    expect(await timesOf(db)).toEqual([month(1) + 2 * DAY, month(1) + DAY]);
    await runToEnd(jobsAt(db, month(26) + DAY)[0]);
    expect(await timesOf(db)).toEqual([month(1) + 2 * DAY]);
  });

  it('the table of before becomes the first partition, with the bound that was proven beside calls', async () => {
    const at = migrations.findIndex(({ name }) => name === 'funds-months');
    const migration = migrations[at];
    if (!migration) throw new Error('no such migration');
    for (const before of migrations.slice(0, at)) await db.script(scriptFor(before, 'postgres'));
    await db.run(
      `insert into funds_confirmations (id, consent_id, client_id, psu_id, account_id, amount, currency, available, request_id, asked_at)
       select 'r' || i, 'c', 'a', 'other', 'n', '1', 'EUR', 1, 'r', i from generate_series(1, ?::int) i`,
      [100_001],
    );
    await add(db, JUNE);
    const [promise = '', prove = ''] = migration.beforePostgres ?? [];
    for (const script of [promise, promise, prove, prove]) await db.script(script);
    expect(
      await db.all(
        `select convalidated as proven from pg_constraint where conname = 'funds_confirmations_until'`,
      ),
    ).toEqual([{ proven: true }]);
    await db.script(scriptFor(migration, 'postgres'));
    await add(db, month(2) - 1);
    await add(db, month(2));
    expect(
      await db.all(
        `select tableoid::regclass::text as part, asked_at as at from funds_confirmations where psu_id = 'psu' order by asked_at`,
      ),
    ).toEqual([
      { part: 'funds_confirmations_first', at: JUNE },
      { part: 'funds_confirmations_first', at: month(2) - 1 },
      { part: 'funds_confirmations_other', at: month(2) },
    ]);
    for (const script of [promise, prove]) await db.script(script);
  });
});
