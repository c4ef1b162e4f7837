/** A Redis that accepts everything and answers nothing: it costs one time-out, not one at every call. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../bench/free-port.js';
import { ATMS } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { FaultyProxy } from '../faulty-proxy.js';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;

describe.skipIf(!isInstalled && !process.env.CI)('a Redis behind a bad network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trapeza-redis-'));
  let redis: ChildProcess;
  let proxy: FaultyProxy;
  let service: Service;
  beforeAll(async () => {
    const port = await freePort();
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    redis = spawn('redis-server', options, { stdio: 'ignore' });
    const client = new Redis(port, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    await client.ping();
    client.disconnect();
    proxy = await FaultyProxy.before(port);
    service = await startService({ env: { REDIS_URL: `redis://127.0.0.1:${proxy.port}` } });
  });
  afterAll(async () => {
    await service.close();
    await proxy.close();
    const ended = new Promise((resolve) => redis.once('exit', resolve));
    redis.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  const isShared = async (): Promise<string | undefined> => {
    const text = await (await fetch(`${service.app.managementUrl}/metrics`)).text();
    return /^trapeza_quotas_shared (\d)/m.exec(text)?.[1];
  };
  const call = async (): Promise<void> => {
    expect((await service.call({ path: ATMS })).status).toBe(200);
  };

  it('faults 12: that falls silent is asked once, told by a metric, and used again when it is back', async () => {
    await call();
    expect(await isShared()).toBe('1');
    proxy.swallow();
    proxy.silence();
    await call();
    expect(await isShared()).toBe('0');
    // Each of these would wait for the time-out if it asked.
    const asked = vi.spyOn(RateLimiterRedis.prototype, 'consume');
    for (let calls = 0; calls < 20; calls += 1) await call();
    expect(asked).not.toHaveBeenCalled();
    proxy.reset();
    await proxy.restore();
    await expect.poll(isShared).toBe('1');
    await call();
    expect(asked).toHaveBeenCalled();
    asked.mockRestore();
  });
});
