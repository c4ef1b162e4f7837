/** What readiness knows of the store: only a try that needs what calls need speaks for it, and what calls fail by speaks against it at once. */
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE } from '../../src/lib/clock.js';
import { type Db, StoreUnavailable } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { bothEngines, type Engine, hasPostgres } from '../support/engines.js';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const opened = async (url: string): Promise<Db> => {
  const db = await openDb(url, 2);
  closers.push(() => db.close());
  return db;
};

const storeOf = async (engine: Engine): Promise<{ readonly db: Db; readonly database: TestDatabase }> => {
  const database = await createDatabase(engine);
  closers.push(() => database.drop());
  const db = await opened(database.url);
  await migrate(db, 0);
  return { db, database };
};

const faultOf = ({ health }: Db): string | undefined => health.fault(MINUTE);
const SETTINGS = 'select name, value from settings order by name';
const INSERT = 'insert into settings (name, value) values (?, ?)';
const read = (db: Db): Promise<unknown> => db.batchedReads.all(SETTINGS);

describe.each(bothEngines('each engine has codes of its own for what it fails by'))('%s', (engine) => {
  it('is fit for calls after a read and a try, and not by what calls write', async () => {
    const { db } = await storeOf(engine);
    await read(db);
    await db.run(INSERT, ['a', '1']);
    await db.writeBatch([{ sql: INSERT, params: ['b', '1'] }]);
    await db.transaction((tx) => tx.run(INSERT, ['c', '1']));
    expect(faultOf(db)).toBe('no-answer');
    await db.tryWrite();
    expect(faultOf(db)).toBeUndefined();
    expect(db.health.fault(-1)).toBe('no-answer');
  });

  it('keeps nothing of a try, and two nodes that try do not wait for each other', async () => {
    const { db, database } = await storeOf(engine);
    const other = await opened(database.url);
    const before = await db.all(SETTINGS);
    for (let count = 0; count < 3; count += 1) await Promise.all([db.tryWrite(), other.tryWrite()]);
    expect(await db.all(SETTINGS)).toEqual(before);
  });

  it('ignores a mistake of the caller', async () => {
    const { db } = await storeOf(engine);
    await Promise.all([read(db), db.tryWrite(), db.run(INSERT, ['a', '1'])]);
    await expect(db.run(INSERT, ['a', '1'])).rejects.toThrow();
    await expect(db.batchedReads.one('select nothing from nowhere')).rejects.toThrow();
    expect(faultOf(db)).toBeUndefined();
  });
});

describe('SQLite', () => {
  it('without room is full for calls and for a try, until a try has succeeded', async () => {
    const { db } = await storeOf('sqlite');
    await Promise.all([read(db), db.tryWrite()]);
    const pages = await db.one<{ pages: number }>('select page_count as pages from pragma_page_count()');
    await db.run('vacuum');
    await db.script(`pragma max_page_count = ${pages?.pages}`);
    expect(faultOf(db)).toBeUndefined();
    await expect(db.run(INSERT, ['a', 'x'.repeat(1e6)])).rejects.toThrow(StoreUnavailable);
    expect(faultOf(db)).toBe('full');
    await db.script('pragma max_page_count = 1');
    await expect(db.tryWrite()).rejects.toThrow(StoreUnavailable);
    expect(faultOf(db)).toBe('full');
    await db.script('pragma max_page_count = 100000');
    await db.run(INSERT, ['b', '1']);
    expect(faultOf(db)).toBe('full');
    await db.tryWrite();
    expect(faultOf(db)).toBeUndefined();
  });
});

describe.runIf(hasPostgres)('PostgreSQL', () => {
  it('that became read-only is so for calls and tries, and is used again when it no longer is', async () => {
    const { db, database } = await storeOf('postgres');
    const operator = await opened(database.url);
    await Promise.all([read(db), db.tryWrite()]);
    const name = new URL(database.url).pathname.slice(1);
    const setReadOnly = (isReadOnly: boolean): Promise<void> =>
      operator.script(`alter database ${name} set default_transaction_read_only = ${isReadOnly}`);
    await setReadOnly(true);
    // The sessions that are there write on, as the database lets them.
    await db.tryWrite();
    expect(faultOf(db)).toBeUndefined();
    await db
      .transaction(async (tx) => {
        await tx.run('set transaction read only');
        await tx.run(INSERT, ['a', '1']);
      })
      .catch(() => undefined);
    expect(faultOf(db)).toBe('read-only');
    for (let count = 0; count < 2; count += 1) await expect(db.tryWrite()).rejects.toThrow(/read-only/);
    await expect(db.run(INSERT, ['a', '1'])).rejects.toThrow(StoreUnavailable);
    await setReadOnly(false);
    await expect(db.tryWrite()).resolves.toBeUndefined();
    expect(faultOf(db)).toBeUndefined();
    await db.run(INSERT, ['a', '1']);
  });

  it('tries without room for a role that may make no temporary tables, rather than never', async () => {
    const { database } = await storeOf('postgres');
    const operator = await opened(database.url);
    const name = new URL(database.url).pathname.slice(1);
    await operator.script(`
      revoke temporary on database ${name} from public;
      create role ${name}_role login password 'only here';
      grant select, insert, delete on settings to ${name}_role`);
    closers.push(() => operator.script(`drop owned by ${name}_role; drop role ${name}_role`));
    const url = new URL(database.url);
    url.username = `${name}_role`;
    url.password = 'only here';
    const db = await opened(url.href);
    await expect(db.tryWrite()).rejects.toThrow(/permission denied/);
    await read(db);
    await db.tryWrite();
    expect(faultOf(db)).toBeUndefined();
  });

  it('keeps none of the sessions of tries, and no table in them for another', async () => {
    const { db } = await storeOf('postgres');
    for (let count = 0; count < 3; count += 1) await db.tryWrite();
    const rows = await db.all<{ size: number }>(
      `select pg_relation_size(oid) + pg_relation_size(reltoastrelid) as size from pg_class where relname = 'trapeza_room'`,
    );
    expect(rows).toEqual([{ size: 0 }]);
    const [dead] = await db.all(`select count(*) as n from settings where name like 'trial%'`);
    expect(dead).toEqual({ n: 0 });
  });
});
