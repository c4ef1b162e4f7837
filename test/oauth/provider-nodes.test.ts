/** Several nodes on one store: revocation and key rotation act everywhere. And no embedded server beside a foreign issuer. */

import { decodeProtectedHeader } from 'jose';
import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandbox } from '../../packages/sandbox/src/sandbox.js';
import { type App, startApp } from '../../src/app/app.js';
import { readConfig } from '../../src/config/config.js';
import { MINUTE, SECOND } from '../../src/lib/clock.js';
import { Vault } from '../../src/lib/vault.js';
import { SigningKeys } from '../../src/oauth/signing-keys.js';
import { createLog } from '../../src/observe/log.js';
import { send } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';
import { ATMS, FINANCE } from '../support/operations.js';
import { type Service, startService, testSecret } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { discover, obtainTokens } from './provider-journey.js';

const readAtms = async (service: Service, token: string, base = service.url): Promise<number> =>
  (
    await send(base, {
      path: ATMS,
      headers: { 'Ocp-Apim-Subscription-Key': service.keyOf(), Authorization: `Bearer ${token}` },
    })
  ).status;

describe.each(engines)('with %s', (engine) => {
  const use = useService({ engine });

  test('a revocation acts on a second node within five seconds, also for a token it knows', async () => {
    const service = use();
    const second = await startService({ databaseUrl: service.databaseUrl, env: { BASE_URL: service.url } });
    try {
      const configuration = await discover(service);
      const tokens = await obtainTokens(service, configuration);
      expect(await readAtms(service, tokens.access_token, second.app.listenUrl)).toBe(200);
      await client.tokenRevocation(configuration, tokens.refresh_token ?? '');
      second.clock.advance(5 * SECOND);
      expect(await readAtms(service, tokens.access_token, second.app.listenUrl)).toBe(401);
      expect(await readAtms(service, tokens.access_token)).toBe(401);
    } finally {
      await second.close();
    }
  });

  test('a new signing key is published before it signs, and tokens of the old one stay good', async () => {
    const service = use();
    const configuration = await discover(service);
    const before = await obtainTokens(service, configuration);
    const { kid } = await withStore(service, (db) =>
      new SigningKeys(db, new Vault(testSecret), service.clock).roll(),
    );
    service.clock.advance(6 * SECOND);
    const { keys } = (await send(service.url, { path: '/oauth/jwks', outsideContract: true })).json as {
      keys: { kid: string; d?: string }[];
    };
    expect(keys).toHaveLength(2);
    expect(keys.map((key) => key.kid)).toContain(kid);
    expect(keys.every((key) => key.d === undefined)).toBe(true);
    const meanwhile = await client.refreshTokenGrant(configuration, before.refresh_token ?? '');
    expect(decodeProtectedHeader(meanwhile.access_token).kid).not.toBe(kid);
    service.clock.advance(MINUTE);
    const after = await client.refreshTokenGrant(configuration, meanwhile.refresh_token ?? '');
    expect(decodeProtectedHeader(after.access_token).kid).toBe(kid);
    for (const token of [before, meanwhile, after])
      expect(await readAtms(service, token.access_token)).toBe(200);
  });
});

describe('beside the bank’s own identity provider', () => {
  const use = useService({ env: { TRAPEZA_ISSUER: 'https://login.bank.example' } });

  test.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/openid-configuration',
    '/oauth/authorize',
    '/oauth/jwks',
    '/oauth/login/x',
    '/oauth/anything',
  ])('%s does not exist', async (path) => {
    const answer = await send(use().url, { path });
    expect(answer.status).toBe(404);
  });
});

