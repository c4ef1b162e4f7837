/** The strict profile end to end, over TLS, with an independent client library; and that nothing of it can be left out. */
import { randomUUID } from 'node:crypto';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RegistryError } from '../../../src/tpp/registry.js';
import { type Identity, send, slugOf } from '../../support/client.js';
import { ATMS, BUDGET, CARD, FINANCE } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { type Authorized, authorize, Browser, startAuthorization } from '../provider-journey.js';
import { fetchAs, newWallet, Pki, registerJwks, registrationOf, secure, type Wallet } from './support.js';

let pki: Pki;
let service: Service;
let wallet: Wallet;
let signer: CryptoKey;
beforeAll(async () => {
  pki = await Pki.open();
  service = await startService({ env: { ...pki.tlsEnv, TRAPEZA_TLS_CLIENT_CERTIFICATE: 'optional' } });
  wallet = await newWallet();
  const { publicKey, privateKey } = await generateKeyPair('PS256');
  signer = privateKey as CryptoKey;
  await registerJwks(service, FINANCE, [{ ...(await exportJWK(publicKey)), use: 'sig' }]);
  await secure(service, FINANCE, { binding: 'dpop', profile: 'fapi2' });
});
afterAll(async () => {
  await service?.close();
  await pki?.close();
});

const secretOf = (clientId: string): string =>
  service.credentials.applications.find((each) => each.clientId === clientId)?.clientSecret ?? '';

const proofs: string[] = [];

/** openid-client as this application, remembering the proofs that it sends. */
const discover = (
  authentication: client.ClientAuth,
  clientId = FINANCE,
  identity?: Identity,
): Promise<client.Configuration> => {
  const own = fetchAs(identity);
  const watched: client.CustomFetch = (url, options) => {
    const proof = new Headers(options.headers as Record<string, string>).get('dpop');
    if (proof !== null) proofs.push(proof);
    return own(url, options);
  };
  const options = { algorithm: 'oauth2', [client.customFetch]: watched } as const;
  return client.discovery(new URL(service.url), clientId, undefined, authentication, options);
};

const byKey = () => discover(client.PrivateKeyJwt(signer));

const redeem = (
  configuration: client.Configuration,
  { callback, verifier, state }: Authorized,
  DPoP?: client.DPoPHandle,
) =>
  client.authorizationCodeGrant(
    configuration,
    callback,
    { pkceCodeVerifier: verifier, expectedState: state },
    undefined,
    DPoP ? { DPoP } : {},
  );

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it worked',
    (error: unknown) => (error as { error?: unknown }).error,
  );

