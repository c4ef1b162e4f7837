/** Bringing a database to the current shape: once, whoever starts first, and without losing a row. */
import { decodeProtectedHeader } from 'jose';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { casePsus } from '../../packages/sandbox/src/bank/case-people.js';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import type { Db } from '../../src/store/db.js';
import { migrate, migrationState, migrations, scriptFor } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { cleanUp, startSandbox, startTrapeza, trapeza } from '../cli/program.js';
import { sandboxToken } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { bothEngines, type Engine } from '../support/engines.js';
import { ATMS } from '../support/operations.js';
import { startService, testSecret } from '../support/service.js';
import { isRelease } from '../support/tier.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(cleanUp);

const emptyDatabase = async (engine: Engine): Promise<{ url: string; db: Db }> => {
  const database = await createDatabase(engine);
  closers.push(() => database.drop());
  const db = await openDb(database.url, 2);
  closers.push(() => db.close());
  return { url: database.url, db };
};

const LEDGER = 'select id, name from migrations order by id';
const allMigrations = migrations.map(({ id, name }) => ({ id, name }));

/** As an earlier version left it: only the first migration, and rows of its time. */
const makeOld = async (db: Db): Promise<void> => {
  const [first] = migrations;
  if (!first) throw new Error('there is no first migration');
  await db.script(
    'create table migrations (id bigint primary key, name text not null, applied_at bigint not null)',
  );
  await db.script(scriptFor(first, db.engine));
  await db.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [first.id, first.name, 1]);
  await db.run(
    `insert into tpps (id, name, registration, roles, status, created_at) values (?, ?, ?, ?, 'active', ?)`,
    ['tpp-1', 'Ελληνική', 'PSDGR-BOG-1', 'PSP_IC', 1],
  );
};

describe('the migrations', () => {
  it('have unique names and ids that grow, so that "newest" has a meaning', () => {
    const ids = migrations.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    expect(new Set(migrations.map(({ name }) => name)).size).toBe(migrations.length);
  });
});

const engines = bothEngines(
  'six processes migrate at once: PostgreSQL by an advisory lock, SQLite by a transaction that is immediate',
);

describe.each(engines)('migrating on %s', (engine) => {
  it('runs each migration once when six processes start at once on an empty database', async () => {
    const { url, db } = await emptyDatabase(engine);
    const starts = Array.from({ length: 6 }, () => trapeza(['migrate'], { env: { DATABASE_URL: url } }));
    const ends = await Promise.all(starts);
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ends.map(() => ({ code: 0, stderr: '' })),
    );
    const ran = ends.filter(({ stdout }) => stdout.includes(`Ran ${migrations.length} migration(s)`));
    expect(ran).toHaveLength(1);
    expect(await db.all(LEDGER)).toEqual(allMigrations);
  });

  it('upgrades an old database and keeps its rows', async () => {
    const { db } = await emptyDatabase(engine);
    await makeOld(db);
    expect((await migrationState(db)).pending).toEqual(migrations.slice(1));
    expect(await migrate(db, 2)).toEqual(migrations.slice(1).map(({ name }) => name));
    expect(await db.all(LEDGER)).toEqual(allMigrations);
    expect(await db.one('select id, name from tpps')).toEqual({ id: 'tpp-1', name: 'Ελληνική' });
    expect(await db.one('select count(*) as n from atm_publications')).toEqual({ n: 0 });
  });

  it('does nothing on a database that is up to date', async () => {
    const { db } = await emptyDatabase(engine);
    expect(await migrate(db, 1)).toEqual(allMigrations.map(({ name }) => name));
    expect(await migrationState(db)).toEqual({ pending: [], ahead: [] });
    expect(await migrate(db, 2)).toEqual([]);
    expect(await db.all('select applied_at from migrations')).toEqual(
      allMigrations.map(() => ({ applied_at: 1 })),
    );
  });

  it('leaves nothing behind when a migration fails', async () => {
    const { db } = await emptyDatabase(engine);
    await makeOld(db);
    await db.script('create table atm_publications (other text)');
    await expect(migrate(db, 2)).rejects.toThrow();
    expect(await db.all(LEDGER)).toEqual(allMigrations.slice(0, 1));
    await db.script('drop table atm_publications');
    expect(await migrate(db, 3)).toEqual(migrations.slice(1).map(({ name }) => name));
  });

  /** As a newer version leaves it: one migration more, whose column nobody here knows. */
  const plantNext = async (db: Db, id: number, compatibleFrom?: number): Promise<void> => {
    await db.script(`alter table tpps add column planted_${id} text`);
    await db.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [id, `next-${id}`, 2]);
    if (compatibleFrom !== undefined)
      await db.run('insert into migration_compatibility (id, compatible_from) values (?, ?)', [
        id,
        compatibleFrom,
      ]);
  };

  it('an older node starts on a database one migration ahead, and no further unless that says so', async () => {
    const { url, db } = await emptyDatabase(engine);
    await migrate(db, 1);
    const known = migrations.at(-1)?.id ?? 0;
    await plantNext(db, known + 1);
    expect(await migrationState(db)).toEqual({ pending: [], ahead: [known + 1] });
    const service = await startService({ databaseUrl: url });
    closers.push(() => service.close());
    expect((await service.call({ path: ATMS })).status).toBe(200);
    expect(service.logs.some((line) => line.includes(`"ahead":[${known + 1}]`))).toBe(true);
    await plantNext(db, known + 2);
    await expect(migrate(db, 3)).rejects.toThrow(/start a newer version/);
    await db.run('insert into migration_compatibility (id, compatible_from) values (?, ?)', [
      known + 2,
      known,
    ]);
    expect(await migrate(db, 3)).toEqual([]);
    await plantNext(db, known + 3, known + 1);
    await expect(migrationState(db)).rejects.toThrow(`needs a program that knows ${known + 1}`);
  });

  it('refuses a database that is newer than the program, by every command', async () => {
    const { url, db } = await emptyDatabase(engine);
    await migrate(db, 1);
    await db.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [999, 'future', 1]);
    const refusal = /the database has migration 999 and needs .* knows only \d+: start a newer version/;
    await expect(migrate(db, 2)).rejects.toThrow(refusal);
    await expect(migrationState(db)).rejects.toThrow(refusal);
    const ends = await Promise.all(
      [['migrate'], ['tpp', 'list'], ['sandbox']].map((args) =>
        trapeza(args, {
          env: { DATABASE_URL: url, PORT: '0', TRAPEZA_MANAGEMENT_PORT: '0', TRAPEZA_SECRET: testSecret },
        }),
      ),
    );
    for (const { code, stderr } of ends) {
      expect(code).toBe(1);
      expect(stderr).toMatch(refusal);
      expect(stderr).not.toContain('    at ');
    }
  });
});

