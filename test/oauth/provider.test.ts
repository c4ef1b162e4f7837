/** The authorization server as a client library sees it. */
import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import * as client from 'openid-client';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../src/lib/clock.js';
import { send } from '../support/client.js';
import { engines, racingEngines } from '../support/engines.js';
import { BUDGET, CARD, FINANCE, goodRequest, operationIds, psuId } from '../support/operations.js';
import { suspend } from '../support/registry.js';
import type { Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import {
  applicationOf,
  authorize,
  Browser,
  discover,
  obtainTokens,
  startAuthorization,
} from './provider-journey.js';

const callWith = (service: Service, token: string, id: (typeof operationIds)[number]) => {
  const { method, path, body } = goodRequest(service, id);
  return service.call({
    method,
    path,
    ...(body ? { body } : {}),
    headers: { Authorization: `Bearer ${token}` },
  });
};

const registerKey = async (service: Service, clientId: string): Promise<CryptoKey> => {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwks = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), use: 'sig', alg: 'ES256' }] });
  await withStore(service, (db) =>
    db.run('update applications set jwks = ? where client_id = ?', [jwks, clientId]),
  );
  return privateKey as CryptoKey;
};

describe.each(engines)('with %s', (engine) => {
  const use = useService({ engine });

  test.each([false, true])(
    'tokens of a client library open all four operations (PAR: %s)',
    async (withPar) => {
      const service = use();
      const tokens = await obtainTokens(service, await discover(service), { withPar });
      expect(tokens.scope?.split(' ').toSorted()).toEqual(['ais', 'piis', 'pis']);
      expect(tokens.expires_in).toBe(600);
      expect(tokens.id_token).toBeUndefined();
      for (const id of operationIds)
        expect((await callWith(service, tokens.access_token, id)).status).toBe(200);
    },
  );

  test('an access token is a signed JWT of ten minutes with its grant', async () => {
    const service = use();
    const { access_token: token } = await obtainTokens(service, await discover(service), { scope: 'piis' });
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      iss: service.url,
      aud: service.url,
      sub: psuId('eleni'),
      client_id: FINANCE,
      scope: 'piis',
      jti: expect.any(String),
      gid: expect.any(String),
    });
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(600);
  });

  test('refresh tokens are always issued, stay the same, and the new access token works', async () => {
    const service = use();
    const configuration = await discover(service);
    const first = await obtainTokens(service, configuration, { scope: 'piis' });
    const second = await client.refreshTokenGrant(configuration, first.refresh_token ?? '');
    expect(first.refresh_token).toBeDefined();
    expect(second.refresh_token).toBe(first.refresh_token);
    expect((await callWith(service, second.access_token, 'confirmFunds')).status).toBe(200);
  });

  test('introspection shows an application its own tokens only', async () => {
    const service = use();
    const configuration = await discover(service);
    const tokens = await obtainTokens(service, configuration);
    const own = await client.tokenIntrospection(configuration, tokens.access_token);
    expect(own).toMatchObject({
      active: true,
      client_id: FINANCE,
      sub: psuId('eleni'),
      token_type: 'Bearer',
    });
    const refresh = await client.tokenIntrospection(configuration, tokens.refresh_token ?? '');
    expect(refresh).toMatchObject({ active: true, client_id: FINANCE, sub: psuId('eleni') });
    const foreign = await discover(service, BUDGET);
    for (const token of [tokens.access_token, tokens.refresh_token ?? '', 'unknown', 'a.b.c'])
      expect(await client.tokenIntrospection(foreign, token)).toEqual({ active: false });
  });

  test('a revoked access token is refused at once, and its refresh token lives on', async () => {
    const service = use();
    const configuration = await discover(service);
    const tokens = await obtainTokens(service, configuration);
    expect((await callWith(service, tokens.access_token, 'getAtms')).status).toBe(200);
    await client.tokenRevocation(configuration, tokens.access_token);
    expect((await callWith(service, tokens.access_token, 'getAtms')).status).toBe(401);
    expect(await client.tokenIntrospection(configuration, tokens.access_token)).toEqual({ active: false });
    const next = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '');
    expect((await callWith(service, next.access_token, 'getAtms')).status).toBe(200);
  });

  test('a revoked refresh token takes its grant along', async () => {
    const service = use();
    const configuration = await discover(service);
    const tokens = await obtainTokens(service, configuration);
    await client.tokenRevocation(configuration, tokens.refresh_token ?? '');
    await expect(client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await callWith(service, tokens.access_token, 'getAtms')).status).toBe(401);
  });

  test('an access token stays revoked for as long as it would have lived', async () => {
    const service = use();
    const configuration = await discover(service);
    const { access_token: token } = await obtainTokens(service, configuration);
    await client.tokenRevocation(configuration, token);
    for (const minutes of [4, 4, 1]) {
      service.clock.advance(minutes * MINUTE);
      await service.app.runJobs();
      expect((await callWith(service, token, 'getAtms')).status).toBe(401);
    }
  });

  test('nobody revokes a token of another application', async () => {
    const service = use();
    const tokens = await obtainTokens(service, await discover(service));
    const foreign = await discover(service, BUDGET);
    await client.tokenRevocation(foreign, tokens.access_token);
    await client.tokenRevocation(foreign, tokens.refresh_token ?? '');
    service.clock.advance(5000);
    expect((await callWith(service, tokens.access_token, 'getAtms')).status).toBe(200);
  });

  test('an id token is no access token', async () => {
    const service = use();
    const tokens = await obtainTokens(service, await discover(service), { scope: 'openid piis' });
    expect(tokens.scope?.split(' ').toSorted()).toEqual(['openid', 'piis']);
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ sub: psuId('eleni'), aud: FINANCE });
    expect((await callWith(service, tokens.id_token ?? '', 'getAtms')).status).toBe(401);
    expect((await callWith(service, tokens.access_token, 'confirmFunds')).status).toBe(200);
  });

  test('an application with a registered key proves itself by it, and only by it', async () => {
    const service = use();
    const key = await registerKey(service, BUDGET);
    const configuration = await discover(service, BUDGET, client.PrivateKeyJwt(key));
    const tokens = await obtainTokens(service, configuration, { withPar: true });
    expect(await client.tokenIntrospection(configuration, tokens.access_token)).toMatchObject({
      active: true,
    });
    await client.tokenRevocation(configuration, tokens.refresh_token ?? '');
    const withSecret = await discover(service, BUDGET);
    await expect(client.refreshTokenGrant(withSecret, 'any')).rejects.toMatchObject({
      status: 401,
    });
    const withOther = await generateKeyPair('ES256');
    const impostor = await discover(service, BUDGET, client.PrivateKeyJwt(withOther.privateKey));
    await expect(client.refreshTokenGrant(impostor, 'any')).rejects.toMatchObject({
      status: 401,
    });
    await expect(client.tokenIntrospection(impostor, 'any')).rejects.toMatchObject({ status: 401 });
    await withStore(service, (db) => db.run('update applications set jwks = null'));
  });

  test('a suspended application gets no page, no token and no status', async () => {
    const service = use();
    const configuration = await discover(service, BUDGET);
    const tokens = await obtainTokens(service, configuration);
    await suspend(service, 'application', BUDGET);
    const { url } = await startAuthorization(service, configuration);
    const { page, leftTo } = await new Browser(service.url).visit(url.href);
    expect(leftTo).toBeUndefined();
    expect(page.status).toBe(400);
    await expect(client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')).rejects.toMatchObject({
      status: 401,
    });
    await expect(client.tokenIntrospection(configuration, tokens.access_token)).rejects.toMatchObject({
      status: 401,
    });
    await suspend(service, 'application', BUDGET, false);
  });

  test('scopes beyond the roles of the third party are refused', async () => {
    const service = use();
    const configuration = await discover(service, CARD);
    const { url } = await startAuthorization(service, configuration, { scope: 'ais' });
    const { leftTo } = await new Browser(service.url).visit(url.href);
    expect(leftTo?.searchParams.get('error')).toBe('invalid_scope');
  });

  test('the store has no code, no token and no login id in the clear', async () => {
    const service = use();
    const configuration = await discover(service);
    const started = await startAuthorization(service, configuration, { withPar: true });
    const browser = new Browser(service.url);
    await browser.visit(started.url.href);
    const authorized = await authorize(service, configuration);
    const tokens = await obtainTokens(service, configuration);
    const secrets = [
      browser.cookie('oauth_login'),
      authorized.callback.searchParams.get('code'),
      tokens.refresh_token,
      applicationOf(service).clientSecret,
    ];
    const dump = await withStore(service, async (db) =>
      JSON.stringify([
        await db.all('select * from oidc_records'),
        await db.all('select * from psu_sessions'),
      ]),
    );
    expect(dump.length).toBeGreaterThan(1000);
    for (const secret of secrets) {
      expect(secret).toMatch(/^.{20,}$/);
      expect(dump).not.toContain(secret);
    }
  });

  test('sandbox tokens still work', async () => {
    const answer = await use().call({
      path: goodRequest(use(), 'getAtms').path,
      headers: { 'X-Request-ID': randomUUID() },
    });
    expect(answer.status).toBe(200);
  });
});

