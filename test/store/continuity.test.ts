/**
 * A store that has lost what was committed is noticed and not used, and a store that was there before and is empty or behind is not started
 * on, until an operator accepts it as it is.
 */
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/lib/clock.js';
import { auditRows } from '../cli/data/rows.js';
import { cleanUp, jsonOf, runCommand, tempFolder } from '../cli/program.js';
import { sandboxToken, slugOf } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';
import { ATMS, FUNDS, fundsBody } from '../support/operations.js';
import { type Service, startService, testSecret } from '../support/service.js';
import { isRelease } from '../support/tier.js';
import { withStore } from '../support/use-service.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(cleanUp);

const start = async (databaseUrl: string): Promise<Service> => {
  const service = await startService({ databaseUrl, env: { TRAPEZA_DEMO_MONTHS: '0' } });
  closers.push(() => service.close());
  return service;
};

const funds = (service: Service, token?: string) =>
  service.call({
    method: 'POST',
    path: FUNDS,
    body: fundsBody(),
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
  });
const freshToken = ({ app }: Service): Promise<string> => sandboxToken(app.listenUrl, {});

const readiness = async ({ app }: Service): Promise<string> => {
  const answer = await fetch(`${app.managementUrl}/health/ready`);
  const { checks, reasons } = (await answer.json()) as Record<string, Record<string, string>>;
  return `${answer.status} ${reasons?.store ?? checks?.store}`;
};

/** What a failover to a standby that was behind leaves: the last counts of one node are not there. The others hear of it. */
const LOSE_TAIL = `
  update store_pulses set number = number - 1000 where node = (select min(node) from store_pulses)`;

describe.each(engines)('a running node on %s', (engine) => {
  it('notices that the store has lost its tail, answers nothing from it, and goes on when an operator has accepted it', async () => {
    const database = await createDatabase(engine);
    closers.push(() => database.drop());
    const nodes = [await start(database.url), await start(database.url)] as const;
    const [first] = nodes;
    const consent = first.consent('ConfirmationOfFunds');
    const status = () => first.call({ path: `/piis/psd2/v1/consents/${consent.id}/status` });
    expect((await funds(first)).status).toBe(200);

    await withStore(first, (db) => db.run(LOSE_TAIL));
    for (const node of nodes) await expect.poll(() => readiness(node)).toBe('503 forgot');
    for (const answer of [await funds(first), await status()]) {
      expect([answer.status, slugOf(answer)]).toEqual([503, 'dependency-unavailable']);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    expect(await first.call({ path: ATMS })).toMatchObject({ status: 200 });
    expect(await first.app.metrics()).toMatch(/^trapeza_check_failed\{check="store",reason="forgot"\} 1$/m);
    for (const { logs } of nodes)
      expect(logs.filter((line) => line.includes('trapeza store accept'))).toHaveLength(1);

    // Tokens know seconds, and this one is of an earlier one.
    first.clock.advance(SECOND);
    const loss = await first.app.admin.as({ actor: 'operator:test', reason: 'compared' }).acceptStore();
    expect(loss).toMatchObject({ evidence: 'pulse' });
    for (const node of nodes) await expect.poll(() => readiness(node)).toBe('200 ok');
    // Whether a token of before was revoked in the lost time, nobody knows.
    const old = await funds(first);
    expect([old.status, slugOf(old)]).toEqual([401, 'token-expired']);
    await expect.poll(async () => (await funds(first, await freshToken(first))).status).toBe(200);
  });
});

describe('a running node', () => {
  it('answers nothing from a file that was moved, or replaced by another one, while it was open', async () => {
    const path = join(tempFolder('disk'), 'trapeza.db');
    const service = await start(`sqlite:${path}`);
    expect((await funds(service)).status).toBe(200);
    renameSync(path, `${path}.moved`);
    copyFileSync(`${path}.moved`, path);
    await expect.poll(() => readiness(service)).toBe('503 forgot');
    expect((await funds(service)).status).toBe(503);
    expect(service.logs.join()).toContain('was moved or replaced while it was open');
  });
});

describe('a service does not start', () => {
  const envOf = (databaseUrl: string) => ({ DATABASE_URL: databaseUrl, TRAPEZA_SECRET: testSecret });
  /** A store of its own with one answered call, and a copy of it from before that call. */
  const makeStore = async () => {
    const path = join(tempFolder('disk'), 'trapeza.db');
    const url = `sqlite:${path}`;
    const first = await start(url);
    expect((await funds(first)).status).toBe(200);
    await first.close();
    closers.pop();
    copyFileSync(path, `${path}.old`);
    return { path, url };
  };

  it('on an older copy of its store, and does when an operator has accepted it', async () => {
    const { path, url } = await makeStore();
    const again = await start(url);
    await again.close();
    closers.pop();
    copyFileSync(`${path}.old`, path);
    await expect(start(url)).rejects.toThrow(/has forgotten what was committed .*trapeza store accept/);
    // The file is as it was found: its newest log may still be put back.
    expect(readdirSync(join(path, '..')).toSorted()).toEqual([
      'trapeza.db',
      'trapeza.db.old',
      'trapeza.db.pulse',
    ]);
    const accepted = await runCommand(['store', 'accept', '--reason', 'compared', '--json'], {
      env: envOf(url),
    });
    expect(accepted).toMatchObject({ code: 0 });
    const [row] = await auditRows(envOf(url));
    expect(row).toMatchObject({ act: 'store.accept', reason: 'compared' });
    expect((await funds(await start(url))).status).toBe(200);
  });

  if (isRelease)
    it('without the log of a process that was killed', async () => {
      const { path, url } = await makeStore();
      const running = await start(url);
      expect((await funds(running)).status).toBe(200);
      const copyWith = (ends: readonly string[]): string => {
        const copy = join(tempFolder('disk'), 'trapeza.db');
        for (const end of ends) copyFileSync(`${path}${end}`, `${copy}${end}`);
        return `sqlite:${copy}`;
      };
      await expect(start(copyWith(['', '.pulse']))).rejects.toThrow(/has forgotten/);
      expect((await funds(await start(copyWith(['', '-wal', '.pulse'])))).status).toBe(200);
    });

  it('on an empty file or none, and makes none', async () => {
    const { path, url } = await makeStore();
    truncateSync(path, 0);
    await expect(start(url)).rejects.toThrow(/is empty or another one/);
    expect(statSync(path).size).toBe(0);
    rmSync(path);
    await expect(start(url)).rejects.toThrow(/is empty or another one/);
    expect(existsSync(path)).toBe(false);
  });

  if (isRelease)
    it('on a restored backup, unless that was accepted with the restore', async () => {
      const { url } = await makeStore();
      const file = join(tempFolder('disk'), 'backup.db');
      expect(await runCommand(['backup', file], { env: envOf(url) })).toMatchObject({ code: 0 });
      const restore = ['restore', file, '--replace', '--json'];
      jsonOf(await runCommand(restore, { env: envOf(url) }));
      await expect(start(url)).rejects.toThrow(/restored from a backup of/);
      jsonOf(await runCommand([...restore, '--accept'], { env: envOf(url) }));
      expect((await funds(await start(url))).status).toBe(200);
    });
});
