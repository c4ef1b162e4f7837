/** A store in trouble is told as such, apart from the caller's own mistakes, and used again once it is back. */
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Db, StoreUnavailable } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { postgresUrl } from '../support/postgres-url.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const opened = async (url: string, poolSize = 2): Promise<Db> => {
  const db = await openDb(url, poolSize);
  closers.push(() => db.close());
  return db;
};

const freshUrl = async (engine: 'sqlite' | 'postgres'): Promise<string> => {
  const database = await createDatabase(engine);
  closers.push(() => database.drop());
  return database.url;
};

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it worked',
    (error: unknown) => error,
  );

describe.runIf(hasPostgres)('PostgreSQL', () => {
  it('that cannot be reached is unavailable', async () => {
    const db = await opened('postgres://nobody:nothing@127.0.0.1:1/none');
    for (const work of [
      () => db.one('select 1 as one'),
      () => db.all('select 1 as one'),
      () => db.run('delete from things'),
      () => db.script('select 1'),
      () => db.transaction((tx) => tx.one('select 1 as one')),
      () => db.exclusive((tx) => tx.one('select 1 as one')),
    ]) {
      const error = await failure(work());
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect((error as StoreUnavailable).outcomeUnknown).toBe(false);
    }
  });

  it.each([
    ['has no such database', (url: string) => url.replace(/\w+$/, 'no_such_database')],
    ['refuses the password', (url: string) => url.replace(':postgres@', ':wrong@')],
  ])('that %s is unavailable', async (_name, change) => {
    const db = await opened(change(await postgresUrl()));
    expect(await failure(db.one('select 1 as one'))).toBeInstanceOf(StoreUnavailable);
  });

  it('that ends a connection fails the running transaction only, and is used again', async () => {
    const url = await freshUrl('postgres');
    const [db, operator] = [await opened(url), await opened(url)];
    await db.script('create table things (id text primary key)');
    const error = await failure(
      db.transaction(async (tx) => {
        await tx.run('insert into things values (?)', ['lost']);
        const session = await tx.one<{ pid: number }>('select pg_backend_pid() as pid');
        await operator.one('select pg_terminate_backend(cast(? as integer)) as done', [session?.pid ?? 0]);
        await tx.run('insert into things values (?)', ['lost too']);
      }),
    );
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect((error as StoreUnavailable).outcomeUnknown).toBe(false);
    expect(await db.run('insert into things values (?)', ['kept'])).toBe(1);
    expect(await db.all('select id from things')).toEqual([{ id: 'kept' }]);
  });

  it.each(['waits for something else', 'swallows the failure and goes on'])(
    'that ends a connection while the work %s lets nothing slip past the transaction',
    async (what) => {
      const url = await freshUrl('postgres');
      const [db, operator] = [await opened(url), await opened(url)];
      await db.script('create table things (id text primary key)');
      let late: unknown;
      const error = await failure(
        db.transaction(async (tx) => {
          const session = await tx.one<{ pid: number }>('select pg_backend_pid() as pid');
          const end = operator.one('select pg_terminate_backend(cast(? as integer)) as done', [
            session?.pid ?? 0,
          ]);
          if (what === 'waits for something else') await end;
          else await failure(tx.one('select pg_sleep(10)'));
          // Others use the pool meanwhile, so the connection is made anew.
          for (let count = 0; count < 4; count += 1) await failure(db.one('select 1 as one'));
          late = await failure(tx.run('insert into things values (?)', ['slipped past']));
        }),
      );
      expect(error).toBeInstanceOf(StoreUnavailable);
      await expect.poll(() => late).toBeInstanceOf(StoreUnavailable);
      expect(await operator.all('select id from things')).toEqual([]);
    },
  );

  it('that waits too long for a lock is unavailable', async () => {
    const url = await freshUrl('postgres');
    const [db, other] = [await opened(url), await opened(url)];
    await db.script('create table things (id text primary key)');
    await other.transaction(async (tx) => {
      await tx.run('insert into things values (?)', ['a']);
      const error = await failure(
        db.transaction(async (waiting) => {
          await waiting.run(`set local lock_timeout = '1ms'`);
          await waiting.run('insert into things values (?)', ['a']);
        }),
      );
      expect(error).toBeInstanceOf(StoreUnavailable);
    });
  });

  it('that turned read-only (a standby after a failover) is unavailable, not a bug', async () => {
    const db = await opened(await freshUrl('postgres'));
    const work = db.transaction(async (tx) => {
      await tx.run('set transaction read only');
      await tx.run('create table things (id text primary key)');
    });
    expect(await failure(work)).toBeInstanceOf(StoreUnavailable);
  });

  it('prepares a statement once and keeps it', async () => {
    const db = await opened(await freshUrl('postgres'), 1);
    for (let count = 0; count < 50; count += 1) await db.one('select cast(? as text) as x', [`${count}`]);
    const prepared = await db.one(
      `select count(*) as n from pg_prepared_statements where statement like 'select cast(%as x'`,
    );
    expect(prepared).toEqual({ n: 1 });
  });
});

