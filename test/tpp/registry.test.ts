/** The register of third parties: what operators do, what they are told when it is wrong, and what is never stored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { redirectFault } from '../../src/lib/net/redirect.js';
import type { Db, Queries } from '../../src/store/db.js';
import { listApplications, listKeys, listTpps } from '../../src/tpp/listing.js';
import {
  createApplication,
  createSubscription,
  createTpp,
  RegistryError,
  rollKey,
  setSuspended,
} from '../../src/tpp/registry.js';
import { readVersion } from '../../src/tpp/version.js';
import { engines, racingEngines } from '../support/engines.js';
import { openStore, register, type Store } from './support.js';

const good = { name: 'Θάλασσα', registration: 'PSDGR-BOG-A', roles: ['PSP_IC'] };

describe.each(engines)('the register on %s', (engine) => {
  let store: Store;
  let db: Db;
  beforeAll(async () => {
    store = await openStore(engine);
    db = store.db;
  });
  afterAll(() => store.close());

  const attempt = async (work: (tx: Queries) => Promise<unknown>): Promise<string> => {
    const error = await db.transaction(work).then(
      () => new Error('it worked'),
      (reason: unknown) => reason,
    );
    return error instanceof RegistryError ? error.message : `not a RegistryError: ${String(error)}`;
  };

  it('lists what was registered, in words that are not secret', async () => {
    const made = await register(db, { roles: ['PSP_IC', 'PSP_AI'], quotaPerMinute: 7 });
    expect(made.products).toEqual(['piis', 'opendata', 'ais']);
    expect(await listTpps(db)).toContainEqual(
      expect.objectContaining({ id: made.tppId, name: 'Θάλασσα', roles: 'PSP_IC PSP_AI', status: 'active' }),
    );
    expect(await listApplications(db)).toContainEqual({
      clientId: made.clientId,
      tppId: made.tppId,
      name: 'App',
      redirectUris: '["https://app.example/back"]',
      webhookUrl: null,
      binding: 'none',
      profile: 'none',
      status: 'active',
    });
    const keys = (await listKeys(db)).filter(({ clientId }) => clientId === made.clientId);
    expect(keys.map(({ id, slot, products, status }) => ({ id, slot, products, status }))).toEqual([
      { id: made.primary.id, slot: 'primary', products: 'piis opendata ais', status: 'active' },
      { id: made.secondary.id, slot: 'secondary', products: 'piis opendata ais', status: 'active' },
    ]);
  });

  it('gives two different keys of 256 bits', async () => {
    const { primary, secondary } = await register(db);
    expect(primary.key).toMatch(/^[\w-]{43}$/);
    expect(secondary.key).toMatch(/^[\w-]{43}$/);
    expect(primary.key).not.toBe(secondary.key);
  });

  it('keeps no key and no client secret, only hashes', async () => {
    const made = await register(db);
    const rolled = await db.transaction((tx) => rollKey(tx, made.subscriptionId, 'primary', 2));
    const tables = ['tpps', 'applications', 'subscriptions', 'subscription_keys', 'settings'];
    const rows = await Promise.all(tables.map((table) => db.all(`select * from ${table}`)));
    const dump = JSON.stringify(rows);
    expect(dump).toContain(made.clientId);
    for (const secret of [made.primary.key, made.secondary.key, made.clientSecret, rolled.key])
      expect(dump).not.toContain(secret);
  });

  it('rolls one key and leaves the other', async () => {
    const { subscriptionId, clientId, secondary } = await register(db);
    const rolled = await db.transaction((tx) => rollKey(tx, subscriptionId, 'primary', 5));
    const keys = (await listKeys(db)).filter((key) => key.clientId === clientId);
    expect(keys.map(({ id }) => id)).toEqual([rolled.id, secondary.id]);
    const again = await db.transaction((tx) => rollKey(tx, subscriptionId, 'primary', 6));
    expect(again.key).not.toBe(rolled.key);
  });

  it('counts every change, so that all nodes notice it', async () => {
    const made = await register(db);
    const changes: ((tx: Queries) => Promise<unknown>)[] = [
      (tx) => createTpp(tx, { ...good, registration: 'PSDGR-BOG-V' }, 1),
      (tx) => createApplication(tx, { tppId: made.tppId, name: 'Other', redirectUris: [] }, 1),
      (tx) => createSubscription(tx, { clientId: made.clientId }, 1),
      (tx) => rollKey(tx, made.subscriptionId, 'primary', 1),
      (tx) => setSuspended(tx, 'tpp', made.tppId, true),
      (tx) => setSuspended(tx, 'application', made.clientId, true),
      (tx) => setSuspended(tx, 'key', made.secondary.id, true),
    ];
    for (const change of changes) {
      const before = Number(await readVersion(db));
      await db.transaction(change);
      expect(Number(await readVersion(db))).toBeGreaterThan(before);
    }
  });

  describe('says in words', () => {
    it.each([
      [{ ...good, roles: ['PSP_XX'] }, '"PSP_XX" is not a role; use PSP_IC, PSP_AI, PSP_PI'],
      [{ ...good, roles: ['psp_ic'] }, '"psp_ic" is not a role; use PSP_IC, PSP_AI, PSP_PI'],
      [{ ...good, roles: [] }, 'a third party needs at least one role: PSP_IC, PSP_AI, PSP_PI'],
      [{ ...good, name: '  ' }, 'name and registration must not be empty'],
      [{ ...good, registration: '' }, 'name and registration must not be empty'],
    ])('what is wrong with a third party: %j', async (tpp, words) => {
      expect(await attempt((tx) => createTpp(tx, tpp, 1))).toBe(words);
    });

    it('that a registration exists already', async () => {
      await db.transaction((tx) => createTpp(tx, { ...good, registration: 'PSDGR-BOG-TWICE' }, 1));
      expect(await attempt((tx) => createTpp(tx, { ...good, registration: 'PSDGR-BOG-TWICE' }, 1))).toBe(
        'a third party with registration PSDGR-BOG-TWICE exists already',
      );
    });

    it('that there is no such third party, application, subscription or key', async () => {
      const application = { tppId: 'nobody', name: 'App', redirectUris: [] };
      expect(await attempt((tx) => createApplication(tx, application, 1))).toBe(
        'there is no third party nobody',
      );
      expect(await attempt((tx) => createSubscription(tx, { clientId: 'nobody' }, 1))).toBe(
        'there is no application nobody',
      );
      expect(await attempt((tx) => rollKey(tx, 'nothing', 'primary', 1))).toBe(
        'there is no subscription nothing',
      );
      for (const what of ['tpp', 'application', 'key'] as const)
        expect(await attempt((tx) => setSuspended(tx, what, 'nothing', true))).toBe(
          `there is no ${what} nothing`,
        );
    });

    it('that a replaced key cannot be suspended', async () => {
      const { subscriptionId, primary } = await register(db);
      await db.transaction((tx) => rollKey(tx, subscriptionId, 'primary', 2));
      expect(await attempt((tx) => setSuspended(tx, 'key', primary.id, true))).toBe(
        `there is no key ${primary.id}`,
      );
    });

    it('which products there are', async () => {
      const { clientId } = await register(db);
      expect(await attempt((tx) => createSubscription(tx, { clientId, products: ['piis', 'gold'] }, 1))).toBe(
        '"gold" is not a product; use piis, opendata, ais, pis',
      );
    });

    it.each([
      'app.example/back',
      '/back',
      'https://app.example/back#part',
      'https://app.example/back#',
      'ftp://app.example/back',
      'https://user@app.example/back',
      'javascript:alert(1)',
      '',
    ])('that %j is not a redirect address', async (uri) => {
      const { tppId } = await register(db);
      expect(
        await attempt((tx) => createApplication(tx, { tppId, name: 'App', redirectUris: [uri] }, 1)),
      ).toBe(`${uri} is not a redirect address: it ${redirectFault(uri)}`);
      expect(redirectFault(uri)).toMatch(/^must /);
    });
  });

  it('writes nothing when it refuses', async () => {
    const count = async () => [
      await db.one('select count(*) as n from applications'),
      await db.one('select count(*) as n from subscriptions'),
      await readVersion(db),
    ];
    const { tppId, clientId } = await register(db);
    const before = await count();
    await attempt((tx) => createApplication(tx, { tppId, name: 'App', redirectUris: ['nowhere'] }, 1));
    await attempt((tx) => createSubscription(tx, { clientId, products: ['gold'] }, 1));
    await attempt((tx) => setSuspended(tx, 'tpp', 'nobody', true));
    expect(await count()).toEqual(before);
  });
});

const racing = racingEngines(
  'changes at once count up one version: PostgreSQL by the lock of its row, SQLite by its one writer',
);

describe.each(racing)('the register, changed from several sides on %s', (engine) => {
  let store: Store;
  let db: Db;
  beforeAll(async () => {
    store = await openStore(engine);
    db = store.db;
  });
  afterAll(() => store.close());

  it('rolls the same key from two sides without leaving two of them', async () => {
    const { subscriptionId, clientId } = await register(db);
    const roll = () => db.transaction((tx) => rollKey(tx, subscriptionId, 'secondary', 5));
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, roll));
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    const slots = (await listKeys(db)).filter((key) => key.clientId === clientId).map(({ slot }) => slot);
    expect(slots).toEqual(['primary', 'secondary']);
  });

  it('counts changes made at once one by one', async () => {
    const { tppId } = await register(db);
    const before = Number(await readVersion(db));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        db.transaction((tx) => setSuspended(tx, 'tpp', tppId, index % 2 === 0)),
      ),
    );
    expect(Number(await readVersion(db))).toBe(before + 20);
  });
});
