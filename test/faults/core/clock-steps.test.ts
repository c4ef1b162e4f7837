/** Somebody sets the time of day, two hours back or ahead: no limit ends early or lasts longer, and nothing old counts as new. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { simulatorMigrations } from '../../../packages/core-kit/src/simulator/migrations.js';
import { forHolders } from '../../../src/bank/guard/memberships.js';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.js';
import { Revocations } from '../../../src/oauth/revocations.js';
import type { Db } from '../../../src/store/db.js';
import { migrate } from '../../../src/store/migrate.js';
import { openDb } from '../../../src/store/open.js';
import { RecentTimes } from '../../../src/store/recent-times.js';
import { Directory } from '../../../src/tpp/directory.js';
import { bankWith } from '../../bank/banks.js';
import { slugOf } from '../../support/client.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { account, FUNDS, freshToken, fundsBody, psuId } from '../../support/operations.js';
import { TestClock } from '../../support/service.js';
import { useService } from '../../support/use-service.js';

const steps = [
  ['two hours back', -2 * HOUR],
  ['two hours ahead', 2 * HOUR],
] as const;

describe.each(steps)('faults 10: the clock is set %s', (_name, step) => {
  const service = useService({
    env: { TRAPEZA_QUOTA_PER_MINUTE: '3', TRAPEZA_FAILED_AUTH_PER_MINUTE: '3' },
  });

  it('and tokens are given out, the quota stays used up for its minute, and no longer', async () => {
    const ask = async (): Promise<number> => {
      const Authorization = `Bearer ${await freshToken(service())}`;
      return (
        await service().call({ method: 'POST', path: FUNDS, body: fundsBody(), headers: { Authorization } })
      ).status;
    };
    for (const _ of [1, 2, 3]) expect(await ask()).toBe(200);
    expect(await ask()).toBe(429);
    service().clock.step(step);
    expect(await ask()).toBe(429);
    service().clock.advance(MINUTE);
    expect(await ask()).toBe(200);
    service().clock.step(-step);
    service().clock.advance(MINUTE);
    expect(await ask()).toBe(200);
  });

  it('and an address that guessed keys is refused for its minute, and no longer', async () => {
    const guess = async (): Promise<string> =>
      slugOf(
        await service().call({
          method: 'POST',
          path: FUNDS,
          body: fundsBody(),
          headers: { 'Ocp-Apim-Subscription-Key': 'a'.repeat(32), Authorization: 'Bearer x' },
        }),
      );
    for (const _ of [1, 2, 3]) expect(await guess()).not.toBe('rate-limited');
    expect(await guess()).toBe('rate-limited');
    service().clock.step(step);
    expect(await guess()).toBe('rate-limited');
    service().clock.advance(MINUTE);
    expect(await guess()).not.toBe('rate-limited');
    service().clock.step(-step);
  });
});

describe.each(steps)('faults 10: the clock is set %s while the store is away', (_name, step) => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await createDatabase('sqlite');
    db = await openDb(database.url, 1);
    await migrate(db, 1, simulatorMigrations);
  });
  afterAll(() => database.drop());

  it('and the lists of keys and revocations are known for five seconds, as ever', async () => {
    const clock = new TestClock();
    const [directory, revocations] = [new Directory(db, clock), new Revocations(db, clock)];
    await Promise.all([directory.refresh(), revocations.refresh()]);
    await db.close();
    clock.step(step);
    expect(await revocations.isRevoked({ tokenId: 't' })).toBe(false);
    expect((await directory.blockedCertificates()).size).toBe(0);
    clock.advance(5 * SECOND);
    await expect(revocations.isRevoked({ tokenId: 't' })).rejects.toMatchObject({
      slug: 'dependency-unavailable',
    });
    await expect(directory.find('key')).rejects.toMatchObject({ slug: 'dependency-unavailable' });
    directory.close();
    revocations.close();
  });
});

it.each(steps)(
  'faults 10: the clock is set %s, and who holds an account is known for a minute',
  async (_name, step) => {
    const clock = new TestClock();
    let asked = 0;
    const accountsOf = bankWith({}).accountsOf;
    const bank = forHolders(
      bankWith({
        accountsOf: (person) => {
          asked += 1;
          return accountsOf(person);
        },
      }),
      clock,
    );
    const holds = (): Promise<boolean> => bank.holds(psuId('eleni'), account('eleni', 101).id);
    await holds();
    clock.step(step);
    await holds();
    expect(asked).toBe(1);
    clock.advance(MINUTE);
    await holds();
    expect(asked).toBe(2);
  },
);

const withNewStore = async (work: (db: Db) => Promise<void>): Promise<void> => {
  const database = await createDatabase('sqlite');
  const db = await openDb(database.url, 1);
  await migrate(db, 1, simulatorMigrations);
  await work(db);
  await db.close();
  await database.drop();
};

it('faults 10: a pause that all nodes share lasts its length at most, once the clock is set back', () =>
  withNewStore(async (db) => {
    const clock = new TestClock();
    const rule = { kind: 'test', most: 2, windowMs: 15 * MINUTE, pauses: true };
    const times = new RecentTimes(db, clock, rule);
    for (const _ of [1, 2]) expect((await times.take('somebody')).isTaken).toBe(true);
    clock.step(-2 * HOUR);
    expect(await times.fullUntil('somebody')).toBeLessThanOrEqual(clock.now() + 15 * MINUTE);
    expect((await times.take('somebody')).isTaken).toBe(false);
    clock.advance(15 * MINUTE);
    expect(await times.fullUntil('somebody')).toBeUndefined();
    expect((await times.take('somebody')).isTaken).toBe(true);
  }));

it('faults 10: a place that is given back is free again, though another node was a moment behind', () =>
  withNewStore(async (db) => {
    const behind = { now: () => 1_000, elapsed: () => 1_000 };
    const ahead = { now: () => 1_001, elapsed: () => 1_001 };
    const rule = { kind: 'test', most: 2, windowMs: 15 * MINUTE, pauses: true };
    const [one, other] = [new RecentTimes(db, ahead, rule), new RecentTimes(db, behind, rule)];
    const [first, second] = [await one.take('somebody'), await other.take('somebody')];
    for (const [times, place] of [
      [one, first],
      [other, second],
    ] as const)
      if (place.isTaken) await times.release('somebody', place.at);
    expect(await other.take('somebody')).toMatchObject({ isTaken: true, left: 1 });
  }));

it('faults 10: a clock that is ahead for a while does not make a node forget what is revoked', () =>
  withNewStore(async (db) => {
    const clock = new TestClock();
    const revocations = new Revocations(db, clock);
    await revocations.revokeToken('t');
    clock.step(2 * HOUR);
    await revocations.refresh();
    clock.step(-2 * HOUR);
    expect(revocations.recall({ tokenId: 't' })).toBe(true);
    revocations.close();
  }));
