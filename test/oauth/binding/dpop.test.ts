/** Tokens that are tied to a key (RFC 9449): a proof for every call, which works once, on both engines and on two nodes. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.js';
import { type Answer, send, slugOf } from '../../support/client.js';
import { racingEngines } from '../../support/engines.js';
import { ATMS, BUDGET, EVENTS, FINANCE, FUNDS, fundsBody } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { authorize, discover } from '../provider-journey.js';
import { newWallet, type ProofWish, proofOf, secure, type Wallet } from './support.js';

const errorOf = (answer: Answer): string =>
  /^(\w+) .*error="(\w+)"/.exec(String(answer.headers['www-authenticate']))?.slice(1, 3).join(' ') ?? 'none';

const engines = racingEngines(
  'one proof arrives at two nodes at once: PostgreSQL decides by the key of its row, SQLite by its one writer',
);

describe.each(engines)('a bound token with %s', (engine) => {
  const use = useService({ engine });
  let wallet: Wallet;
  let token: string;
  let second: Service;

  beforeAll(async () => {
    wallet = await newWallet();
    const configuration = await discover(use());
    const authorized = await authorize(use(), configuration, { scope: 'piis pis' });
    const DPoP = client.getDPoPHandle(configuration, wallet.pair);
    const { verifier, state, callback } = authorized;
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const tokens = await client.authorizationCodeGrant(configuration, callback, checks, undefined, { DPoP });
    expect(tokens.token_type).toBe('dpop');
    token = tokens.access_token;
    second = await startService({ databaseUrl: use().databaseUrl, env: { BASE_URL: use().url } });
  });
  afterAll(() => second?.close());

  const proof = (wish: ProofWish & { path?: string; method?: string } = {}): Promise<string> => {
    const { path = ATMS, method = 'GET', ...rest } = wish;
    return proofOf(wallet, { method, url: `${use().url}${path}`, token, now: use().clock.now() }, rest);
  };
  const headersOf = (dpop: string | undefined, authorization = `DPoP ${token}`) => ({
    'Ocp-Apim-Subscription-Key': use().keyOf(),
    Authorization: authorization,
    'X-Request-ID': randomUUID(),
    DPoP: dpop,
  });
  const call = (dpop: string | undefined, authorization?: string, node = use()): Promise<Answer> =>
    send(node.app.listenUrl, { path: ATMS, headers: headersOf(dpop, authorization) });
  const refusal = async (dpop: string | undefined, authorization?: string): Promise<string> => {
    const answer = await call(dpop, authorization);
    return `${answer.status} ${slugOf(answer)} ${errorOf(answer)}`;
  };

  it('names the key, and opens an operation with a proof for it', async () => {
    expect(decodeJwt(token).cnf).toEqual({ jkt: wallet.thumbprint });
    expect((await call(await proof())).status).toBe(200);
    const dpop = await proof({ method: 'POST', path: FUNDS });
    const funds = { method: 'POST', path: FUNDS, body: fundsBody(), headers: headersOf(dpop) };
    expect((await send(use().url, funds)).status).toBe(200);
    // The query does not count.
    const events = { path: `${EVENTS}?limit=1`, headers: headersOf(await proof({ path: EVENTS })) };
    expect((await send(use().url, events)).status).toBe(200);
  });

  it('is challenged in its own scheme if its scope does not suffice', async () => {
    const path = `/ais/psd2/v1/consents/${randomUUID()}/status`;
    const answer = await send(use().url, { path, headers: headersOf(await proof({ path })) });
    expect([answer.status, slugOf(answer)]).toEqual([403, 'insufficient-scope']);
    expect(answer.headers['www-authenticate']).toMatch(
      /^DPoP realm="trapeza", error="insufficient_scope", scope="ais", algs="/,
    );
  });

  it('is refused with a proof that was used before, also on another node', async () => {
    const once = await proof();
    expect((await call(once)).status).toBe(200);
    expect(await refusal(once)).toBe('401 token-invalid DPoP invalid_dpop_proof');
    expect((await call(once, undefined, second)).status).toBe(401);
  });

  it('is accepted exactly once when one proof arrives many times at once on two nodes', async () => {
    for (let round = 0; round < 3; round += 1) {
      const once = await proof();
      const nodes = Array.from({ length: 20 }, (_, index) => (index % 2 ? second : use()));
      const answers = await Promise.all(nodes.map((node) => call(once, undefined, node)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(19);
    }
  });

  it('is refused without a proof for this very request, key and token', async () => {
    const other = await newWallet();
    const now = Math.floor(use().clock.now() / SECOND);
    const { d } = await crypto.subtle.exportKey('jwk', wallet.pair.privateKey);
    const invalid: Record<string, string | undefined> = {
      missing: undefined,
      garbage: 'garbage',
      long: `${await proof()}${'A'.repeat(5000)}`,
      'other method': await proof({ method: 'POST' }),
      'other path': await proof({ path: EVENTS }),
      'other host': await proof({ claims: { htu: `https://other.example${ATMS}` } }),
      'no address': await proof({ claims: { htu: 7 } }),
      'other token': await proof({ claims: { ath: 'x'.repeat(43) } }),
      'no token': await proof({ claims: { ath: undefined } }),
      'other key': await proof({ header: { jwk: other.jwk }, signer: other.pair.privateKey }),
      'foreign signature': await proof({ signer: other.pair.privateKey }),
      'private key inside': await proof({ header: { jwk: { ...wallet.jwk, d } } }),
      'no key': await proof({ header: { jwk: undefined } }),
      'other type': await proof({ header: { typ: 'JWT' } }),
      'no id': await proof({ claims: { jti: undefined } }),
      'no time': await proof({ claims: { iat: undefined } }),
      'not valid any more': await proof({ claims: { exp: now - 1 } }),
    };
    const curve = await newWallet('ES384');
    invalid['other algorithm'] = await proof({
      header: { alg: 'ES384', jwk: curve.jwk },
      signer: curve.pair.privateKey,
    });
    const found = await Promise.all(
      Object.entries(invalid).map(async ([name, dpop]) => [name, await refusal(dpop)]),
    );
    const expected = Object.keys(invalid).map((name) => [name, '401 token-invalid DPoP invalid_dpop_proof']);
    expect(found).toEqual(expected);
  });

  it('is refused with a proof that is not of now, and accepted with the nonce that the refusal hands out', async () => {
    const now = Math.floor(use().clock.now() / SECOND);
    const nonces: string[] = [];
    for (const claims of [{ iat: now - 75 }, { iat: now + 75 }, { nonce: 'not ours' }]) {
      const answer = await call(await proof({ claims }));
      expect(`${answer.status} ${errorOf(answer)}`).toBe('401 DPoP use_dpop_nonce');
      nonces.push(String(answer.headers['dpop-nonce']));
    }
    const claims = { iat: now - 3600, nonce: nonces[0] };
    const once = await proof({ claims });
    expect((await call(once, undefined, second)).status).toBe(200);
    expect(await refusal(once)).toBe('401 token-invalid DPoP invalid_dpop_proof');
  });

  it('is refused as a plain bearer token, and an unbound one is refused as a bound one', async () => {
    expect(await refusal(undefined, `Bearer ${token}`)).toBe('401 token-invalid DPoP invalid_token');
    expect(await refusal(await proof(), `Bearer ${token}`)).toBe('401 token-invalid DPoP invalid_token');
    const plain = await use().token();
    expect(await refusal(await proof(), `DPoP ${plain}`)).toBe('401 token-invalid DPoP invalid_token');
    expect((await call(undefined, `Bearer ${plain}`)).status).toBe(200);
    expect(await refusal(undefined, 'DPoP')).toBe('401 token-invalid Bearer invalid_token');
  });

  it('is the only one that an application with this binding can use', async () => {
    const atms = { path: ATMS, as: { application: BUDGET } };
    expect((await use().call(atms)).status).toBe(200);
    await secure(use(), BUDGET, { binding: 'dpop' });
    const answer = await use().call(atms);
    expect(`${answer.status} ${slugOf(answer)} ${errorOf(answer)}`).toBe(
      '401 token-invalid DPoP invalid_token',
    );
    const configuration = await discover(use(), BUDGET);
    const { verifier, state, callback } = await authorize(use(), configuration);
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    await expect(client.authorizationCodeGrant(configuration, callback, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await secure(use(), BUDGET, { binding: 'none' });
    expect((await use().call(atms)).status).toBe(200);
  });

  it('is described by the introspection, and its proofs are forgotten when they are over', async () => {
    const configuration = await discover(use(), FINANCE);
    const told = await client.tokenIntrospection(configuration, token);
    expect(told).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: wallet.thumbprint } });
    const proofs = () =>
      withStore(use(), (db) => db.one<{ count: number }>('select count(*) as count from dpop_proofs'));
    await use().app.runJobs();
    expect(Number((await proofs())?.count)).toBeGreaterThan(3);
    use().clock.advance(7 * MINUTE);
    await use().app.runJobs();
    expect(Number((await proofs())?.count)).toBe(0);
  });
});
