/** The interface closed for maintenance: what still answers, what all others are told, and who opens it again. */
import { afterAll, describe, expect, it } from 'vitest';
import { startApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { DAY, MINUTE, SECOND } from '../../src/lib/clock.js';
import { instantText } from '../../src/lib/instant.js';
import { createLog } from '../../src/observe/log.js';
import { bankWith } from '../bank/banks.js';
import { cleanUp, jsonOf, runCommand } from '../cli/program.js';
import { enrolOperator } from '../operator/support.js';
import { type Answer, send, slugOf } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';
import { ATMS, FUNDS, goodRequest } from '../support/operations.js';
import { notice } from '../support/registry.js';
import { TestClock, testSecret } from '../support/service.js';
import { useService } from '../support/use-service.js';

afterAll(cleanUp);

const browser = { Accept: 'text/html' };
const page = (url: string, path: string): Promise<Answer> => send(url, { path, outsideContract: true });
const statusOf = async ({ url }: { readonly url: string }, path: string): Promise<number> =>
  (await page(url, path)).status;

describe.each(engines)('maintenance, on %s', (engine) => {
  const use = useService({ engine });
  const run = (env: Readonly<Record<string, string>>, ...args: string[]) =>
    runCommand(['maintenance', ...args], {
      env: { DATABASE_URL: use().databaseUrl, TRAPEZA_SECRET: testSecret, ...env },
    });

  it('closes every call and page; the status page, problem pages, health and console go on', async () => {
    const { admin } = use().app;
    expect((await use().call(goodRequest(use(), 'confirmFunds'))).status).toBe(200);
    const console = await enrolOperator(use(), 'night', 'service');
    const until = use().clock.now() + 20 * MINUTE;
    await admin.closeInterface({ until, message: 'The database is moved.' });
    notice(use());
    const funds = await use().call(goodRequest(use(), 'confirmFunds'));
    expect([funds.status, slugOf(funds)]).toEqual([503, 'dependency-unavailable']);
    expect(funds.headers['retry-after']).toBe(String(20 * 60 - 5));
    expect(funds.headers.link).toBe(`<${use().url}/status>; rel="status"`);
    expect(funds.json).toMatchObject({
      detail: `The bank has closed this interface for maintenance until ${instantText(until)}. The database is moved. News: ${use().url}/status`,
      extensions: { error: { code: 'MAINTENANCE', retryable: true } },
    });
    const closed = [
      ATMS,
      FUNDS,
      '/',
      '/docs',
      '/dashboard',
      '/oauth/auth',
      '/sandbox/credentials',
      '/nowhere',
    ];
    for (const path of closed) expect([path, await statusOf(use(), path)]).toEqual([path, 503]);
    const open = ['/status', '/status.json', '/status.atom', '/problems/dependency-unavailable'];
    for (const path of open) expect([path, await statusOf(use(), path)]).toEqual([path, 200]);
    const style = /href="([^"]+\.css)"/.exec((await page(use().url, '/status')).text)?.[1] ?? '';
    expect(await statusOf(use(), style)).toBe(200);
    const shown = await send(use().url, { path: '/dashboard', headers: browser, outsideContract: true });
    expect([shown.status, shown.text]).toEqual([503, expect.stringContaining('href="/status"')]);
    const ready = await fetch(`${use().app.managementUrl}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      expect.objectContaining({ checks: expect.objectContaining({ interface: 'maintenance' }) }),
    ]);
    expect(await use().app.metrics()).toContain('trapeza_maintenance 1');
    expect((await console.get('/operator/parties')).status).toBe(200);

    await admin.openInterface();
    notice(use());
    expect((await use().call(goodRequest(use(), 'confirmFunds'))).status).toBe(200);
    expect(use().app.readiness().checks).not.toHaveProperty('interface');
    const acts = (await admin.audit({ act: 'maintenance' }, 2)).map(({ act }) => act);
    expect(acts).toEqual(['maintenance.off', 'maintenance.on']);
  });

  it('is switched by commands; without a time callers are told to come back in five minutes', async () => {
    expect((await run({}, 'on', '--reason', 'rehearsal')).code).toBe(0);
    notice(use());
    const { headers, status } = await send(use().url, { path: ATMS });
    expect([status, headers['retry-after']]).toEqual([503, '300']);
    expect(jsonOf(await run({}, 'status', '--json'))).toMatchObject({
      closed: true,
      until: null,
      closing: null,
    });
    expect((await run({}, 'off')).stdout).toContain('open again');
    notice(use());
    expect(await statusOf(use(), '/')).toBe(200);
    expect((await run({}, 'status')).stdout).toBe('No operator has closed the interface.\n');
    const { admin } = use().app;
    const wrong = [{ until: use().clock.now() }, { until: use().clock.now() + 31 * DAY }, { message: ' ' }];
    for (const closing of wrong) await expect(admin.closeInterface(closing)).rejects.toThrow();
  });

  it('keeps a node closed that starts with a name which its store has never released', async () => {
    const database = await createDatabase(engine);
    const clock = new TestClock();
    const env = {
      DATABASE_URL: database.url,
      TRAPEZA_SECRET: testSecret,
      TRAPEZA_MAINTENANCE: 'restore-2026-11-19',
    };
    const config = readConfig({
      ...env,
      PORT: '0',
      TRAPEZA_MANAGEMENT_PORT: '0',
      TRAPEZA_OPERATOR_PORT: '0',
    });
    const log = createLog('silent');
    const start = () => startApp({ config, clock, log, bank: bankWith({ name: 'restored' }) });
    const later = () => clock.advance(5 * SECOND);
    let node = await start();
    try {
      expect(await statusOf(node, ATMS)).toBe(503);
      await node.admin.openInterface();
      later();
      expect(await statusOf(node, '/')).toBe(503);
      await node.admin.openInterface({ closing: 'restore-2026-11-18' });
      later();
      expect(await statusOf(node, '/')).toBe(503);
      const released = await runCommand(['maintenance', 'off'], { env });
      expect([released.code, released.stderr]).toEqual([0, '']);
      later();
      expect(await statusOf(node, '/')).toBe(200);
      // A restart for another reason does not close it again.
      await node.close();
      node = await start();
      expect(await statusOf(node, '/')).toBe(200);
    } finally {
      await node.close();
      await database.drop();
    }
  });
});
