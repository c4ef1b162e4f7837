/** Ready means that calls succeed: what the store cannot do, or a start that has not ended, is told within seconds and at once to who asks. */
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../bench/free-port.js';
import { sandbox } from '../../../packages/sandbox/src/sandbox.js';
import { startApp } from '../../../src/app/app.js';
import { readConfig } from '../../../src/config/config.js';
import { DAY, HOUR, SECOND } from '../../../src/lib/clock.js';
import { createLog } from '../../../src/observe/log.js';
import { openDb } from '../../../src/store/open.js';
import { bankWith } from '../../bank/banks.js';
import { cleanUp, startSandbox, tempFolder } from '../../cli/program.js';
import { createDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { startService, testSecret } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { FaultyProxy } from '../faulty-proxy.js';
import { env, isAlive, patience, readyAt, reasonAt } from './readiness.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(cleanUp);

const openFaultyStore = async () => {
  const database = await createDatabase('postgres');
  closers.push(() => database.drop());
  const proxy = await FaultyProxy.beforeUrl(database.url);
  closers.push(() => proxy.close());
  return { database, proxy, url: proxy.through(database.url) };
};

describe.runIf(hasPostgres)('faults 5: a node without calls', () => {
  it('is not ready while its database is away, or there and silent, and ready again by itself', async () => {
    const { proxy, url } = await openFaultyStore();
    const service = await startService({ databaseUrl: url, env });
    closers.push(() => service.close());
    const { managementUrl } = service.app;
    await expect.poll(() => readyAt(managementUrl), patience).toBe('200');
    const faults = [
      () => {
        proxy.refuse();
        proxy.reset();
      },
      () => {
        proxy.silence();
        proxy.swallow();
      },
    ];
    for (const fault of faults) {
      fault();
      await expect.poll(() => readyAt(managementUrl), patience).toMatch(/^503 store/);
      expect(await isAlive(managementUrl)).toBe(200);
      await proxy.restore();
      proxy.reset();
      await expect.poll(() => readyAt(managementUrl), patience).toBe('200');
    }
  });

  it('is not ready while its database is read-only for new sessions', async () => {
    const { database, proxy, url } = await openFaultyStore();
    const service = await startService({ databaseUrl: url, env });
    closers.push(() => service.close());
    const { managementUrl } = service.app;
    // Its connection is older than the setting and can still write.
    const admin = await openDb(database.url, 1);
    closers.push(() => admin.close());
    const row = await admin.one<{ name: string }>('select current_database() as name');
    const setReadOnly = async (isReadOnly: boolean): Promise<void> => {
      await admin.script(`alter database ${row?.name} set default_transaction_read_only = ${isReadOnly}`);
      proxy.reset();
    };
    await setReadOnly(true);
    await expect.poll(() => reasonAt(managementUrl), patience).toBe('read-only');
    expect(await readyAt(managementUrl)).toBe('503 store');
    await setReadOnly(false);
    await expect.poll(() => readyAt(managementUrl), patience).toBe('200');
  });

  it('is not ready before its start has ended', async () => {
    const database = await createDatabase('sqlite');
    closers.push(() => database.drop());
    let answer: () => void = () => undefined;
    const bank = bankWith({
      name: 'slow',
      ping: () =>
        new Promise<void>((resolve) => {
          answer = resolve;
        }),
    });
    const management = await freePort();
    const config = readConfig({
      PORT: '0',
      TRAPEZA_MANAGEMENT_PORT: String(management),
      DATABASE_URL: database.url,
      TRAPEZA_SECRET: testSecret,
      TRAPEZA_DEMO_MONTHS: '0',
      TRAPEZA_DEADLINE_MS: '60000',
    });
    const starting = startApp({ config, extensions: [sandbox], bank, log: createLog('silent') });
    const managementUrl = `http://127.0.0.1:${management}`;
    const status = (): Promise<string> => readyAt(managementUrl).catch(() => 'not there');
    await expect.poll(status, patience).toMatch(/^503 .*accepting/);
    expect(await isAlive(managementUrl)).toBe(200);
    answer();
    const app = await starting;
    closers.push(() => app.close());
    await expect.poll(() => readyAt(managementUrl), patience).toBe('200');
  });
});

/** `Date.now` of the program is so far off, from its first line on. */
const offBy = (ms: number): string =>
  `--import=data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${ms}`)}`;

const LEFT = `select status as what, count(*) as count from consents group by status
  union all select 'events', count(*) from events order by what`;

describe.runIf(hasPostgres)('a process that starts beside others with a clock of its own', () => {
  it.each([26 * HOUR, 400 * DAY])('ends and deletes nothing and is not ready: %i ms', async (ms) => {
    const first = await startService({ engine: 'postgres' });
    closers.push(() => first.close());
    await first.app.runJobs();
    const left = () => withStore(first, (db) => db.all(LEFT));
    const before = await left();
    const off = await startSandbox({
      cwd: tempFolder(),
      env: { DATABASE_URL: first.databaseUrl, TRAPEZA_SECRET: testSecret, NODE_OPTIONS: offBy(ms) },
    });
    expect(await readyAt(off.managementUrl)).toBe('503 clock');
    // It has looked for jobs that are due.
    const turns = async (): Promise<string> => (await fetch(`${off.managementUrl}/metrics`)).text();
    for (const until = performance.now() + 5 * SECOND; performance.now() < until; await turns());
    const text = await turns();
    expect(text).not.toMatch(/^trapeza_job_runs_total\{.*\} [1-9]/m);
    const [, offset] = /^trapeza_clock_offset_seconds (\S+)$/m.exec(text) ?? [];
    expect(Math.abs(Number(offset) - ms / SECOND)).toBeLessThan(5);
    expect(await left()).toEqual(before);
    expect(await off.program.stop()).toMatchObject({ code: 0 });
  });
});
