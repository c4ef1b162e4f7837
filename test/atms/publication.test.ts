/** Publishing: one line of versions, equal bytes for equal lists, and a date that only moves forward. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Atm } from '../../src/atms/atm.js';
import { atmsOf, currentAtms, currentVersion, publishAtms } from '../../src/atms/publication.js';
import type { Db } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { racingEngines } from '../support/engines.js';
import { recordWith } from './support.js';

const NOON = Date.UTC(2026, 0, 15, 12);
const atm = (changes: Readonly<Record<string, unknown>> = {}): Atm => recordWith(changes) as Atm;
const A = atm({ id: '00000000-0000-4000-8000-00000000000a' });
const B = atm({ id: '00000000-0000-4000-8000-00000000000b' });

const engines = racingEngines(
  'publishers that come at once take the next version: PostgreSQL by a lock, SQLite by its one writer',
);

describe.each(engines)('publishing ATMs on %s', (engine) => {
  let database: TestDatabase;
  let url: string;
  let db: Db;

  beforeEach(async () => {
    database = await createDatabase(engine);
    url = database.url;
    db = await openDb(url);
    await migrate(db, NOON);
  });

  afterEach(async () => {
    await db.close();
    await database.drop();
  });

  it('starts with nothing published', async () => {
    expect(await currentVersion(db)).toBe(0);
    expect(await currentAtms(db)).toBeUndefined();
  });

  it('publishes a list with a strong ETag and a date in whole seconds', async () => {
    const outcome = await publishAtms(db, [A, B], NOON + 789);
    expect(outcome).toMatchObject({ changed: true, count: 2, lastModifiedMs: NOON });
    expect(outcome.etag).toMatch(/^"[\w-]{43}"$/);
    const { changed, ...rest } = outcome;
    expect(await currentAtms(db)).toMatchObject({ version: 1, ...rest });
    expect(changed).toBe(true);
  });

  it('gives an identical list the same ETag and date, whatever the order of records and members', async () => {
    const first = await publishAtms(db, [A, B], NOON);
    const shuffled = Object.fromEntries(Object.entries(A).reverse()) as Atm;
    shuffled.address = Object.fromEntries(Object.entries(A.address).reverse()) as Atm['address'];
    const second = await publishAtms(db, [B, shuffled], NOON + 3_600_000);
    expect(second).toEqual({ ...first, changed: false });
    expect(await currentVersion(db)).toBe(1);
  });

  it('writes the members in the order of the contract, sorted by id', async () => {
    await publishAtms(db, [B, A], NOON);
    const publication = await currentAtms(db);
    expect(publication?.body.startsWith('[{"id":"00000000-0000-4000-8000-00000000000a","name":')).toBe(true);
    expect(publication && atmsOf(publication).map(({ id }) => id)).toEqual([A.id, B.id]);
  });

  it('sends the Greek letters of a minimum as CE 9C CE 99 CE 9D 5F', async () => {
    await publishAtms(db, [atm({ minimumValueDispensed: '\u039C\u0399\u039D_10' })], NOON);
    const bytes = Buffer.from((await currentAtms(db))?.body ?? '');
    expect(bytes.includes(Buffer.from('CE9CCE99CE9D5F3130', 'hex'))).toBe(true);
    expect(bytes.includes('MIN_')).toBe(false);
  });

  it('moves the date forward with every change, even within one second or when the clock was set back', async () => {
    const dates = [];
    for (const [list, now] of [
      [[A], NOON],
      [[B], NOON + 100],
      [[A], NOON - 86_400_000],
      [[A, B], NOON + 60_000],
    ] as const) {
      dates.push((await publishAtms(db, list, now)).lastModifiedMs - NOON);
    }
    expect(dates).toEqual([0, 1000, 2000, 60_000]);
  });

  it('keeps only the last few versions', async () => {
    for (let index = 0; index < 10; index += 1) await publishAtms(db, [index % 2 ? A : B], NOON);
    expect(await db.all('select version from atm_publications order by version')).toEqual(
      [8, 9, 10].map((version) => expect.objectContaining({ version })),
    );
    expect(await currentVersion(db)).toBe(10);
  });

  it('never publishes a record that is not of the contract, nor an id twice', async () => {
    await publishAtms(db, [A], NOON);
    await expect(publishAtms(db, [atm({ atmid: 'x'.repeat(33) })], NOON)).rejects.toThrow(
      /atmid is longer than 32/,
    );
    await expect(publishAtms(db, [A, B, A], NOON)).rejects.toThrow(/twice/);
    expect(await currentVersion(db)).toBe(1);
  });

  it('lines up publishers that come at once: no version is lost or doubled', async () => {
    const outcomes = await Promise.all(
      // Many more than versions are kept: a number that was taken and pruned while somebody looked must not be used again.
      Array.from({ length: 60 }, (_, index) =>
        publishAtms(db, [atm({ atmid: `AT ONCE ${Math.floor(index / 2)}` })], NOON),
      ),
    );
    const changed = outcomes.filter((outcome) => outcome.changed);
    expect(await currentVersion(db)).toBe(changed.length);
    const seconds = changed
      .map(({ lastModifiedMs }) => (lastModifiedMs - NOON) / 1000)
      .toSorted((a, b) => a - b);
    expect(seconds).toEqual(changed.map((_, index) => index));
  });
});
