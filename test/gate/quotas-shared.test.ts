/** Limits that two nodes share through Redis, against a real server; and what happens when it goes away. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { type Answer, send, slugOf } from '../support/client.js';
import { hasPostgres } from '../support/engines.js';
import { ATMS } from '../support/operations.js';
import { notice, subscribe } from '../support/registry.js';
import { type Service, startService } from '../support/service.js';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
if (!isInstalled) console.warn('SKIPPED: redis-server is not installed, so shared quotas are not tested');
const isDemanded = Boolean(process.env.CI);

let redis: ChildProcess;
let folder: string;
let url: string;
let nodes: readonly [Service, Service] | undefined;

const startRedis = async (): Promise<void> => {
  folder = mkdtempSync(join(tmpdir(), 'trapeza-redis-'));
  const port = await freePort();
  url = `redis://127.0.0.1:${port}`;
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  redis = spawn('redis-server', options, { stdio: 'ignore' });
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  await client.ping();
  client.disconnect();
};

const endRedis = (): Promise<void> =>
  new Promise((resolve) => {
    if (redis.exitCode !== null || redis.signalCode !== null) return resolve();
    redis.once('exit', () => resolve());
    redis.kill('SIGTERM');
  });

const verdict = (answer: Answer): string =>
  answer.status === 200 ? '200' : `${answer.status} ${slugOf(answer)}`;

const withKey = (node: Service, key: string): Promise<Answer> =>
  node.call({ path: ATMS, headers: { 'Ocp-Apim-Subscription-Key': key } });

const guess = (node: Service): Promise<Answer> =>
  send(node.url, { path: ATMS, headers: { 'Ocp-Apim-Subscription-Key': randomUUID() } });

const both = (): readonly [Service, Service] => {
  if (!nodes) throw new Error('the nodes have not started');
  return nodes;
};

/** A subscription that both nodes know. */
const subscribeOn = async (
  [first, second]: readonly [Service, Service],
  quotaPerMinute: number,
): Promise<string> => {
  const { key } = await subscribe(first, { quotaPerMinute });
  notice(second);
  return key;
};

describe.runIf(hasPostgres && (isInstalled || isDemanded))('two nodes and one Redis', () => {
  beforeAll(async () => {
    await startRedis();
    const env = { REDIS_URL: url, TRAPEZA_FAILED_AUTH_PER_MINUTE: '4' };
    const first = await startService({ engine: 'postgres', env });
    nodes = [first, await startService({ databaseUrl: first.databaseUrl, env })];
  });
  afterAll(async () => {
    for (const node of [...(nodes ?? [])].reverse()) await node.close();
    await endRedis();
    rmSync(folder, { recursive: true, force: true });
  });

  it('count one quota together, to the last request', async () => {
    const key = await subscribeOn(both(), 20);
    const [first, second] = both();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => withKey(index % 2 === 0 ? first : second, key)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter((answer) => verdict(answer) === '429 quota-exceeded')).toHaveLength(40);
  });

  it('count the failed attempts of an address together', async () => {
    const verdicts: string[] = [];
    for (const node of [...both(), ...both(), ...both()]) verdicts.push(verdict(await guess(node)));
    expect(verdicts.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => '401 subscription-key-invalid'));
    expect(verdicts.slice(4)).toEqual(['429 rate-limited', '429 rate-limited']);
    expect((await both()[1].call({ path: ATMS })).status).toBe(200);
  });

  it('go on counting, each for itself, when Redis is gone', async () => {
    const key = await subscribeOn(both(), 2);
    await endRedis();
    for (const node of both()) {
      const verdicts: string[] = [];
      for (let count = 0; count < 3; count += 1) verdicts.push(verdict(await withKey(node, key)));
      expect(verdicts).toEqual(['200', '200', '429 quota-exceeded']);
    }
  });
});
