/** Two nodes on one PostgreSQL database: a caller cannot tell which one answers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { demoAtms } from '../../packages/sandbox/src/atms/demo-atms.js';
import { publishAtms } from '../../src/atms/publication.js';
import { DAY, SECOND } from '../../src/lib/clock.js';
import { type Answer, done, sandboxToken, send, slugOf, type Wanted } from '../support/client.js';
import { fundsRecords } from '../support/consents.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { ATMS, FUNDS, fundsBody, goodRequest, operationIds } from '../support/operations.js';
import { notice, roll, subscribe, suspend } from '../support/registry.js';
import { type Service, startService } from '../support/service.js';
import { withStore } from '../support/use-service.js';

interface Node {
  readonly service: Service;
  /** Where it listens; its public address is that of both. */
  readonly url: string;
}

let database: TestDatabase;
let first: Node;
let second: Node;

beforeAll(async () => {
  database = await createDatabase('postgres');
  const ports = [await freePort(), await freePort()];
  const start = async (port: number | undefined): Promise<Node> => {
    const env = { PORT: String(port), BASE_URL: `http://127.0.0.1:${ports[0]}` };
    return {
      service: await startService({ databaseUrl: database.url, env }),
      url: `http://127.0.0.1:${port}`,
    };
  };
  first = await start(ports[0]);
  second = await start(ports[1]);
});
afterAll(async () => {
  await second.service.close();
  await first.service.close();
  await database.drop();
});

const tokenOf = (node: Node): Promise<string> => sandboxToken(node.url);

const call = async (node: Node, wanted: Wanted, token?: string): Promise<Answer> =>
  send(node.url, {
    ...wanted,
    headers: {
      'Ocp-Apim-Subscription-Key': first.service.keyOf(),
      Authorization: `Bearer ${token ?? (await tokenOf(node))}`,
      'X-Request-ID': randomUUID(),
      ...wanted.headers,
    },
  });

const ask = (node: Node, amount: number, requestId: string = randomUUID()): Promise<Answer> =>
  call(node, {
    method: 'POST',
    path: FUNDS,
    body: fundsBody({ instructedAmount: { currency: 'EUR', amount } }),
    headers: { 'X-Request-ID': requestId },
  });

describe.runIf(hasPostgres)('two nodes', () => {
  it('take the tokens of each other, on every operation', async () => {
    const tokens = [await tokenOf(first), await tokenOf(second)];
    for (const token of tokens)
      for (const node of [first, second])
        for (const id of operationIds)
          expect((await call(node, goodRequest(first.service, id), token)).status).toBe(200);
  });

  it('know a new key at once and forget a rolled one together', async () => {
    const { id, key } = await subscribe(first.service);
    const read = (node: Node, used: string): Promise<Answer> =>
      call(node, { path: ATMS, headers: { 'Ocp-Apim-Subscription-Key': used } });
    notice(second.service);
    for (const node of [first, second]) expect((await read(node, key)).status).toBe(200);
    const next = await roll(first.service, id, 'primary');
    notice(second.service);
    for (const node of [first, second]) {
      expect((await read(node, next)).status).toBe(200);
      expect((await read(node, key)).status).toBe(401);
    }
  });

  it('refuse a suspended key together, within five seconds', async () => {
    const { key, keyId } = await subscribe(first.service);
    const headers = { 'Ocp-Apim-Subscription-Key': key };
    notice(second.service);
    for (const node of [first, second]) expect((await call(node, { path: ATMS, headers })).status).toBe(200);
    await suspend(first.service, 'key', keyId);
    notice(second.service);
    for (const node of [first, second])
      expect(slugOf(await call(node, { path: ATMS, headers }))).toBe('access-blocked');
  });
});

describe.runIf(hasPostgres)('what two nodes share', () => {
  it('are request ids: one that was used on the first is used on the second', async () => {
    const requestId = randomUUID();
    expect((await ask(first, 1, requestId)).status).toBe(200);
    expect((await ask(second, 1, requestId)).status).toBe(200);
    expect(slugOf(await ask(second, 2, requestId))).toBe('request-id-conflict');
    expect(await fundsRecords(first.service, requestId)).toHaveLength(2);
  });

  it('are races: of many contents with one request id one wins, wherever they arrive', async () => {
    const requestId = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? first : second, index + 1, requestId)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter((answer) => slugOf(answer) === 'request-id-conflict')).toHaveLength(19);
    expect(await fundsRecords(first.service, requestId)).toHaveLength(1);
  });

  it('is the ATM list under the same ETag, also after a new one was published', async () => {
    const read = async (): Promise<(string | undefined)[]> => {
      const answers = [await call(first, { path: ATMS }), await call(second, { path: ATMS })];
      return answers.map(({ headers, text }) => `${headers.etag} ${headers['last-modified']} ${text.length}`);
    };
    const [before, same] = await read();
    expect(same).toBe(before);
    await withStore(first.service, (db) => publishAtms(db, demoAtms().slice(1), first.service.clock.now()));
    const areNew = async (): Promise<boolean> => (await read()).every((each) => each !== before);
    await expect.poll(areNew).toBe(true);
    const [after, alike] = await read();
    expect(alike).toBe(after);
  });

  it('is the bank time: movements at once all count, on both', async () => {
    const now = async (node: Node): Promise<number> =>
      Date.parse(((await send(node.url, { path: '/sandbox/clock' })).json as { now: string }).now);
    const before = await now(second);
    const advance = { method: 'PUT', path: '/sandbox/clock', body: { advance: 'P100D' } };
    for (const answer of await Promise.all(
      [first, second, first, second].map(({ url }) => send(url, advance)),
    ))
      done(answer);
    expect((await now(second)) - before).toBeGreaterThanOrEqual(400 * DAY);
    for (const node of [first, second]) expect(slugOf(await ask(node, 1))).toBe('consent-not-valid');
    done(await send(second.url, { method: 'POST', path: '/sandbox/reset' }));
    for (const node of [first, second]) expect((await ask(node, 1)).status).toBe(200);
  });

  it('is the time of the store: a node whose clock is far off ends and deletes nothing, and is not ready', async () => {
    const { clock, app } = second.service;
    const left = () =>
      withStore(first.service, (db) =>
        db.all(`select status as what, count(*) as count from consents group by status
          union all select 'events', count(*) from events
          union all select 'funds records', count(*) from funds_confirmations order by what`),
      );
    await first.service.app.runJobs();
    const before = await left();
    for (const days of [26 / 24, 400, 12 * 365].flatMap((each) => [each, -each])) {
      clock.step(days * DAY);
      expect(app.readiness(), `${days} days`).toMatchObject({ ready: false, checks: { clock: 'failed' } });
      await app.runJobs();
      clock.step(-days * DAY);
    }
    expect(await left()).toEqual(before);
    expect(app.readiness().checks).toMatchObject({ clock: 'ok' });
    clock.step(2 * SECOND);
    expect(app.readiness().checks).toMatchObject({ clock: 'ok' });
    clock.step(-2 * SECOND);
  });
});
