/** What every engine behind the database port promises. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Db, type Queries, StoreUnavailable } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { bothEngines } from '../support/engines.js';

const TABLES = `
create table things (id text primary key, amount bigint, note text);
create table counters (name text primary key, value bigint not null);
create table parts (id text primary key, thing_id text not null references things (id));
create table late (id text primary key, thing_id text not null references things (id) deferrable initially deferred);
`;
const INSERT = 'insert into things (id, amount, note) values (?, ?, ?)';
const COUNT = 'select count(*) as n from things';

const engines = bothEngines('it is the contract of both engines: types, transactions, locks');

describe.each(engines)('the database port on %s', (engine) => {
  let database: TestDatabase;
  let db: Db;

  beforeAll(async () => {
    database = await createDatabase(engine);
    db = await openDb(database.url, 10);
    await db.script(TABLES);
  });
  beforeEach(() => db.script('delete from parts; delete from things; delete from counters;'));
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  const countThings = async (): Promise<number> => (await db.one<{ n: number }>(COUNT))?.n ?? -1;

  describe('queries', () => {
    it('says which engine it is', () => {
      expect(db.engine).toBe(engine);
    });

    it('returns all rows of a select in its order, and none as an empty list', async () => {
      for (const id of ['b', 'a', 'c']) await db.run(INSERT, [id, 1, null]);
      expect(await db.all('select id from things order by id')).toEqual([
        { id: 'a' },
        { id: 'b' },
        { id: 'c' },
      ]);
      expect(await db.all('select id from things where id = ?', ['nobody'])).toEqual([]);
    });

    it.each(['all', 'one'] as const)('returns nothing of a write whose commit fails (%s)', async (ask) => {
      const write = 'insert into late (id, thing_id) values (?, ?) returning id';
      await expect(db[ask](write, ['a', 'missing'])).rejects.toThrow();
      expect(await db.all('select id from late')).toEqual([]);
    });

    it('returns the first row, or undefined where there is none', async () => {
      await db.run(INSERT, ['a', 5, 'x']);
      const FIND = 'select id, amount, note from things where id = ?';
      expect(await db.one(FIND, ['a'])).toEqual({ id: 'a', amount: 5, note: 'x' });
      expect(await db.one(FIND, ['b'])).toBeUndefined();
    });

    it('counts the rows a write changed, also when it changed none', async () => {
      expect(await db.run(INSERT, ['a', 1, null])).toBe(1);
      expect(await db.run(INSERT, ['b', 1, null])).toBe(1);
      expect(await db.run('update things set amount = ?', [2])).toBe(2);
      expect(await db.run('delete from things where id = ?', ['nobody'])).toBe(0);
      const again = 'insert into things (id, amount, note) values (?, ?, ?) on conflict (id) do nothing';
      expect(await db.run(again, ['a', 9, null])).toBe(0);
    });

    it('returns the rows of a write with returning, through all and one', async () => {
      await db.run(INSERT, ['a', 1, null]);
      await db.run(INSERT, ['b', 2, null]);
      const raised = await db.all('update things set amount = amount + ? returning id, amount', [10]);
      expect(raised).toHaveLength(2);
      expect(raised).toEqual(
        expect.arrayContaining([
          { id: 'a', amount: 11 },
          { id: 'b', amount: 12 },
        ]),
      );
      expect(await db.one('delete from things where id = ? returning amount', ['b'])).toEqual({ amount: 12 });
      expect(await db.one('delete from things where id = ? returning amount', ['b'])).toBeUndefined();
    });

    it('keeps null apart from the empty text and from zero', async () => {
      await db.run(INSERT, ['null', null, null]);
      await db.run(INSERT, ['empty', 0, '']);
      expect(await db.all('select id, amount, note from things order by id')).toEqual([
        { id: 'empty', amount: 0, note: '' },
        { id: 'null', amount: null, note: null },
      ]);
      expect(await db.all('select id from things where note = ?', [null])).toEqual([]);
    });

    it.each([
      0,
      1,
      -1,
      2 ** 31,
      -(2 ** 31) - 1,
      2 ** 32 + 1,
      999_999_999_999_999,
      2 ** 53 - 1,
      -(2 ** 53 - 1),
    ])('gives the integer %d back as it was', async (amount) => {
      await db.run(INSERT, ['a', amount, null]);
      expect(await db.one('select amount from things where amount = ?', [amount])).toEqual({ amount });
    });

    it.each([
      ['Greek', 'Καλημέρα, ΐΰ · Ω Ω'],
      ['the Greek minimum', '\u039C\u0399\u039D_20'],
      ['emoji', '👩‍👩‍👧‍👦🇬🇷💶'],
      ['quotes and SQL', `'; drop table things; -- "\\ $1 ?`],
      ['line breaks and tabs', 'a\r\nb\tc\u2028d'],
      ['both forms of an accent', 'é e\u0301'],
    ])('gives text back unchanged: %s', async (_name, note) => {
      await db.run(INSERT, ['a', 1, note]);
      expect(await db.one('select note from things where note = ?', [note])).toEqual({ note });
      expect(await countThings()).toBe(1);
    });

    it('serves many concurrent uses of one statement, each with its own parameters', async () => {
      await Promise.all(
        Array.from({ length: 300 }, (_, index) => db.run(INSERT, [`t${index}`, index, null])),
      );
      const found = await Promise.all(
        Array.from({ length: 300 }, (_, index) =>
          db.one<{ amount: number }>('select amount from things where id = ?', [`t${index}`]),
        ),
      );
      expect(found.map((row) => row?.amount)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    });

    it('tells a broken rule as the error it is, not as a store that is down', async () => {
      await db.run(INSERT, ['a', 1, null]);
      const error = await db.run(INSERT, ['a', 1, null]).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(StoreUnavailable);
      await expect(
        db.run('insert into parts (id, thing_id) values (?, ?)', ['p', 'nobody']),
      ).rejects.toThrow();
      await expect(db.all('select nothing from nowhere')).rejects.not.toBeInstanceOf(StoreUnavailable);
    });
  });

  describe('transactions', () => {
    it('commit everything and return what the work returned', async () => {
      const result = await db.transaction(async (tx) => {
        await tx.run(INSERT, ['a', 1, null]);
        await tx.run(INSERT, ['b', 2, null]);
        return (await tx.one<{ n: number }>(COUNT))?.n;
      });
      expect(result).toBe(2);
      expect(await countThings()).toBe(2);
    });

    it('undo everything when the work throws, and pass its very error on', async () => {
      const reason = new Error('changed my mind');
      const work = db.transaction(async (tx) => {
        await tx.run(INSERT, ['a', 1, null]);
        throw reason;
      });
      await expect(work).rejects.toBe(reason);
      expect(await countThings()).toBe(0);
    });

    it('undo everything when one statement fails', async () => {
      const work = db.transaction(async (tx) => {
        await tx.run(INSERT, ['a', 1, null]);
        await tx.run(INSERT, ['b', 1, null]);
        await tx.run(INSERT, ['a', 2, null]);
      });
      await expect(work).rejects.toThrow();
      expect(await countThings()).toBe(0);
      await db.transaction((tx) => tx.run(INSERT, ['after', 1, null]));
      expect(await countThings()).toBe(1);
    });

    it('undo everything when one of several statements sent together fails', async () => {
      const work = db.transaction((tx) =>
        Promise.all(['a', 'b', 'a', 'c'].map((id) => tx.run(INSERT, [id, 1, null]))),
      );
      await expect(work).rejects.toThrow();
      expect(await countThings()).toBe(0);
    });

    it('that are known beforehand tell what each has changed', async () => {
      const write = (id: string) => ({ sql: `${INSERT} on conflict do nothing`, params: [id, 1, null] });
      expect(await db.writeBatch([write('a'), write('b')])).toEqual([1, 1]);
      expect(await db.writeBatch([write('c'), write('a'), write('d'), write('d')])).toEqual([1, 0, 1, 0]);
      expect(await countThings()).toBe(4);
      const bad = { sql: INSERT, params: ['a', 1, null] };
      await expect(db.writeBatch([write('e'), write('a'), bad])).rejects.toThrow();
      expect(await countThings()).toBe(4);
      expect(await db.writeBatch([])).toEqual([]);
    });

    it('are invisible outside until they are committed', async () => {
      await db.transaction(async (tx) => {
        await tx.run(INSERT, ['a', 1, null]);
        expect(await tx.one(COUNT)).toEqual({ n: 1 });
        expect(await db.one(COUNT)).toEqual({ n: 0 });
      });
      expect(await db.one(COUNT)).toEqual({ n: 1 });
    });

    it('never lose an increment, however many run at once', async () => {
      await db.run('insert into counters (name, value) values (?, 0)', ['n']);
      const values = await Promise.all(
        Array.from({ length: 60 }, () =>
          db.transaction(async (tx) => {
            const row = await tx.one<{ value: number }>(
              'update counters set value = value + 1 where name = ? returning value',
              ['n'],
            );
            await tx.run(INSERT, [`v${row?.value}`, row?.value ?? 0, null]);
            return row?.value;
          }),
        ),
      );
      expect(values.toSorted((a = 0, b = 0) => a - b)).toEqual(
        Array.from({ length: 60 }, (_, index) => index + 1),
      );
      expect(await countThings()).toBe(60);
    });

    it('take no statement any more once they are over', async () => {
      const kept: Queries[] = [];
      await db.transaction(async (tx) => void kept.push(tx));
      await db
        .transaction(async (tx) => {
          kept.push(tx);
          throw new Error('undo');
        })
        .catch(() => undefined);
      for (const tx of kept)
        await expect(tx.run(INSERT, ['late', 1, null])).rejects.toBeInstanceOf(StoreUnavailable);
      expect(await countThings()).toBe(0);
    });

    it('run beside single writes without mixing with them', async () => {
      const failing = db.transaction(async (tx) => {
        await tx.run(INSERT, ['inside', 1, null]);
        await tx.one(COUNT);
        throw new Error('undo');
      });
      const beside = db.run(INSERT, ['beside', 1, null]);
      await expect(failing).rejects.toThrow('undo');
      expect(await beside).toBe(1);
      expect(await db.all('select id from things')).toEqual([{ id: 'beside' }]);
    });
  });

  describe('exclusive work', () => {
    it('is a transaction that may run scripts', async () => {
      const work = db.exclusive(async (tx) => {
        await tx.script('create table passing (id text primary key); insert into passing values (1);');
        expect(await tx.all('select id from passing')).toHaveLength(1);
        throw new Error('undo');
      });
      await expect(work).rejects.toThrow('undo');
      await expect(db.all('select id from passing')).rejects.toThrow();
    });

    it('runs one after the other within a process', async () => {
      const steps: string[] = [];
      await Promise.all(
        [1, 2, 3].map(() =>
          db.exclusive(async (tx) => {
            steps.push('enter');
            await tx.one(COUNT);
            await new Promise((resolve) => setImmediate(resolve));
            steps.push('leave');
          }),
        ),
      );
      expect(steps).toEqual(['enter', 'leave', 'enter', 'leave', 'enter', 'leave']);
    });
  });

  it('is unavailable once it is closed, for statements known and new', async () => {
    const other = await openDb(database.url, 2);
    await other.one(COUNT);
    await other.run(INSERT, ['known', 1, null]);
    await other.close();
    await expect(other.one(COUNT)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(other.run(INSERT, ['b', 1, null])).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(other.all('select 2 as two')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(other.transaction((tx) => tx.one(COUNT))).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(other.exclusive((tx) => tx.one(COUNT))).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
