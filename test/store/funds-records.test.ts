/** Funds records: found by person, and forgotten oldest first. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eachFundsAnswer, fundsAnswersOf, useOf } from '../../src/consent/uses.js';
import { runToEnd } from '../../src/jobs/jobs.js';
import { retention } from '../../src/jobs/retention.js';
import { DAY } from '../../src/lib/clock.js';
import type { Db } from '../../src/store/db.js';
import { migrate, migrations, scriptFor } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { bothEngines, type Engine } from '../support/engines.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const emptyDatabase = async (engine: Engine): Promise<Db> => {
  const database = await createDatabase(engine);
  closers.push(() => database.drop());
  const db = await openDb(database.url, 2);
  closers.push(() => db.close());
  return db;
};

const INSERT = `
  insert into funds_confirmations (id, consent_id, client_id, psu_id, account_id, amount, currency, available, request_id, asked_at)
  values (?, ?, ?, ?, 'account', '1', 'EUR', 1, ?, ?)`;

const PEOPLE = 7;
const APPS = 3;
const FIRST = Date.UTC(2026, 0, 1);
const idOf = (number: number): string => `record-${String(number).padStart(5, '0')}`;

/** A record a minute, of one person and one application after the other. */
const addRecords = (db: Db, from: number, count: number): Promise<void> =>
  db.transaction(async (tx) => {
    for (let number = from; number < from + count; number += 1) {
      const person = number % PEOPLE;
      const at = FIRST + number * 60_000;
      const [consent, app, psu] = [`consent-${person}`, `app-${number % APPS}`, `psu-${person}`];
      await tx.run(INSERT, [idOf(number), consent, app, psu, `request-${number}`, at]);
    }
  });

const idsOf = async (db: Db, person: number): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of eachFundsAnswer(db, `psu-${person}`, {})) ids.push(id);
  return ids;
};

const expectedIds = (person: number, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_each, index) => from + index)
    .filter((number) => number % PEOPLE === person)
    .map(idOf)
    .toReversed();

const engines = bothEngines(
  'PostgreSQL keeps funds records in partitions by month, SQLite in one table with other indexes',
);

describe.each(engines)('funds records on %s', (engine) => {
  let db: Db;
  beforeEach(async () => {
    db = await emptyDatabase(engine);
    await migrate(db, 1);
  });

  it('are found by person, newest first, across all that were written', async () => {
    await addRecords(db, 0, 1_700);
    for (let person = 0; person < PEOPLE; person += 1)
      expect(await idsOf(db, person)).toEqual(expectedIds(person, 0, 1_700));
    const expected = expectedIds(3, 0, 1_700);
    const page = await fundsAnswersOf(db, 'psu-3', {}, {}, 2);
    expect(page.rows.map(({ id }) => id)).toEqual(expected.slice(0, 2));
    const second = await fundsAnswersOf(db, 'psu-3', {}, { after: page.rows[1] }, 2);
    expect(second.rows.map(({ id }) => id)).toEqual(expected.slice(2, 4));
    const first = await fundsAnswersOf(db, 'psu-3', {}, { before: second.rows[0] }, 2);
    expect(first).toMatchObject({ rows: page.rows, newerRows: 0 });
    expect(page.total).toBe(expected.length);
    expect(await idsOf(db, 99)).toEqual([]);
  });

  it('are nobody’s while there are none', async () => {
    expect(await idsOf(db, 1)).toEqual([]);
    expect(await useOf(db, 'consent-1', 'psu-1', 'app-1')).toBeUndefined();
  });

  it('are forgotten oldest first, and those that follow are still found', async () => {
    await addRecords(db, 0, 1_700);
    // So many months after the thousandth record.
    const bankNow = Date.UTC(2028, 1, 1) + 999 * 60_000;
    const [job] = retention({
      db,
      bankTime: async () => bankNow,
      retentionConsentYears: 5,
      retentionRecordMonths: 25,
      retentionEventDays: 90,
    });
    if (!job) throw new Error('nothing forgets funds answers');
    expect(await runToEnd(job)).toEqual({ done: 1_000, isEnd: true });
    expect(await runToEnd(job)).toEqual({ done: 0, isEnd: true });
    await addRecords(db, 1_700, 600);
    for (let person = 0; person < PEOPLE; person += 1)
      expect(await idsOf(db, person)).toEqual(expectedIds(person, 1_000, 2_300));
  });

  it.each(['records-in-blocks', 'records-by-person'])('come through the migration %s', async (name) => {
    const old = await emptyDatabase(engine);
    const at = migrations.findIndex((each) => each.name === name);
    for (const migration of migrations.slice(0, at)) await old.script(scriptFor(migration, engine));
    await addRecords(old, 600, 600);
    await addRecords(old, 0, 600);
    for (const migration of migrations.slice(at)) await old.script(scriptFor(migration, engine));
    expect(await idsOf(old, 5)).toEqual(expectedIds(5, 0, 1_200));
  });
});

describe('the embedded engine', () => {
  const plansOf = async (sql: string): Promise<string[]> => {
    const db = await emptyDatabase('sqlite');
    await migrate(db, 1);
    return (await db.all<{ detail: string }>(`explain query plan ${sql}`)).map(({ detail }) => detail);
  };

  it('finds the records of a person, and the oldest of all, by an index', async () => {
    expect(
      await plansOf(
        `select count(*) from funds_confirmations where psu_id = 'psu-1' and client_id = 'app' and asked_at > ${DAY}`,
      ),
    ).toEqual([
      expect.stringContaining(
        'USING COVERING INDEX funds_confirmations_of_app (psu_id=? AND client_id=? AND asked_at>?)',
      ),
    ]);
    expect(await plansOf('select asked_at from funds_confirmations order by asked_at limit 1')).toEqual([
      expect.stringContaining('USING COVERING INDEX funds_confirmations_by_age'),
    ]);
  });
});
