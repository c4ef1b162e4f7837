/** Access tokens: verified once, remembered, and never good for a moment longer than they say. */
import { SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../src/lib/clock.js';
import { Vault } from '../../src/lib/vault.js';
import { ACCESS_TOKEN_SECONDS, issueToken, localKeys, TokenVerifier } from '../../src/oauth/access-token.js';
import { SigningKeys } from '../../src/oauth/signing-keys.js';
import { ManualClock } from '../lib/manual-clock.js';
import { testSecret } from '../support/service.js';
import { openStore, type Store } from '../tpp/support.js';

const realm = { issuer: 'https://bank.example', audience: 'https://api.bank.example' };
const claims = { psuId: 'psu-1', clientId: 'app-1', scope: 'piis ais' };

let store: Store;
let clock: ManualClock;
let keys: SigningKeys;
let verifier: TokenVerifier;
let lookups = 0;

beforeAll(async () => {
  store = await openStore('sqlite');
});
afterAll(() => store.close());
beforeEach(async () => {
  clock = new ManualClock();
  keys = new SigningKeys(store.db, new Vault(testSecret), clock);
  await keys.ensure();
  lookups = 0;
  const find = localKeys(keys);
  verifier = new TokenVerifier(
    (header, token) => {
      lookups += 1;
      return find(header, token);
    },
    () => realm,
    clock,
  );
});

const verify = async (token: string) => verifier.verify(token);
const refused = (token: string, slug = 'token-invalid') =>
  expect(verify(token)).rejects.toMatchObject({ slug });

describe('a good token', () => {
  it('tells the application, the account holder, the scopes and the end', async () => {
    expect(await verify(await issueToken(keys, realm, claims, clock))).toMatchObject({
      clientId: 'app-1',
      psuId: 'psu-1',
      scopes: ['piis', 'ais'],
      expiresAt: clock.now() + ACCESS_TOKEN_SECONDS * SECOND,
    });
  });

  it('is verified once, then known by its bytes and answered at once', async () => {
    const token = await issueToken(keys, realm, claims, clock);
    const first = await verify(token);
    for (let count = 0; count < 100; count += 1) expect(verifier.recall(token)).toBe(first);
    expect(lookups).toBe(1);
  });

  it('is refused from the cache as from the signature once it is over, ten seconds of skew included', async () => {
    const token = await issueToken(keys, realm, claims, clock);
    await verify(token);
    clock.advance((ACCESS_TOKEN_SECONDS + 10) * SECOND - 1);
    expect(await verify(token)).toMatchObject({ clientId: 'app-1' });
    clock.advance(1);
    await refused(token, 'token-expired');
    await refused(token, 'token-expired');
  });

  it('that was never seen before is refused once it is over', async () => {
    const token = await issueToken(keys, realm, claims, clock);
    clock.advance((ACCESS_TOKEN_SECONDS + 11) * SECOND);
    await refused(token, 'token-expired');
  });

  it('says that it is over only if nothing else is wrong with it', async () => {
    const token = await issueToken(keys, realm, claims, clock);
    const elsewhere = await issueToken(keys, { ...realm, audience: 'https://other.example' }, claims, clock);
    clock.advance((ACCESS_TOKEN_SECONDS + 11) * SECOND);
    const [header, payload, signature = ''] = token.split('.');
    await refused([header, payload, signature.split('').toReversed().join('')].join('.'));
    await refused(elsewhere);
  });

  it('with one letter changed is another token', async () => {
    const token = await issueToken(keys, realm, claims, clock);
    await verify(token);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
    await refused([header, payload, changed].join('.'));
    await refused([header, `${payload}A`, signature].join('.'));
  });

  it('differs from every other one', async () => {
    const tokens = await Promise.all([1, 2, 3].map(() => issueToken(keys, realm, claims, clock)));
    expect(new Set(tokens).size).toBe(3);
  });
});

describe('a token that is tied to something', () => {
  const tied = async (cnf: unknown): Promise<string> => {
    const { key, privateKey } = await keys.current();
    return new SignJWT({ client_id: 'app-1', scope: 'ais', cnf })
      .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'at+jwt' })
      .setIssuer(realm.issuer)
      .setAudience(realm.audience)
      .setSubject('psu-1')
      .setExpirationTime(Math.floor(clock.now() / SECOND) + 60)
      .sign(privateKey);
  };

  it('tells the certificate or the key, and is refused where that is something unknown', async () => {
    expect((await verify(await tied({ 'x5t#S256': 'c' }))).confirmation).toEqual({ certificate: 'c' });
    expect((await verify(await tied({ jkt: 'k' }))).confirmation).toEqual({ key: 'k' });
    for (const other of [{}, { kid: 'x' }, { jkt: 7 }, null, 'x', [], { jwk: { kty: 'EC' } }])
      await refused(await tied(other));
  });
});

