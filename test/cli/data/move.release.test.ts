/** From the embedded store to PostgreSQL: every row, proven, or nothing. */
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openDb } from '../../../src/store/open.js';
import { openSingle } from '../../../src/store/sqlite/single.js';
import { createDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { FUNDS, fundsBody } from '../../support/operations.js';
import { startService, testSecret } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { cleanUp, jsonOf, runCommand, startTrapeza, tempFolder } from '../program.js';
import { auditRows, rowsOf } from './rows.js';

afterAll(cleanUp);
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const envOf = (DATABASE_URL: string) => ({ DATABASE_URL, TRAPEZA_SECRET: testSecret });

const emptyTarget = async (): Promise<string> => {
  const { url, drop } = await createDatabase('postgres');
  closers.push(drop);
  return url;
};

describe.runIf(hasPostgres)('a move to PostgreSQL', () => {
  const service = useService();

  /** The store of the running service, elsewhere and at rest. */
  const storeAtRest = async (): Promise<string> => {
    const folder = tempFolder();
    const url = `sqlite:${join(folder, 'trapeza.db')}`;
    jsonOf(await runCommand(['backup', join(folder, 'b'), '--json'], { env: envOf(service().databaseUrl) }));
    jsonOf(await runCommand(['restore', '--accept', join(folder, 'b'), '--json'], { env: envOf(url) }));
    return url;
  };

  const move = (from: string, to: string) =>
    runCommand(['store', 'move', '--to', to, '--json'], { env: envOf(from) });

  it('has every row of every table, and the service goes on with it', async () => {
    const from = await storeAtRest();
    const to = await emptyTarget();
    const moved = jsonOf<{ name: string; rows: number; hash: string }[]>(await move(from, to));
    const [act, ...before] = await auditRows(envOf(to));
    expect(act).toMatchObject({ act: 'store.move', details: { from: from.slice('sqlite:'.length) } });
    expect(before).toEqual(await auditRows(envOf(from)));
    const after = await rowsOf(to);
    const source = await rowsOf(from, { funds_confirmations: ['position'] });
    expect(moved.reduce((sum, { rows }) => sum + rows, 0)).toBe(Object.values(after).flat().length - 1);
    // The move itself: its row, and the head of the chain.
    for (const rows of [after, source]) {
      delete rows.audit_log;
      rows.settings = (rows.settings ?? []).filter((row) => !row.includes('audit-head'));
    }
    // The embedded engine numbers these records.
    expect(after).toEqual(source);
    const db = await openDb(to, 1);
    const sequences = await db.all(
      'select sequencename from pg_sequences where schemaname = current_schema()',
    );
    await db.close();
    expect(sequences).toEqual([]);
    const other = await startService({ databaseUrl: to });
    closers.push(() => other.close());
    expect((await other.call({ method: 'POST', path: FUNDS, body: fundsBody() })).status).toBe(200);
  });

  it('refuses a running source, a target with tables, another engine, and a row that PostgreSQL cannot hold', async () => {
    const to = await emptyTarget();
    expect((await move(service().databaseUrl, to)).stderr).toContain('is in use by a running process');
    const from = await storeAtRest();
    expect((await move(from, from)).stderr).toContain('--to postgres://');
    const store = openSingle(from.slice('sqlite:'.length));
    store.script(`insert into jobs (name, due_at, leased_until) values ('odd', 'soon', 0)`);
    store.close();
    const odd = await move(from, to);
    expect(odd.stderr).toMatch(/does not take a row of jobs/);
    expect(await rowsOf(to)).toEqual({});
    const target = await openDb(to, 1);
    await target.script('create table mine (x text)');
    await target.close();
    expect((await move(from, to)).stderr).toContain('the target has tables already');
  });

  it('leaves an empty database if it is killed, and can be started again', async () => {
    const from = await storeAtRest();
    const to = await emptyTarget();
    const program = startTrapeza(['store', 'move', '--to', to], { env: envOf(from) });
    const db = await openDb(to, 2);
    closers.push(() => db.close());
    // The locks of its transaction are seen before its tables are.
    const HAS_BEGUN = `select count(*) as n from pg_locks where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())`;
    while ((await db.one<{ n: number }>(HAS_BEGUN))?.n === 0);
    await program.stop('SIGKILL');
    while (((await db.one<{ n: number }>(HAS_BEGUN))?.n ?? 0) > 0);
    expect(await rowsOf(to)).toEqual({});
    expect(jsonOf<unknown[]>(await move(from, to)).length).toBeGreaterThan(30);
  });
});