const racing = racingEngines(
  'one assertion arrives many times at once: PostgreSQL decides by the key of its row, SQLite by its one writer',
);

describe.each(racing)('at the same moment with %s', (engine) => {
  const use = useService({ engine });

  test('of fifty uses of one client assertion at once, one passes', async () => {
    const service = use();
    const key = await registerKey(service, CARD);
    let assertion = '';
    const configuration = await discover(service, CARD, client.PrivateKeyJwt(key));
    configuration[client.customFetch] = async (_url, options) => {
      assertion = new URLSearchParams(options.body as URLSearchParams).get('client_assertion') ?? assertion;
      return new Response('{"active":false}', { headers: { 'Content-Type': 'application/json' } });
    };
    await client.tokenIntrospection(configuration, 'any');
    const use50 = (path: string) =>
      Promise.all(
        Array.from({ length: 50 }, () =>
          send(service.url, {
            method: 'POST',
            path,
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
            body: new URLSearchParams({
              grant_type: 'refresh_token',
              refresh_token: 'unknown',
              token: 'unknown',
              client_assertion: assertion,
              client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
            }).toString(),
            outsideContract: true,
          }),
        ),
      );
    const answers = await use50('/oauth/token');
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
    expect((await use50('/oauth/introspection')).every(({ status }) => status === 401)).toBe(true);
    await withStore(service, (db) => db.run('update applications set jwks = null'));
  });
});
