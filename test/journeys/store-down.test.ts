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
import { withStore } from '../support/use-service.js';

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

const linesOf = (message: string): string[] =>
  service.logs.filter((line) => line.includes(`"msg":"${message}"`));

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
    await expect
      .poll(ready)
      .toMatchObject([503, { checks: { store: 'failed' }, reasons: { store: 'unreachable' } }]);
    expect((await fetch(`${service.app.managementUrl}/health/live`)).status).toBe(200);
    expect(await service.app.metrics()).toMatch(
      /^trapeza_check_failed\{check="store",reason="unreachable"\} 1$/m,
    );
    await expect.poll(() => linesOf('not ready')).toHaveLength(1);
  });

  it('answers the same request with the same id when it is back, once for each time it was answered', async () => {
    await proxy.restore();
    let answer = await ask();
    for (let tries = 0; tries < 1000 && answer.status === 503; tries += 1) answer = await ask();
    expect(answer.json).toEqual({ fundsAvailable: true });
    expect((await all()).map(({ status }) => status)).toEqual(operationIds.map(() => 200));
    expect(await fundsRecords(service, requestId)).toHaveLength(1);
    await expect.poll(() => linesOf('ready again')).toHaveLength(1);
    expect(await service.app.metrics()).not.toMatch(/^trapeza_check_failed.* 1$/m);
  });
});

/** What the server says of its disk, of a tablespace that is gone, of a damaged page, and of itself. */
const troubles = ['53100', '53200', '58030', '58P01', 'XX001', 'XX002', '57P01'];

describe.runIf(hasPostgres)('a store whose server is in trouble', () => {
  const script = (sql: string): Promise<void> => withStore(service, (db) => db.script(sql));

  it('makes calls 503, and is never taken for a fault of this program', async () => {
    const ask = (): Promise<Answer> => service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    const answers: Record<string, unknown> = {};
    for (const code of troubles) {
      await script(`
        create or replace function fail() returns trigger language plpgsql as
          $$begin raise exception using errcode = '${code}', message = 'trouble'; end$$;
        create trigger fail before insert on funds_confirmations for each row execute function fail();`);
      const answer = await ask();
      answers[code] = [answer.status, slugOf(answer)];
      await script('drop trigger fail on funds_confirmations');
    }
    expect(answers).toEqual(
      Object.fromEntries(troubles.map((code) => [code, [503, 'dependency-unavailable']])),
    );
    expect((await ask()).status).toBe(200);
  });
});
