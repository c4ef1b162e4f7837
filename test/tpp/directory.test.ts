/** Who a key belongs to, from memory: never older than five seconds, and never a yes that might be out of date. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SECOND } from '../../src/lib/clock.js';
import type { Access } from '../../src/model/caller.js';
import { Problem } from '../../src/problem/problem.js';
import { type Db, StoreUnavailable } from '../../src/store/db.js';
import { blockCertificate, fingerprintOf, unblockCertificate } from '../../src/tpp/blocked-certificates.js';
import { Directory } from '../../src/tpp/directory.js';
import { rollKey, setSuspended } from '../../src/tpp/registry.js';
import { ManualClock } from '../lib/manual-clock.js';
import { engines } from '../support/engines.js';
import { openStore, register, type Store } from './support.js';

describe.each(engines)('the directory on %s', (engine) => {
  let store: Store;
  let db: Db;
  const opened: Directory[] = [];
  beforeAll(async () => {
    store = await openStore(engine);
    db = store.db;
  });
  afterEach(() => {
    for (const directory of opened.splice(0)) directory.close();
  });
  afterAll(() => store.close());

  const open = async (on: Db = db): Promise<{ directory: Directory; clock: ManualClock }> => {
    const clock = new ManualClock();
    const directory = new Directory(on, clock);
    opened.push(directory);
    await directory.refresh();
    return { directory, clock };
  };

  /** The store as it is, until it is switched off. */
  const breakable = (): { db: Db; isDown: boolean; looks: number } => {
    const state = { db, isDown: false, looks: 0 };
    const guarded = <T>(work: () => Promise<T>): Promise<T> => {
      state.looks += 1;
      return state.isDown ? Promise.reject(new StoreUnavailable(new Error('down'))) : work();
    };
    state.db = {
      ...db,
      all: (sql, params) => guarded(() => db.all(sql, params)),
      one: (sql, params) => guarded(() => db.one(sql, params)),
    };
    return state;
  };

  it('tells at once what a known key stands for', async () => {
    const made = await register(db, { roles: ['PSP_IC'], quotaPerMinute: 5, quotaPerDay: 50 });
    const { directory } = await open();
    expect(directory.recall(made.primary.key)).toEqual({
      keyId: made.primary.id,
      subscriptionId: made.subscriptionId,
      clientId: made.clientId,
      tppId: made.tppId,
      registration: made.registration,
      signaturePolicy: undefined,
      binding: 'none',
      profile: 'none',
      roles: ['PSP_IC'],
      products: ['piis', 'opendata'],
      webhookUrl: undefined,
      redirectUris: ['https://app.example/back'],
      blocked: false,
      quotaPerMinute: 5,
      quotaPerDay: 50,
    } satisfies Access);
    expect(directory.recall(made.secondary.key)).toMatchObject({ keyId: made.secondary.id });
  });

  it('knows no other text, not even part of a key, its hash, or something very long', async () => {
    const { primary } = await register(db);
    const { directory } = await open();
    const row = await db.one<{ hash: string }>('select hash from subscription_keys where id = ?', [
      primary.id,
    ]);
    for (const text of [
      '',
      ' ',
      primary.key.slice(1),
      `${primary.key} `,
      primary.id,
      row?.hash ?? '',
      'x'.repeat(9000),
    ])
      expect(await directory.find(text)).toBeUndefined();
  });

  it('finds a key that was made a moment ago, even if the picture is as young', async () => {
    const { directory } = await open();
    const polled = directory.refresh();
    const { primary } = await register(db);
    await polled;
    expect(await directory.find(primary.key)).toMatchObject({ keyId: primary.id, blocked: false });
  });

  it('refuses a replaced key within five seconds, and the other one never', async () => {
    const { subscriptionId, primary, secondary } = await register(db);
    const { directory, clock } = await open();
    expect(await directory.find(primary.key)).toBeDefined();
    const rolled = await db.transaction((tx) => rollKey(tx, subscriptionId, 'primary', 2));
    clock.advance(5 * SECOND);
    expect(await directory.find(primary.key)).toBeUndefined();
    expect(await directory.find(rolled.key)).toMatchObject({ keyId: rolled.id });
    expect(await directory.find(secondary.key)).toMatchObject({ keyId: secondary.id });
  });

  it.each(['tpp', 'application', 'key'] as const)(
    'sees the suspension of a %s within five seconds, and its end',
    async (what) => {
      const made = await register(db);
      const ids = { tpp: made.tppId, application: made.clientId, key: made.primary.id };
      const { directory, clock } = await open();
      for (const suspended of [true, false, true]) {
        await db.transaction((tx) => setSuspended(tx, what, ids[what], suspended));
        clock.advance(5 * SECOND);
        expect(await directory.find(made.primary.key)).toMatchObject({ blocked: suspended });
      }
      expect(await directory.find(made.secondary.key)).toMatchObject({ blocked: what !== 'key' });
    },
  );

  it('answers from memory for less than five seconds, then looks again', async () => {
    const { primary, tppId } = await register(db);
    const { directory, clock } = await open();
    await db.transaction((tx) => setSuspended(tx, 'tpp', tppId, true));
    clock.advance(5 * SECOND - 1);
    expect(directory.recall(primary.key)).toMatchObject({ blocked: false });
    clock.advance(1);
    expect(await directory.find(primary.key)).toMatchObject({ blocked: true });
  });

  it('never gives a stale yes: after five seconds without the store it is unavailable', async () => {
    const { primary, tppId } = await register(db);
    const state = breakable();
    const { directory, clock } = await open(state.db);
    state.isDown = true;
    await db.transaction((tx) => setSuspended(tx, 'tpp', tppId, true));
    clock.advance(5 * SECOND - 1);
    expect(directory.recall(primary.key)).toBeDefined();
    clock.advance(1);
    for (let count = 0; count < 3; count += 1) {
      const error = await Promise.resolve(directory.find(primary.key)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Problem);
      expect((error as Problem).slug).toBe('dependency-unavailable');
      clock.advance(SECOND);
    }
    state.isDown = false;
    expect(await directory.find(primary.key)).toMatchObject({ blocked: true });
  });

  it('knows a blocked certificate within five seconds, tells of it once, and is unavailable without the store', async () => {
    const fingerprint = fingerprintOf(`SHA256 Fingerprint=${'AB:'.repeat(31)}AB`);
    const state = breakable();
    const told: string[] = [];
    const clock = new ManualClock();
    const directory = new Directory(state.db, clock, {
      onBlock: (print, isBlocked) => told.push(`${print} ${isBlocked}`),
    });
    opened.push(directory);
    await directory.refresh();
    const isBlocked = async (): Promise<boolean> => (await directory.blockedCertificates()).has(fingerprint);
    expect(await isBlocked()).toBe(false);
    await db.transaction((tx) => blockCertificate(tx, fingerprint, 'stolen', 1));
    clock.advance(5 * SECOND);
    expect(await isBlocked()).toBe(true);
    state.isDown = true;
    clock.advance(5 * SECOND);
    await expect(isBlocked()).rejects.toMatchObject({ slug: 'dependency-unavailable' });
    state.isDown = false;
    await db.transaction((tx) => unblockCertificate(tx, fingerprint));
    expect(await isBlocked()).toBe(false);
    expect(told).toEqual([`${fingerprint} true`, `${fingerprint} false`]);
  });

  it('says "unavailable", not "unknown", to a new key while the store is down', async () => {
    const state = breakable();
    const { directory, clock } = await open(state.db);
    state.isDown = true;
    clock.advance(300);
    await expect(Promise.resolve(directory.find('a new key'))).rejects.toMatchObject({
      slug: 'dependency-unavailable',
    });
  });

  it('looks at the store a few times at most, however many unknown keys come', async () => {
    const state = breakable();
    const { directory, clock } = await open(state.db);
    state.looks = 0;
    clock.advance(300);
    const guess = (round: number) =>
      Promise.all(Array.from({ length: 1000 }, (_, index) => directory.find(`guess ${round} ${index}`)));
    for (const round of [1, 2, 3]) await guess(round);
    expect(state.looks).toBe(3);
  });

  it('finds two keys that were made one after the other, each at its first call', async () => {
    const { directory } = await open();
    const find = async () => {
      const { primary } = await register(db);
      return [await directory.find(primary.key), await directory.find('a guess')];
    };
    for (let count = 0; count < 5; count += 1)
      expect(await find()).toMatchObject([{ blocked: false }, undefined]);
  });

  it('reloads only when something has changed', async () => {
    const state = breakable();
    const { primary } = await register(db);
    const { directory, clock } = await open(state.db);
    state.looks = 0;
    for (let count = 0; count < 10; count += 1) {
      clock.advance(5 * SECOND);
      expect(await directory.find(primary.key)).toBeDefined();
    }
    expect(state.looks).toBe(10);
  });

  it('agrees on two nodes', async () => {
    const { primary, tppId } = await register(db);
    const nodes = [await open(), await open()];
    await db.transaction((tx) => setSuspended(tx, 'tpp', tppId, true));
    for (const { directory, clock } of nodes) {
      clock.advance(5 * SECOND);
      expect(await directory.find(primary.key)).toMatchObject({ blocked: true });
    }
  });
});