describe('an application with a key', () => {
  it('obtains bound tokens with a pushed request, calls an operation with them, and renews them', async () => {
    const configuration = await byKey();
    const DPoP = client.getDPoPHandle(configuration, wallet.pair);
    const authorized = await authorize(service, configuration, { withPar: true });
    expect(authorized.url.searchParams.get('request_uri')).toMatch(/^urn:ietf:params:oauth:request_uri:/);
    expect(authorized.callback.searchParams.get('iss')).toBe(service.url);
    const tokens = await redeem(configuration, authorized, DPoP);
    expect(tokens.token_type).toBe('dpop');
    expect(decodeJwt(tokens.access_token).cnf).toEqual({ jkt: wallet.thumbprint });

    const call = (token: string) =>
      client.fetchProtectedResource(
        configuration,
        token,
        new URL(ATMS, service.url),
        'GET',
        undefined,
        new Headers({ 'Ocp-Apim-Subscription-Key': service.keyOf(), 'X-Request-ID': randomUUID() }),
        { DPoP },
      );
    expect((await call(tokens.access_token)).status).toBe(200);
    // The library keeps one nonce per origin: what the token endpoint has handed out is good for the operations.
    expect(decodeJwt(proofs.at(-1) ?? '').nonce).toMatch(/^[\w-]{43}$/);
    const renewed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', undefined, {
      DPoP,
    });
    expect((await call(renewed.access_token)).status).toBe(200);
    expect(await errorOf(client.refreshTokenGrant(configuration, renewed.refresh_token ?? ''))).toBe(
      'invalid_grant',
    );
  });

  it('must push its request, which lives for a minute at most', async () => {
    const configuration = await byKey();
    const { url } = await startAuthorization(service, configuration);
    const { page, leftTo } = await new Browser(service.url).visit(url.href);
    expect(page.text).not.toContain('<form');
    expect(leftTo?.searchParams.get('error')).toBe('invalid_request');
    const pushed = await push(await assertion());
    expect(pushed.json).toMatchObject({ request_uri: expect.any(String) });
    expect((pushed.json as { expires_in: number }).expires_in).toBeLessThanOrEqual(60);
  });

  it('must prove possession at the token endpoint', async () => {
    const configuration = await byKey();
    const authorized = await authorize(service, configuration, { withPar: true });
    expect(await errorOf(redeem(configuration, authorized))).toBe('invalid_grant');
  });

  it('must use PKCE with S256', async () => {
    const without = { code_challenge: '', code_challenge_method: '' };
    const plain = { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' };
    for (const change of [without, plain]) {
      const answer = await push(await assertion(), change);
      expect([answer.status, answer.json]).toMatchObject([400, { error: 'invalid_request' }]);
    }
  });

  it('is not known by a secret, an assertion for another audience, or one that is signed with RS256', async () => {
    const secret = { client_secret: secretOf(FINANCE) };
    expect((await push({ client_id: FINANCE, ...secret })).json).toMatchObject({ error: 'invalid_client' });
    const elsewhere = await push(await assertion({ aud: `${service.url}/oauth/token` }));
    expect(elsewhere.json).toMatchObject({ error: 'invalid_client' });
    const list = await push(await assertion({ aud: [service.url, 'https://other.example'] }));
    expect(list.json).toMatchObject({ error: 'invalid_client' });
    const { publicKey, privateKey } = await generateKeyPair('RS256');
    const jwk = await exportJWK(publicKey);
    await registerJwks(service, BUDGET, [{ ...jwk, use: 'sig' }]);
    const old = await push(await assertion({}, BUDGET, 'RS256', privateKey as CryptoKey), {}, BUDGET);
    expect(old.status).toBe(201);
    await secure(service, BUDGET, { binding: 'dpop', profile: 'fapi2' });
    const now = await push(await assertion({}, BUDGET, 'RS256', privateKey as CryptoKey), {}, BUDGET);
    expect(now.json).toMatchObject({ error: 'invalid_client' });
    const introspect = async (credentials: Record<string, string>): Promise<number> =>
      (
        await send(service.url, {
          method: 'POST',
          path: '/oauth/introspection',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ token: 'x', ...credentials }).toString(),
          outsideContract: true,
        })
      ).status;
    expect(await introspect(await assertion())).toBe(200);
    expect(await introspect(await assertion({ aud: `${service.url}/oauth/introspection` }))).toBe(401);
    expect(await introspect(await assertion({}, BUDGET, 'RS256', privateKey as CryptoKey))).toBe(401);
  });

  it('cannot use a token that is tied to nothing', async () => {
    const answer = await service.call({ path: ATMS });
    expect([answer.status, slugOf(answer)]).toEqual([401, 'token-invalid']);
  });
});

const assertion = async (
  claims: object = {},
  clientId = FINANCE,
  alg = 'PS256',
  key = signer,
): Promise<Record<string, string>> => ({
  client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  client_assertion: await new SignJWT({ jti: randomUUID(), ...claims, aud: service.url, ...claims })
    .setProtectedHeader({ alg })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setIssuedAt()
    .setExpirationTime('1 minute')
    .sign(key),
});