describe.runIf(hasPostgres)('a commit whose answer is lost', () => {
  /** Passes everything on, and hangs up the moment it sees this in what the client sends. */
  const cuttingProxy = async (target: URL, word: RegExp): Promise<Server> => {
    const server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      client.on('error', () => upstream.destroy());
      upstream.on('error', () => client.destroy());
      upstream.on('data', (bytes) => client.write(bytes));
      upstream.on('close', () => client.destroy());
      client.on('close', () => upstream.destroy());
      client.on('data', (bytes) => {
        // The server still gets it, the client never hears of it.
        const isLast = word.test(bytes.toString('latin1'));
        if (isLast) upstream.removeAllListeners('data');
        upstream.write(bytes, () => isLast && client.destroy());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    return server;
  };

  const through = async (word: RegExp): Promise<{ db: Db; direct: Db }> => {
    const url = await freshUrl('postgres');
    const direct = await opened(url);
    await direct.script('create table things (id text primary key)');
    const proxy = await cuttingProxy(new URL(url), word);
    const detour = new URL(url);
    detour.port = String((proxy.address() as AddressInfo).port);
    return { db: await opened(detour.href), direct };
  };

  it('has an unknown outcome', async () => {
    const { db } = await through(/commit/i);
    const error = await failure(db.transaction((tx) => tx.run('insert into things values (?)', ['a'])));
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect((error as StoreUnavailable).outcomeUnknown).toBe(true);
  });

  it('is not confused with a connection that broke before the commit', async () => {
    const { db, direct } = await through(/broken wire/);
    const error = await failure(
      db.transaction((tx) => tx.run('insert into things values (?)', ['broken wire'])),
    );
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect((error as StoreUnavailable).outcomeUnknown).toBe(false);
    expect(await direct.all('select id from things')).toEqual([]);
  });
});

describe('SQLite', () => {
  const sqlite = async (): Promise<Db> => {
    const db = await opened(await freshUrl('sqlite'));
    await db.script('create table things (id text primary key, note text)');
    return db;
  };

  it('whose disk is full is unavailable, keeps what it has, and works again when there is room', async () => {
    const db = await sqlite();
    await db.run('insert into things (id) values (?)', ['kept']);
    await db.script('pragma max_page_count = 8');
    const note = 'x'.repeat(100_000);
    const insert = 'insert into things (id, note) values (?, ?)';
    expect(await failure(db.run(insert, ['big', note]))).toBeInstanceOf(StoreUnavailable);
    expect(await failure(db.transaction((tx) => tx.run(insert, ['big', note])))).toBeInstanceOf(
      StoreUnavailable,
    );
    expect(await db.all('select id from things')).toEqual([{ id: 'kept' }]);
    await db.script('pragma max_page_count = 1000');
    expect(await db.run(insert, ['big', note])).toBe(1);
  });

  it('that another process keeps locked is unavailable', async () => {
    const url = await freshUrl('sqlite');
    const [db, other] = [await opened(url), await opened(url)];
    await db.script('create table things (id text primary key)');
    await other.transaction(async (tx) => {
      await tx.run('insert into things values (?)', ['a']);
      expect(await failure(db.run('insert into things values (?)', ['b']))).toBeInstanceOf(StoreUnavailable);
      expect(await db.all('select id from things')).toEqual([]);
    });
    expect(await db.run('insert into things values (?)', ['b'])).toBe(1);
  });

  it('does not open what is not a database address', async () => {
    await expect(openDb('mysql://host/name')).rejects.toThrow('sqlite: or postgres://');
  });
});
