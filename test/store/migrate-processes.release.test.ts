/** Programs that meet at one database: they migrate and seed it once, and leave alone what is not theirs. */
import { decodeProtectedHeader } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { casePsus } from '../../packages/sandbox/src/bank/case-people.js';
import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import type { Db } from '../../src/store/db.js';
import { migrate, migrations } from '../../src/store/migrate.js';
import { cleanUp, startSandbox, startTrapeza, trapeza } from '../cli/program.js';
import { sandboxToken } from '../support/client.js';
import { bothEngines } from '../support/engines.js';
import { testSecret } from '../support/service.js';
import { allMigrations, emptyDatabase, LEDGER, makeOld, useClosers } from './migrate-support.js';

const closers = useClosers();
afterAll(cleanUp);

const engines = bothEngines(
  'six processes migrate at once: PostgreSQL by an advisory lock, SQLite by a transaction that is immediate',
);

describe.each(engines)('programs that migrate on %s', (engine) => {
  it('runs each migration once when six processes start at once on an empty database', async () => {
    const { url, db } = await emptyDatabase(engine, closers);
    const starts = Array.from({ length: 6 }, () => trapeza(['migrate'], { env: { DATABASE_URL: url } }));
    const ends = await Promise.all(starts);
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      ends.map(() => ({ code: 0, stderr: '' })),
    );
    const ran = ends.filter(({ stdout }) => stdout.includes(`Ran ${migrations.length} migration(s)`));
    expect(ran).toHaveLength(1);
    expect(await db.all(LEDGER)).toEqual(allMigrations);
  });

  it('refuses a database that is newer than the program, by every command', async () => {
    const { url, db } = await emptyDatabase(engine, closers);
    await migrate(db, 1);
    await db.run('insert into migrations (id, name, applied_at) values (?, ?, ?)', [999, 'future', 1]);
    const refusal = /the database has migration 999 and needs .* knows only \d+: start a newer version/;
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

  it.each(engines)('seed one %s database exactly once', async (engine) => {
    const { url, db } = await emptyDatabase(engine, closers);
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
    expect(await db.all("select kid from signing_keys where purpose = 'token'")).toEqual([{ kid: kids[0] }]);
    expect(new Set(kids).size).toBe(1);
    const ends = await Promise.all(services.map(({ program }) => program.stop()));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  it('leave a store of real third parties alone', async () => {
    const { url, db } = await emptyDatabase('sqlite', closers);
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
