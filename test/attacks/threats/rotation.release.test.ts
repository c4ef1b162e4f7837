/** Keys change while two nodes are busy, and nobody with a good one is refused; and the service runs with a role that owns nothing. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.js';
import { Vault } from '../../../src/lib/vault.js';
import { SigningKeys } from '../../../src/oauth/signing-keys.js';
import { grantsFor } from '../../../src/store/grants.js';
import { sandboxToken, send } from '../../support/client.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { ATMS, goodRequest, operationIds } from '../../support/operations.js';
import { notice, roll, subscribe } from '../../support/registry.js';
import { type Service, startService, testSecret } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { attackVolume } from '../volume.js';

let database: TestDatabase;
let nodes: readonly Service[] = [];

beforeAll(async () => {
  database = await createDatabase('postgres');
  const first = await startService({ databaseUrl: database.url });
  const second = await startService({ databaseUrl: database.url, env: { BASE_URL: first.url } });
  nodes = [first, second];
});
afterAll(async () => {
  for (const node of [...nodes].reverse()) await node.close();
  await database.drop();
});

const pass = (ms: number): void => {
  for (const node of nodes) node.clock.advance(ms);
};

const statusOf = async (node: Service, key: string, token: string): Promise<number> => {
  const headers = { 'Ocp-Apim-Subscription-Key': key, Authorization: `Bearer ${token}` };
  return (await send(node.app.listenUrl, { path: ATMS, headers })).status;
};

/** Calls both nodes, four at a time each, until the work is done; the statuses that came back. */
const callsDuring = async (
  work: () => Promise<void>,
  credentials: () => [string, string],
): Promise<number[]> => {
  const statuses: number[] = [];
  let isDone = false;
  const caller = async (node: Service): Promise<void> => {
    while (!isDone) statuses.push(await statusOf(node, ...credentials()));
  };
  const callers = nodes.flatMap((node) => Array.from({ length: 4 }, () => caller(node)));
  await work().finally(() => {
    isDone = true;
  });
  await Promise.all(callers);
  return statuses;
};

const rounds = attackVolume(6, 200);

describe.runIf(hasPostgres)('under load on two nodes', () => {
  const [first, second] = [() => nodes[0] as Service, () => nodes[1] as Service];

  it('T-03: while one key is rolled, the other one never fails, and the old one ends within five seconds', async () => {
    // `subscribe` and `roll` move the first node's clock; the second keeps step.
    const subscription = await subscribe(first());
    notice(second());
    let token = await sandboxToken(first().app.listenUrl);
    let rolled = subscription.key;
    const statuses = await callsDuring(
      async () => {
        for (let round = 0; round < rounds; round += 1) {
          const next = await roll(first(), subscription.id, 'primary');
          notice(second());
          // Before its ten minutes are over.
          if (round % 50 === 49) token = await sandboxToken(first().app.listenUrl);
          for (const node of nodes) expect(await statusOf(node, rolled, token)).toBe(401);
          rolled = next;
        }
      },
      () => [subscription.secondary, token],
    );
    expect(statuses.length).toBeGreaterThan(rounds);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('T-08: while the signing key is rolled, no good token fails on either node, and retired keys verify nothing', async () => {
    const vault = new Vault(testSecret);
    const old = await sandboxToken(first().app.listenUrl);
    let token = old;
    const statuses = await callsDuring(
      () =>
        withStore(first(), async (db) => {
          const keys = new SigningKeys(db, vault, first().clock);
          for (let round = 0; round < rounds; round += 1) {
            await keys.roll();
            pass(MINUTE);
            token = await sandboxToken((round % 2 === 0 ? first() : second()).app.listenUrl);
          }
        }),
      () => [first().keyOf(), token],
    );
    expect(statuses.length).toBeGreaterThan(rounds);
    expect(new Set(statuses)).toEqual(new Set([200]));
    pass(15 * MINUTE);
    for (const node of nodes) expect(await statusOf(node, first().keyOf(), old)).toBe(401);
  });
});

describe.runIf(hasPostgres)('a database role that owns nothing', () => {
  it('T-35: is enough for a service on a migrated database, and cannot change a table', async () => {
    const name = `r_${randomBytes(6).toString('hex')}`;
    const owner = new pg.Client(database.url);
    await owner.connect();
    await owner.query(`create role ${name} login password '${name}'`);
    // Those of the demo bank are not the product's.
    await owner.query(`grant select, insert, update, delete on all tables in schema public to ${name}`);
    for (const grant of await withStore(nodes[0] as Service, (db) => grantsFor(db, name)))
      await owner.query(grant);
    const url = new URL(database.url);
    url.username = name;
    url.password = name;
    const limited = new pg.Client(url.href);
    await limited.connect();
    for (const sql of [
      'drop table consents',
      'alter table tpps add column x text',
      'create table x (y text)',
    ])
      await expect(limited.query(sql)).rejects.toMatchObject({ code: '42501' });
    const service = await startService({ databaseUrl: url.href });
    try {
      for (const id of operationIds) expect((await service.call(goodRequest(service, id))).status).toBe(200);
    } finally {
      await service.close();
      await limited.end();
      await owner.query(`drop owned by ${name}`);
      await owner.query(`drop role ${name}`);
      await owner.end();
    }
  });
});
