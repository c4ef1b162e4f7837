/** A database that cannot be reached: 503 with the time to come back, never a wrong answer, and all is well once it is back. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/lib/clock.js';
import { FaultyProxy } from '../faults/faulty-proxy.js';
import { type Answer, slugOf } from '../support/client.js';
import { fundsRecords } from '../support/consents.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { FUNDS, fundsBody, goodRequest, operationIds } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let proxy: FaultyProxy;
let service: Service;

beforeAll(async () => {
  database = await createDatabase('postgres');
  proxy = await FaultyProxy.beforeUrl(database.url);
  service = await startService({ databaseUrl: proxy.through(database.url) });
  await service.token();
});
afterAll(async () => {
  await service.close();
  await proxy.close();
  await database.drop();
});

const all = (): Promise<Answer[]> =>
  Promise.all(operationIds.map((id) => service.call(goodRequest(service, id))));

describe.runIf(hasPostgres)('a store that is pulled out and put back', () => {
  const requestId = randomUUID();
  const ask = (): Promise<Answer> =>
    service.call({ method: 'POST', path: FUNDS, body: fundsBody(), headers: { 'X-Request-ID': requestId } });

  it('is there at first', async () => {
    expect((await all()).map(({ status }) => status)).toEqual(operationIds.map(() => 200));
  });

  it('makes calls that need it 503, while what is in memory is still served', async () => {
    proxy.refuse();
    proxy.reset();
    const answers = await Promise.all([
      ask(),
      ...operationIds.slice(2).map((id) => service.call(goodRequest(service, id))),
    ]);
    for (const answer of answers) {
      expect([answer.status, slugOf(answer)]).toEqual([503, 'dependency-unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.text).not.toMatch(/fundsAvailable|ECONN|postgres/i);
    }
  });

  it('makes every call but open data 503 once the picture of the callers is too old to be trusted', async () => {
    service.clock.advance(5 * SECOND);
    for (const [index, answer] of (await all()).entries())
      if (operationIds[index] === 'getAtms') expect(answer.status).toBe(200);
      else expect([answer.status, slugOf(answer)]).toEqual([503, 'dependency-unavailable']);
  });

  it('is told by the readiness check, not by the liveness check', async () => {
    const ready = async () => {
      const answer = await fetch(`${service.app.managementUrl}/health/ready`);
      return [answer.status, await answer.json()];
    };
    await expect.poll(ready).toMatchObject([503, { checks: { store: 'failed' } }]);
    expect((await fetch(`${service.app.managementUrl}/health/live`)).status).toBe(200);
  });

  it('answers the same request with the same id when it is back, once for each time it was answered', async () => {
    await proxy.restore();
    let answer = await ask();
    for (let tries = 0; tries < 1000 && answer.status === 503; tries += 1) answer = await ask();
    expect(answer.json).toEqual({ fundsAvailable: true });
    expect((await all()).map(({ status }) => status)).toEqual(operationIds.map(() => 200));
    expect(await fundsRecords(service, requestId)).toHaveLength(1);
  });
});
