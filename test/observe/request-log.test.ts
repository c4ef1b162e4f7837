/** The request log: bounded, the same on all nodes, without secrets, and no reason for an answer to be late. */
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { DAY } from '../../src/lib/clock.js';
import type { RequestFacts } from '../../src/observe/observer.js';
import { RequestRecorder } from '../../src/observe/request-log/recorder.js';
import { RING, readRequests, readUsage } from '../../src/observe/request-log/records.js';
import { Problem } from '../../src/problem/problem.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { createDatabase } from '../support/database.js';
import { type Engine, engines } from '../support/engines.js';
import { TestClock } from '../support/service.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const openStore = async (engine: Engine) => {
  const database = await createDatabase(engine);
  closers.push(() => database.drop());
  const clock = new TestClock();
  const db = await openDb(database.url, 2);
  closers.push(() => db.close());
  await migrate(db, clock.now());
  const warnings: string[] = [];
  const log = { warn: (_fields: object, text: string) => void warnings.push(text) } as never;
  const node = (): RequestRecorder => {
    const ownerOf = () => undefined;
    const recorder = new RequestRecorder({ db, clock, log, timeZone: 'Europe/Athens', ownerOf });
    closers.push(() => recorder.close());
    return recorder;
  };
  return { db, clock, node, warnings };
};

const callOf = (clientId: string, number: number, more: Partial<RequestFacts> = {}): RequestFacts => ({
  operation: 'confirmFunds',
  status: 200,
  ms: 1.234,
  requestId: `request-${number}`,
  clientId,
  request: { method: 'POST', headers: {} } as IncomingMessage,
  ...more,
});

const secrets = {
  authorization: 'Bearer eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl',
  'ocp-apim-subscription-key': 'demo-key-8f1c',
  signature: 'keyId="SN=1",signature="c2VjcmV0"',
  'tpp-signature-certificate': 'MIIB',
  'psu-ip-address': '192.0.2.44',
  'x-own-header': 'whatever it says',
  cookie: 'trapeza_session=abc',
};

describe.each(engines)('the request log on %s', (engine) => {
  it('keeps the last calls of each application, whichever node had them, and counts all by day', async () => {
    const { db, clock, node } = await openStore(engine);
    const [first, second] = [node(), node()];
    for (let number = 1; number <= RING; number += 1) first.record(callOf('app', number, { status: 404 }));
    first.record(callOf('other', 1, { status: 429 }));
    await first.flush();
    for (let number = RING + 1; number <= RING + 50; number += 1) first.record(callOf('app', number));
    await first.flush();
    for (const status of [403, 503, 0]) second.record(callOf('app', 1000 + status, { status }));
    await second.flush();
    const calls = await readRequests(db, 'app');
    expect(calls).toHaveLength(RING);
    expect(calls.slice(0, 4).map(({ requestId }) => requestId)).toEqual([
      'request-1000',
      'request-1503',
      'request-1403',
      `request-${RING + 50}`,
    ]);
    expect(calls.at(-1)?.requestId).toBe('request-54');
    expect(await readRequests(db, 'app', calls[2]?.position)).toHaveLength(2);
    expect(await readUsage(db, 'app')).toMatchObject([
      { calls: RING + 53, refused: RING + 1, limited: 0, failed: 2 },
    ]);
    expect(await readUsage(db, 'other')).toMatchObject([{ calls: 1, refused: 0, limited: 1, failed: 0 }]);
    clock.advance(30 * DAY);
    second.record(callOf('app', 2000));
    await second.flush();
    expect(await readUsage(db, 'app')).toMatchObject([{ calls: 1 }]);
  });
});

describe('the request log', () => {
  it('keeps no secret, no account and nothing of an account holder', async () => {
    const { db, node } = await openStore('sqlite');
    const recorder = node();
    const headers = {
      ...secrets,
      accept: 'application/json',
      'user-agent': 'app GR1601101250000000012300695',
      'consent-id': '8beffa14-ea15-4c6c-bf07-301122334455',
    };
    const problem = new Problem('validation-failed', {
      detail: 'The account GR1601101250000000012300695 is wrong.',
      errors: { GR1601101250000000012300695: [] },
    });
    const request = { method: 'POST', headers } as unknown as IncomingMessage;
    recorder.record(callOf('app', 1, { status: 400, slug: problem.slug, problem, request }));
    await recorder.flush();
    const stored = JSON.stringify(await db.all('select * from request_log'));
    for (const value of [...Object.values(secrets), 'GR1601101250000000012300695', 'x-own-header', 'cookie'])
      expect(stored).not.toContain(value);
    expect((await readRequests(db, 'app'))[0]?.headers).toMatchObject({
      accept: 'application/json',
      'consent-id': '8beffa14-ea15-4c6c-bf07-301122334455',
      authorization: '•••',
      'ocp-apim-subscription-key': '•••',
    });
  });

  it('keeps the first calls of a flood, and of its refusals more', async () => {
    const { db, node } = await openStore('sqlite');
    const recorder = node();
    for (let number = 1; number <= 1000; number += 1) recorder.record(callOf('app', number));
    for (let number = 1; number <= 1000; number += 1) recorder.record(callOf('app', number, { status: 429 }));
    await recorder.flush();
    const statuses = (await readRequests(db, 'app')).map(({ status }) => status);
    expect(statuses.filter((each) => each === 200)).toHaveLength(50);
    expect(statuses.filter((each) => each === 429)).toHaveLength(RING - 50);
    expect(await readUsage(db, 'app')).toMatchObject([{ calls: 2000, limited: 1000 }]);
  });

  it('loses calls rather than keeping them while the store is away', async () => {
    const { db, node, warnings } = await openStore('sqlite');
    const recorder = node();
    const { transaction } = db;
    Object.assign(db, { transaction: () => Promise.reject(new Error('the store is away')) });
    for (let client = 0; client < 20; client += 1)
      for (let number = 0; number < RING; number += 1) recorder.record(callOf(`app-${client}`, number));
    await recorder.flush();
    expect(warnings).toEqual(['request log']);
    Object.assign(db, { transaction });
    recorder.record(callOf('app-0', 7));
    await recorder.flush();
    expect((await readRequests(db, 'app-0')).map(({ requestId }) => requestId)).toEqual(['request-7']);
  });
});
