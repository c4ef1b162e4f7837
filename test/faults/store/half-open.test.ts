/** A database host that went away without a word: its connections are there, and nothing comes through them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.js';
import { slugOf } from '../../support/client.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { FUNDS, fundsBody, goodRequest } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { FaultyProxy } from '../faulty-proxy.js';
import { faultVolume } from '../volume.js';

const test = it.runIf(hasPostgres);

let database: TestDatabase;
let proxy: FaultyProxy;
let service: Service;

beforeAll(async () => {
  database = await createDatabase('postgres');
  proxy = await FaultyProxy.beforeUrl(database.url);
  service = await startService({
    databaseUrl: proxy.through(database.url),
    env: { TRAPEZA_DEADLINE_MS: '5000', TRAPEZA_STATEMENT_MS: '1000' },
  });
});
afterAll(async () => {
  await service?.close();
  await proxy?.close();
  await database?.drop();
});

const askFunds = () => service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
const readAtms = () => service.call(goodRequest(service, 'getAtms'));

test('faults 3: calls that need the store get 503 in time, ATM reads go on, and new connections are used', async () => {
  for (let spell = 0; spell < faultVolume(1, 20); spell += 1) {
    expect([(await askFunds()).status, (await readAtms()).status]).toEqual([200, 200]);
    proxy.silence();
    proxy.swallow();
    // The keys and the revocations are older than the five seconds that other calls accept.
    service.clock.advance(MINUTE);
    const [refused, ...atms] = await Promise.all([askFunds(), readAtms(), readAtms(), readAtms()]);
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([503, true]);
    expect(slugOf(refused)).toMatch(/^(dependency-unavailable|outcome-unknown)$/);
    for (const { status } of atms) expect(status).toBe(200);
    await proxy.restore();
    await expect.poll(async () => (await askFunds()).status).toBe(200);
  }
});

test('faults 3: connections that fall silent one by one are replaced while others go on', async () => {
  await Promise.all(Array.from({ length: 30 }, askFunds));
  proxy.silence();
  await expect.poll(async () => (await askFunds()).status).toBe(200);
});
