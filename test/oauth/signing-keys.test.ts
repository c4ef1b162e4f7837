/** The keys that sign tokens: one first key, published before use, kept until its tokens are gone, sealed at rest. */
import { SignJWT } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/lib/clock.js';
import { Vault } from '../../src/lib/vault.js';
import { issueToken, localKeys, TokenVerifier } from '../../src/oauth/access-token.js';
import { SigningKeys } from '../../src/oauth/signing-keys.js';
import { type Db, StoreUnavailable } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { ManualClock } from '../lib/manual-clock.js';
import { type Engine, racingEngines } from '../support/engines.js';
import { testSecret } from '../support/service.js';
import { openStore } from '../tpp/support.js';

const realm = { issuer: 'https://bank.example', audience: 'https://bank.example' };
const claims = { psuId: 'psu-1', clientId: 'app-1', scope: 'piis' };
const vault = new Vault(testSecret);

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const openTwo = async (engine: Engine): Promise<readonly [Db, Db]> => {
  const store = await openStore(engine);
  const other = await openDb(store.url, 3);
  closers.push(
    () => store.close(),
    () => other.close(),
  );
  return [store.db, other];
};

const kids = async (keys: SigningKeys): Promise<string[]> => (await keys.all()).map(({ kid }) => kid);

/** A store whose reads come back without the rows that are there. */
const emptied = (db: Db): Db => ({
  ...db,
  all: async () => [],
  one: async () => undefined,
  exclusive: (work) =>
    db.exclusive((tx) =>
      work({
        run: (sql, params) => tx.run(sql, params),
        script: (sql) => tx.script(sql),
        all: async () => [],
        one: async () => undefined,
      }),
    ),
});

const engines = racingEngines(
  'two nodes make and roll keys at once: PostgreSQL by an advisory lock, SQLite by its one writer',
);