describe('a forged token', () => {
  interface Wanted {
    readonly header?: object;
    readonly payload?: object;
  }

  const signed = async ({ header = {}, payload = {} }: Wanted): Promise<string> => {
    const { key, privateKey } = await keys.current();
    const now = Math.floor(clock.now() / SECOND);
    const content = {
      iss: realm.issuer,
      aud: realm.audience,
      sub: 'psu-1',
      client_id: 'app-1',
      iat: now,
      exp: now + 60,
    };
    return new SignJWT({ ...content, ...payload })
      .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(privateKey, header && 'crit' in header ? { crit: { 'x-must': true } } : undefined);
  };

  it('is the exception: the same one without a fault is accepted', async () => {
    expect(await verify(await signed({}))).toMatchObject({ clientId: 'app-1', scopes: [] });
  });

  it('may have its scopes as a list, as some identity providers write them', async () => {
    expect(await verify(await signed({ payload: { scope: ['piis', 'ais'] } }))).toMatchObject({
      scopes: ['piis', 'ais'],
    });
  });

  it.each<[string, Wanted]>([
    ['an id token', { header: { typ: 'JWT' } }],
    ['no type', { header: { typ: undefined } }],
    ['another issuer', { payload: { iss: 'https://evil.example' } }],
    ['no issuer', { payload: { iss: undefined } }],
    ['another audience', { payload: { aud: 'https://other.example' } }],
    ['no audience', { payload: { aud: undefined } }],
    ['no end', { payload: { exp: undefined } }],
    ['an end that is text', { payload: { exp: '2099-01-01' } }],
    ['no account holder', { payload: { sub: undefined } }],
    ['no application', { payload: { client_id: undefined } }],
    ['an application that is a list', { payload: { client_id: ['app-1'] } }],
    ['an account holder that is a number', { payload: { sub: 7 } }],
    ['a scope that is a number', { payload: { scope: 7 } }],
    ['a beginning in the future', { payload: { nbf: 99_999_999_999 } }],
    ['an unknown key id', { header: { kid: 'nobody' } }],
    ['a key id with a path', { header: { kid: '../../etc/passwd' } }],
    ['a key id with SQL', { header: { kid: "' or '1'='1" } }],
    ['no key id', { header: { kid: undefined } }],
    ['an extension that must be understood', { header: { crit: ['x-must'], 'x-must': true } }],
  ])('with %s is refused', async (_what, wanted) => {
    await refused(await signed(wanted));
  });

  it('without a signature is refused', async () => {
    const content = { client_id: 'app-1', scope: 'piis' };
    const token = new UnsecuredJWT(content)
      .setIssuer(realm.issuer)
      .setAudience(realm.audience)
      .setSubject('psu-1')
      .setExpirationTime('1h')
      .encode();
    await refused(token);
  });

  it('with the public key as a shared secret is refused', async () => {
    const { key } = await keys.current();
    const token = await new SignJWT({
      client_id: 'app-1',
      sub: 'psu-1',
      iss: realm.issuer,
      aud: realm.audience,
    })
      .setProtectedHeader({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' })
      .setExpirationTime(Math.floor(clock.now() / SECOND) + 60)
      .sign(new TextEncoder().encode(JSON.stringify(key.publicJwk)));
    await refused(token);
  });

  it('that brings its own key, or says where to fetch one, is refused', async () => {
    const other = new SigningKeys(store.db, new Vault(testSecret), clock);
    const { key } = await other.current();
    for (const header of [
      { kid: 'mine', jwk: key.publicJwk as object },
      { kid: 'mine', jku: 'http://127.0.0.1:1/keys' },
      { kid: 'mine', x5u: 'http://127.0.0.1:1/cert' },
    ])
      await refused(await signed({ header }));
  });

  it.each(['', '.', '..', 'a.b.c', 'eyJhbGciOiJub25lIn0..', 'not a token', 'ψ.ψ.ψ', '....'])(
    '%j is refused',
    async (text) => {
      await refused(text);
    },
  );

  it('of enormous length is refused before it is read', async () => {
    const token = await signed({ payload: { scope: 'x'.repeat(9000) } });
    await refused(token);
    expect(lookups).toBe(0);
  });

  it('is not remembered as good, nor does it push a good one out', async () => {
    const token = await issueToken(keys, realm, claims, clock);
    await verify(token);
    for (let count = 0; count < 50; count += 1) await refused(`x.y.${count}`);
    expect(verifier.recall(token)).toMatchObject({ clientId: 'app-1' });
  });
});

describe('a store that is down', () => {
  it('is told as such, not as a bad token', async () => {
    const token = await issueToken(keys, realm, claims, clock);
    clock.advance(MINUTE);
    const other = await openStore('sqlite');
    const lost = new SigningKeys(other.db, new Vault(testSecret), clock);
    await other.close();
    const blind = new TokenVerifier(localKeys(lost), () => realm, clock);
    await expect(blind.verify(token)).rejects.toMatchObject({ name: 'StoreUnavailable' });
  });
});