/** A pushed request by hand, with these credentials. */
const push = (
  credentials: Readonly<Record<string, string>>,
  more: Readonly<Record<string, string>> = {},
  clientId = FINANCE,
) =>
  send(service.url, {
    method: 'POST',
    path: '/oauth/par',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri:
        service.credentials.applications.find((each) => each.clientId === clientId)?.redirectUri ?? '',
      scope: 'ais',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
      ...credentials,
      ...more,
    }).toString(),
    outsideContract: true,
  });

describe('an application with a certificate alone', () => {
  it('proves itself with it, gets tokens bound to it, and ends them with it', async () => {
    await secure(service, CARD, { binding: 'certificate', profile: 'fapi2' });
    const holder = pki.holder({ registration: registrationOf(CARD), roles: ['PSP_IC'] });
    const configuration = await discover(client.TlsClientAuth(), CARD, holder);
    const authorized = await authorize(service, configuration, { withPar: true, scope: 'piis' });
    const { access_token: token } = await redeem(configuration, authorized);
    const call = async (identity?: Identity): Promise<number> => {
      const headers = { Authorization: `Bearer ${token}` };
      const wanted = { path: ATMS, headers, as: { application: CARD } };
      return (await service.call({ ...wanted, ...(identity ? { identity } : {}) })).status;
    };
    expect(await call(holder)).toBe(200);
    expect(await call()).toBe(401);

    const foreign = pki.holder();
    const others = [
      await discover(client.TlsClientAuth(), CARD),
      await discover(client.TlsClientAuth(), CARD, foreign),
      await discover(client.ClientSecretPost(secretOf(CARD)), CARD, holder),
    ];
    for (const other of others) {
      expect(await errorOf(startAuthorization(service, other, { withPar: true }))).toBe('invalid_client');
      await expect(client.tokenRevocation(other, token)).rejects.toMatchObject({ status: 401 });
    }
    expect(await call(holder)).toBe(200);
    await client.tokenRevocation(configuration, token);
    expect(await call(holder)).toBe(401);
  });
});

describe('an application that does not fit the profile', () => {
  const refusal = (clientId: string, wish: Parameters<typeof secure>[2]): Promise<string> =>
    secure(service, clientId, wish).then(
      () => 'it fits',
      (error: unknown) => (error instanceof RegistryError ? error.message : `other: ${String(error)}`),
    );

  it('is told everything that is missing, and stays as it was', async () => {
    const clientId = 'demo-accounts-app';
    expect((await refusal(clientId, { profile: 'fapi2' })).split('\n')).toEqual([
      'the application does not fit the profile fapi2:',
      expect.stringContaining('its tokens must be bound'),
      expect.stringContaining('without a secret'),
    ]);
    await withStore(service, (db) =>
      db.run('update applications set redirect_uris = ?, jwks = ? where client_id = ?', [
        '["http://app.example/back"]',
        '{"keys":[{"kty":"EC","crv":"P-384"}]}',
        clientId,
      ]),
    );
    expect((await refusal(clientId, { binding: 'dpop', profile: 'fapi2' })).split('\n')).toEqual([
      'the application does not fit the profile fapi2:',
      expect.stringContaining('no key for PS256 or ES256'),
      expect.stringContaining('redirect addresses must be https'),
    ]);
    const row = await withStore(service, (db) =>
      db.one('select token_binding, profile from applications where client_id = ?', [clientId]),
    );
    expect(row).toEqual({ token_binding: 'none', profile: 'none' });
  });

  it('cannot lose what the profile needs, and names and applications are checked', async () => {
    expect(await refusal(FINANCE, { binding: 'none' })).toContain('its tokens must be bound');
    expect(await refusal(FINANCE, { binding: 'rope' })).toContain('use none, certificate, dpop');
    expect(await refusal(FINANCE, { profile: 'fapi1' })).toContain('use none, fapi2');
    expect(await refusal('nobody', { binding: 'dpop' })).toContain('there is no application nobody');
  });
});