describe('sandboxes that start at once', () => {
  const count = async (db: Db, table: string): Promise<unknown> =>
    (await db.one<{ n: number }>(`select count(*) as n from ${table}`))?.n;

  const kidOfToken = async (baseUrl: string): Promise<string | undefined> => {
    return decodeProtectedHeader(await sandboxToken(baseUrl)).kid;
  };

  it.each(engines.filter((engine) => isRelease || engine === 'postgres'))(
    'seed one %s database exactly once',
    async (engine) => {
      const { url, db } = await emptyDatabase(engine);
      const env = { DATABASE_URL: url, TRAPEZA_SECRET: testSecret, TRAPEZA_DATABASE_POOL: '3' };
      const services = await Promise.all([1, 2, 3].map(() => startSandbox({ env })));
      expect(await count(db, 'tpps')).toBe(demoApplications.length);
      expect(await count(db, 'subscription_keys')).toBe(demoApplications.length * 2);
      expect(await count(db, 'demo_psus')).toBe(demoPsus.length + casePsus.length);
      // One for tokens, one for notifications.
      expect(await count(db, 'signing_keys')).toBe(2);
      expect(await count(db, 'atm_publications')).toBe(1);
      // All of them sign with the one key.
      const kids = await Promise.all(services.map(({ url: baseUrl }) => kidOfToken(baseUrl)));
      expect(await db.all("select kid from signing_keys where purpose = 'token'")).toEqual([
        { kid: kids[0] },
      ]);
      expect(new Set(kids).size).toBe(1);
      const ends = await Promise.all(services.map(({ program }) => program.stop()));
      expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
    },
  );

  it('leave a store of real third parties alone', async () => {
    const { url, db } = await emptyDatabase('sqlite');
    await makeOld(db);
    const program = startTrapeza(['sandbox'], {
      env: { DATABASE_URL: url, PORT: '0', TRAPEZA_MANAGEMENT_PORT: '0', TRAPEZA_SECRET: testSecret },
    });
    const { code, stderr } = await program.finished;
    expect(code).toBe(1);
    expect(stderr).toContain('third parties of a real service');
    expect(await count(db, 'tpps')).toBe(1);
    expect(await count(db, 'demo_psus')).toBe(0);
  });
});
