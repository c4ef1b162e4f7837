/** Ready means that calls succeed: what the store cannot do, or a start that has not ended, is told within seconds and at once to who asks. */

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../bench/free-port.js';
import { sandbox } from '../../../packages/sandbox/src/sandbox.js';
import { startApp } from '../../../src/app/app.js';
import { readConfig } from '../../../src/config/config.js';
import { createLog } from '../../../src/observe/log.js';
import { openDb } from '../../../src/store/open.js';
import { bankWith } from '../../bank/banks.js';
import { cleanUp, startSandbox, tempFolder } from '../../cli/program.js';
import { createDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { startService, testSecret } from '../../support/service.js';
import { FaultyProxy } from '../faulty-proxy.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(cleanUp);

const WITHIN_MS = 1000;
const env = { TRAPEZA_READY_WITHIN_MS: String(WITHIN_MS) };
const patience = { timeout: 60_000 };

/** The status of readiness, and which checks have failed. */
const readyAt = async (managementUrl: string): Promise<string> => {
  const answer = await fetch(`${managementUrl}/health/ready`);
  const { checks } = (await answer.json()) as { checks: Record<string, string> };
  const failed = Object.keys(checks).filter((name) => checks[name] === 'failed');
  return [answer.status, ...failed].join(' ');
};

const isAlive = async (managementUrl: string): Promise<number> =>
  (await fetch(`${managementUrl}/health/live`)).status;

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
    expect(await readyAt(managementUrl)).toBe('200');
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

  it('is not ready while its database takes no writes, as when the disk is full', async () => {
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
    await expect.poll(() => readyAt(managementUrl), patience).toBe('503 store');
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
    expect(await readyAt(managementUrl)).toBe('200');
  });
});

describe.runIf(hasPostgres)('faults 5: a node of two workers', () => {
  it('is ready with one of them, and not ready without any or without a database', async () => {
    const { proxy, url } = await openFaultyStore();
    const { program, managementUrl } = await startSandbox({
      cwd: tempFolder(),
      env: { ...env, TRAPEZA_WORKERS: '2', DATABASE_URL: url },
    });
    const workers = readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8')
      .trim()
      .split(' ');
    const signal = (name: NodeJS.Signals, pids = workers): void => {
      for (const pid of pids) process.kill(Number(pid), name);
    };
    const metric = async (): Promise<string | undefined> =>
      /^trapeza_ready (\d+)$/m.exec(await (await fetch(`${managementUrl}/metrics`)).text())?.[1];
    await expect.poll(metric, patience).toBe('2');
    signal('SIGSTOP', workers.slice(0, 1));
    // Longer than the report of the one that is stopped counts.
    for (const until = performance.now() + 2 * WITHIN_MS; performance.now() < until; )
      expect(await readyAt(managementUrl)).toBe('200');
    signal('SIGSTOP');
    await expect.poll(() => readyAt(managementUrl), patience).toBe('503 workers');
    expect(await isAlive(managementUrl)).toBe(200);
    signal('SIGCONT');
    await expect.poll(() => readyAt(managementUrl), patience).toBe('200');
    proxy.refuse();
    proxy.reset();
    await expect.poll(() => readyAt(managementUrl), patience).toMatch(/^503 workers store/);
    await proxy.restore();
    await expect.poll(() => readyAt(managementUrl), patience).toBe('200');
    expect(await program.stop()).toMatchObject({ code: 0 });
  });
});