describe('behind a proxy, under a path', () => {
  const baseUrl = 'https://api.bank.example/psd2';
  const database = createDatabase('sqlite');
  let app: App | undefined;

  beforeAll(async () => {
    const { url } = await database;
    const env = { PORT: '0', TRAPEZA_MANAGEMENT_PORT: '0', DATABASE_URL: url, BASE_URL: baseUrl };
    const config = readConfig({ ...env, TRAPEZA_SECRET: testSecret });
    app = await startApp({ config, extensions: [sandbox], log: createLog('silent') });
  });
  afterAll(async () => {
    await app?.close();
    await (await database).drop();
  });

  test('addresses have the path, and cookies are for https and this path only', async () => {
    const listenUrl = app?.listenUrl ?? '';
    const path = '/.well-known/oauth-authorization-server';
    const metadata = (await send(listenUrl, { path, outsideContract: true })).json as Record<string, string>;
    expect(metadata.issuer).toBe(baseUrl);
    // RFC 8414, 3.1: as the caller writes it, whose proxy takes no path away.
    const inserted = (below: string) => send(listenUrl, { path: `${path}${below}`, outsideContract: true });
    expect((await inserted('/psd2')).json).toEqual(metadata);
    for (const below of ['/', '/psd', '/psd2/', '/psd2/x', '/other'])
      expect([below, (await inserted(below)).status]).toEqual([below, 404]);
    for (const [name, value] of Object.entries(metadata))
      if (/_endpoint$|^jwks_uri$/.test(name))
        expect(
          value.startsWith(`${baseUrl}/${name === 'registration_endpoint' ? 'registration' : 'oauth/'}`),
        ).toBe(true);
    const query = new URLSearchParams({
      client_id: FINANCE,
      response_type: 'code',
      scope: 'piis',
      redirect_uri: `https://${FINANCE}.example/callback`,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const answer = await send(listenUrl, { path: `/oauth/authorize?${query}`, outsideContract: true });
    expect(answer.headers.location).toMatch(/^https:\/\/api\.bank\.example\/psd2\/oauth\/login\//);
    const cookies = answer.headers['set-cookie'] ?? [];
    expect(cookies.length).toBeGreaterThan(1);
    for (const cookie of cookies) expect(cookie).toMatch(/; secure.*; httponly/i);
    const login = cookies.find((each) => each.startsWith('oauth_login.psd2=')) ?? '';
    expect(login).toMatch(/; path=\/psd2\/oauth\/login\//);
    const page = await send(listenUrl, {
      path: new URL(String(answer.headers.location)).pathname.replace('/psd2', ''),
      headers: { Cookie: login.split(';')[0] },
      outsideContract: true,
    });
    expect(page.status).toBe(200);
    expect(page.text).toContain('action="/psd2/oauth/login/');
    expect(String(page.headers['set-cookie'])).toContain('__Host-trapeza_form.psd2=');
  });
});

describe('the metadata', () => {
  const use = useService();

  test.each(['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'])(
    '%s names our address, whatever the request says',
    async (path) => {
      const { url } = use();
      const answer = await send(url, {
        path,
        headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example', 'X-Forwarded-Proto': 'https' },
        outsideContract: true,
      });
      expect(answer.text).not.toContain('evil');
      expect(answer.json).toMatchObject({
        issuer: url,
        authorization_endpoint: `${url}/oauth/authorize`,
        token_endpoint: `${url}/oauth/token`,
        revocation_endpoint: `${url}/oauth/revocation`,
        introspection_endpoint: `${url}/oauth/introspection`,
        pushed_authorization_request_endpoint: `${url}/oauth/par`,
        jwks_uri: `${url}/oauth/jwks`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        scopes_supported: ['openid', 'piis', 'ais', 'pis'],
      });
      const { grant_types_supported: grantTypes } = answer.json as { grant_types_supported: string[] };
      expect(grantTypes.toSorted()).toEqual(['authorization_code', 'refresh_token']);
    },
  );

  test('unknown paths and methods keep the problem body', async () => {
    const { url } = use();
    expect((await send(url, { path: '/oauth/userinfo' })).status).toBe(404);
    expect((await send(url, { path: '/oauth/token' })).status).toBe(405);
    expect((await send(url, { path: '/oauth/session/end' })).status).toBe(404);
  });
});
