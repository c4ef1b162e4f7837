/** Quotas that nodes share through PostgreSQL: exact to the last call, at few statements, whatever a node or the store does. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sweepGrants } from '../../src/gate/limits/quota-grants.js';
import type { Quota, Quotas } from '../../src/gate/limits/quotas.js';
import { SharedQuotas } from '../../src/gate/limits/shared-quotas.js';
import { DAY, MINUTE, SECOND } from '../../src/lib/clock.js';
import { Problem } from '../../src/problem/problem.js';
import { beat } from '../../src/store/continuity/pulse.js';
import { type Db, StoreUnavailable } from '../../src/store/db.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { FaultyProxy } from '../faults/faulty-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { TestClock } from '../support/service.js';

let database: TestDatabase;
let proxy: FaultyProxy;
let db: Db;
let remote: Db;
const clock = new TestClock();
const nodes: Quotas[] = [];
let statements = 0;
let subjects = 0;

/** The same store, whose statements are counted. */
const counted = (store: Db): Db => ({
  ...store,
  one: (...asked) => {
    statements += 1;
    return store.one(...asked);
  },
  writeBatch: (writes) => {
    statements += 1;
    return store.writeBatch(writes);
  },
});

const startNode = (store = db): Quotas => {
  const node = new SharedQuotas(counted(store), clock);
  nodes.push(node);
  return node;
};

const quotaOf = (perMinute: number, perDay = 1_000_000): Quota => {
  subjects += 1;
  return { subject: `subscription ${subjects}`, perMinute, perDay, name: 'minute' };
};

/** What became of a call: nothing, or the seconds to wait. */
const spend = async (node: Quotas, quota: Quota): Promise<number | undefined> => {
  try {
    await node.spend(quota);
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return Number(error.details.headers?.['Retry-After']);
    throw error;
  }
};

/** How many of these calls were admitted. */
const admitted = async (node: Quotas, quota: Quota, calls: number): Promise<number> => {
  let count = 0;
  for (let call = 0; call < calls; call += 1) if ((await spend(node, quota)) === undefined) count += 1;
  return count;
};

describe.runIf(hasPostgres)('quotas of several nodes', () => {
  beforeAll(async () => {
    database = await createDatabase('postgres');
    proxy = await FaultyProxy.beforeUrl(database.url);
    db = await openDb(database.url, 4);
    remote = await openDb(proxy.through(database.url), 2);
    await migrate(db, clock.now());
    for (const node of ['a', 'b', 'c']) await beat(db, node, clock.now());
  });
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.close();
  });
  afterAll(async () => {
    await remote.close();
    await db.close();
    await proxy.close();
    await database.drop();
  });

  it('admit exactly 600 of 1,800 calls on three nodes, at one statement for twenty calls', async () => {
    const quota = quotaOf(600);
    const three = [startNode(), startNode(), startNode()];
    statements = 0;
    let count = 0;
    let below = 0;
    const caller = async (node: Quotas): Promise<void> => {
      for (let call = 0; call < 600; call += 1) {
        if ((await spend(node, quota)) !== undefined) continue;
        count += 1;
        if (count === 540) below = statements;
      }
    };
    await Promise.all(three.map(caller));
    expect(count).toBe(600);
    expect(below).toBeGreaterThan(0);
    expect(below).toBeLessThanOrEqual(540 / 20);
  });

  it('admit a crowd at once at few statements, and nobody beyond', async () => {
    const quota = quotaOf(10);
    const node = startNode();
    statements = 0;
    const crowd = await Promise.all(Array.from({ length: 50 }, () => spend(node, quota)));
    expect(crowd.filter((wait) => wait === undefined)).toHaveLength(10);
    expect(statements).toBeLessThanOrEqual(5);
  });

  it('spend without a promise while calls are held, and refuse a flood without a statement', async () => {
    const quota = quotaOf(600);
    const node = startNode();
    await node.spend(quota);
    expect(node.spend(quota)).toBeUndefined();
    expect(await admitted(node, quota, 700)).toBe(598);
    statements = 0;
    for (let call = 0; call < 1000; call += 1) expect(() => node.spend(quota)).toThrow(Problem);
    expect(statements).toBe(0);
    clock.advance(SECOND);
    expect(await spend(node, quota)).toBeGreaterThan(50);
    expect(statements).toBe(1);
  });

  it('give back what nobody has used for five seconds', async () => {
    const quota = quotaOf(40);
    const [idle, busy] = [startNode(), startNode()];
    await idle.spend(quota);
    expect(await admitted(busy, quota, 50)).toBe(36);
    clock.advance(5 * SECOND);
    const nextSecond = (): Promise<number> => {
      clock.advance(SECOND);
      return admitted(busy, quota, 1);
    };
    await expect.poll(nextSecond).toBe(1);
    expect(await admitted(busy, quota, 50)).toBe(2);
    expect(await admitted(idle, quota, 5)).toBe(0);
  });

  it('give back at the end of a node', async () => {
    const quota = quotaOf(40);
    const [ending, staying] = [startNode(), startNode()];
    await ending.spend(quota);
    await ending.close();
    expect(await admitted(staying, quota, 50)).toBe(39);
  });

  it('begin anew when the window ends, and use nothing of the one before', async () => {
    const quota = quotaOf(40);
    const [first, second] = [startNode(), startNode()];
    await first.spend(quota);
    clock.advance(MINUTE);
    expect((await admitted(first, quota, 50)) + (await admitted(second, quota, 50))).toBe(40);
    expect(await spend(first, quota)).toBeLessThanOrEqual(60);
  });

  it('return to the day what a minute leaves', async () => {
    const quota = quotaOf(40, 40);
    const node = startNode();
    for (let minute = 0; minute < 40; minute += 1) {
      expect(await spend(node, quota)).toBeUndefined();
      clock.advance(MINUTE);
    }
    expect(await spend(node, quota)).toBeGreaterThan(60);
  });

  it('follow a quota that is lowered or raised with the next grant', async () => {
    const quota = quotaOf(600);
    const node = startNode();
    expect(await admitted(node, quota, 40)).toBe(40);
    expect(await admitted(node, { ...quota, perMinute: 30 }, 600)).toBeLessThanOrEqual(60);
    clock.advance(SECOND);
    expect(await admitted(node, { ...quota, perMinute: 700 }, 800)).toBeGreaterThan(600);
  });

  it('run on with what was granted while the store is away, then refuse, and never admit one too many', async () => {
    const quota = quotaOf(40);
    const [far, near] = [startNode(remote), startNode()];
    expect(await admitted(far, quota, 2)).toBe(2);
    proxy.refuse();
    proxy.reset();
    clock.advance(5 * SECOND);
    await far.spend(quota);
    await far.spend(quota);
    await expect(far.spend(quota)).rejects.toThrow(StoreUnavailable);
    await proxy.restore();
    expect(4 + (await admitted(near, quota, 50)) + (await admitted(far, quota, 50))).toBe(40);
  });

  it('that are over leave no row', async () => {
    const quota = quotaOf(40);
    await startNode().spend(quota);
    expect(await sweepGrants(db, clock)).toBe(0);
    clock.advance(3 * DAY);
    expect(await sweepGrants(db, clock)).toBeGreaterThan(0);
    expect(await db.all('select subject from quota_grants')).toEqual([]);
  });
});