describe.each(engines)('signing keys on %s', (engine) => {
  it('faults 1: are not taken for gone when the answer of the store is empty', async () => {
    const [db] = await openTwo(engine);
    const clock = new ManualClock();
    await new SigningKeys(db, vault, clock).ensure();
    const keys = new SigningKeys(emptied(db), vault, clock);
    await expect(keys.ensure()).rejects.toThrow(StoreUnavailable);
    await expect(keys.current()).rejects.toThrow(StoreUnavailable);
    await expect(keys.find('any')).rejects.toThrow(StoreUnavailable);
    expect(await db.one('select count(*) as n from signing_keys')).toEqual({ n: 1 });
  });

  it('are made once, although two nodes start at once', async () => {
    const [first, second] = await openTwo(engine);
    const clock = new ManualClock();
    const nodes = [first, second, first, second].map((db) => new SigningKeys(db, vault, clock));
    await Promise.all(nodes.map((keys) => keys.ensure()));
    expect(await first.one('select count(*) as n from signing_keys')).toEqual({ n: 1 });
    const seen = await Promise.all(nodes.map(kids));
    expect(new Set(seen.flat()).size).toBe(1);
  });

  it('faults 10: sign although the clock was set back to before the first of them', async () => {
    const [db] = await openTwo(engine);
    const clock = new ManualClock();
    const keys = new SigningKeys(db, vault, clock);
    await keys.ensure();
    clock.advance(-120 * MINUTE);
    expect((await keys.current()).key.kid).toBe((await kids(keys))[0]);
  });

  it('are published before they are used: every node knows a key when its first token comes', async () => {
    const [db, other] = await openTwo(engine);
    const clock = new ManualClock();
    const [here, there] = [new SigningKeys(db, vault, clock), new SigningKeys(other, vault, clock)];
    await here.ensure();
    await there.ensure();
    const before = (await here.current()).key.kid;
    const { kid, activeFrom } = await here.roll();
    expect(activeFrom).toBeGreaterThan(clock.now());
    // The other node notices within five seconds, long before the key is used.
    clock.advance(5 * SECOND);
    expect(await kids(there)).toEqual([before, kid]);
    clock.advance(activeFrom - clock.now() - 1);
    expect((await here.current()).key.kid).toBe(before);
    expect((await there.current()).key.kid).toBe(before);
    clock.advance(1);
    expect((await here.current()).key.kid).toBe(kid);
    expect((await there.current()).key.kid).toBe(kid);
  });

  it('verify the tokens they signed until the last of them has expired, and nothing afterwards', async () => {
    const [db] = await openTwo(engine);
    const clock = new ManualClock();
    const keys = new SigningKeys(db, vault, clock);
    await keys.ensure();
    const verify = async (token: string) =>
      new TokenVerifier(localKeys(keys), () => realm, clock).verify(token);
    const old = await keys.current();
    const { activeFrom } = await keys.roll();

    clock.advance(activeFrom - clock.now() - 1);
    const lastOfOld = await issueToken(keys, realm, claims, clock);
    clock.advance(1);
    const firstOfNew = await issueToken(keys, realm, claims, clock);
    // Ten minutes: to the end of its life a token of the old key is as good as one of the new key.
    clock.advance(10 * MINUTE - 2);
    expect(await verify(lastOfOld)).toMatchObject({ clientId: 'app-1' });
    expect(await verify(firstOfNew)).toMatchObject({ clientId: 'app-1' });

    // Whoever stole the old key can make tokens that would live longer; they die with the key.
    const forged = await new SignJWT({ client_id: 'app-1', scope: 'piis' })
      .setProtectedHeader({ alg: old.key.algorithm, kid: old.key.kid, typ: 'at+jwt' })
      .setIssuer(realm.issuer)
      .setAudience(realm.audience)
      .setSubject('psu-1')
      .setExpirationTime(Math.floor(clock.now() / SECOND) + 86_400)
      .sign(old.privateKey);
    const retiredAt = activeFrom + 12 * MINUTE;
    clock.advance(retiredAt - clock.now() - 1);
    expect(await verify(forged)).toMatchObject({ clientId: 'app-1' });
    clock.advance(1);
    await expect(verify(forged)).rejects.toMatchObject({ slug: 'token-invalid' });
    expect(await kids(keys)).toEqual([(await keys.current()).key.kid]);
  });

  it('can be rolled twice in a row, and by two nodes at once', async () => {
    const [db, other] = await openTwo(engine);
    const clock = new ManualClock();
    const keys = new SigningKeys(db, vault, clock);
    await keys.ensure();
    await keys.roll();
    clock.advance(SECOND);
    const last = await keys.roll('PS256');
    expect((await keys.all()).filter(({ retiredAt }) => retiredAt === undefined)).toHaveLength(1);
    clock.advance(2 * MINUTE);
    const { key } = await keys.current();
    expect({ kid: key.kid, algorithm: key.algorithm }).toEqual({ kid: last.kid, algorithm: 'PS256' });
    await Promise.all([db, other].map((each) => new SigningKeys(each, vault, clock).roll()));
    expect(await db.one('select count(*) as n from signing_keys where retired_at is null')).toEqual({ n: 1 });
  });

  it('are sealed at rest: the table holds no private half', async () => {
    const [db] = await openTwo(engine);
    const keys = new SigningKeys(db, vault, new ManualClock());
    await keys.ensure('ES256');
    await keys.roll('PS256');
    const dump = JSON.stringify(await db.all('select * from signing_keys'));
    for (const member of ['"d"', '\\"d\\"', '\\"p\\"', '\\"q\\"', '\\"dp\\"', 'PRIVATE'])
      expect(dump).not.toContain(member);
    const rows = await db.all<Record<'kid' | 'private_jwk' | 'public_jwk', string>>(
      'select * from signing_keys',
    );
    for (const row of rows) {
      expect(row.private_jwk).toMatch(/^v2\./);
      const opened = JSON.parse(vault.open(row.private_jwk, `signing-key:${row.kid}`)) as { d: string };
      expect(dump).not.toContain(opened.d);
      expect(Object.keys(JSON.parse(row.public_jwk) as object)).not.toContain('d');
    }
  });

  it('survive a new secret that still names the old one, and say what is missing without it', async () => {
    const [db] = await openTwo(engine);
    const clock = new ManualClock();
    await new SigningKeys(db, vault, clock).ensure();
    const renewed = new Vault(`${'n'.repeat(40)},${testSecret}`);
    expect((await new SigningKeys(db, renewed, clock).current()).key.algorithm).toBe('ES256');
    await expect(new SigningKeys(db, new Vault('o'.repeat(40)), clock).current()).rejects.toThrow(
      'TRAPEZA_SECRET that is not configured',
    );
  });

  it('are known to be of no use if another secret made them, also when they were rolled elsewhere', async () => {
    const [db, other] = await openTwo(engine);
    const clock = new ManualClock();
    const foreign = new Vault('o'.repeat(40));
    const here = new SigningKeys(db, vault, clock);
    await here.ensure();
    expect(here.canSign()).toBe(true);
    const there = new SigningKeys(other, foreign, clock);
    await there.ensure();
    expect(there.canSign()).toBe(false);
    const { kid } = await there.roll();
    // The authorization server takes the private halves of all keys, of that to come and of that which goes.
    clock.advance(6 * SECOND);
    await here.all();
    expect(here.unopened().map((each) => each.kid)).toEqual([kid]);
    clock.advance(2 * MINUTE);
    await here.all();
    expect([here.canSign(), there.canSign()]).toEqual([false, false]);
    clock.advance(15 * MINUTE);
    await Promise.all([here.all(), there.all()]);
    expect([here.canSign(), there.canSign()]).toEqual([false, true]);
  });

  it('are missed in words where none exists', async () => {
    const [db] = await openTwo(engine);
    await expect(new SigningKeys(db, vault, new ManualClock()).current()).rejects.toThrow('no signing key');
  });
});
