/** The authorization server as FAPI 2.0 wants it: lost answers, assertions from the future, and metadata that promises too much. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../cli/program.js';
import { newWallet, Pki, registerJwks, secure } from '../../oauth/binding/support.js';
import { discover, obtainTokens, postToken } from '../../oauth/provider-journey.js';
import { send, slugOf } from '../../support/client.js';
import { ATMS, BUDGET, FINANCE } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { useService } from '../../support/use-service.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

const post = (service: Service, path: string, form: Readonly<Record<string, string>>) =>
  send(service.url, {
    method: 'POST',
    path,
    headers: FORM,
    body: new URLSearchParams(form).toString(),
    outsideContract: true,
  });

const metadataOf = async (service: Service, path = '/.well-known/openid-configuration') =>
  (await send(service.url, { path, outsideContract: true })).json as Record<string, unknown>;

describe('a refresh token', () => {
  const use = useService();

  it('signatures 1: works again if the answer was lost, and the login lives on', async () => {
    const service = use();
    const { refresh_token: token = '' } = await obtainTokens(service, await discover(service));
    const refresh = () => postToken(service, { grant_type: 'refresh_token', refresh_token: token });
    for (let count = 0; count < 3; count += 1)
      expect(await refresh()).toMatchObject({ status: 200, json: { refresh_token: token } });
  });

  it('signatures 6: only the response mode that works is in the metadata', async () => {
    for (const path of ['/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])
      expect(await metadataOf(use(), path)).toMatchObject({ response_modes_supported: ['query'] });
  });
});

describe('the profile fapi2', () => {
  let service: Service;
  let key: CryptoKey;
  const assertion = (claims: object) =>
    new SignJWT({
      jti: randomUUID(),
      aud: service.url,
      exp: Math.floor(Date.now() / 1000) + 300,
      ...claims,
    })
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer(FINANCE)
      .setSubject(FINANCE)
      .sign(key);

  beforeAll(async () => {
    service = await startService();
    const pair = await generateKeyPair('ES256');
    key = pair.privateKey as CryptoKey;
    await registerJwks(service, FINANCE, [await exportJWK(pair.publicKey)]);
    await secure(service, FINANCE, { binding: 'dpop', profile: 'fapi2' });
    // The assertions are made by the time of this machine.
    service.clock.advance(Date.now() - service.clock.now());
  });
  afterAll(() => service?.close());

  it.each([
    ['iat', '/oauth/par', 201],
    ['iat', '/oauth/introspection', 200],
    ['nbf', '/oauth/par', 201],
    ['nbf', '/oauth/introspection', 200],
  ])(
    'signatures 6: an assertion whose %s is more than a minute ahead is refused at %s',
    async (claim, path, good) => {
      const ask = async (seconds: number): Promise<number> => {
        const at = Math.floor(service.clock.now() / 1000);
        const answer = await post(service, path, {
          client_id: FINANCE,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await assertion({ iat: at, [claim]: at + seconds }),
          token: 'unknown',
          response_type: 'code',
          redirect_uri:
            service.credentials.applications.find(({ clientId }) => clientId === FINANCE)?.redirectUri ?? '',
          scope: 'ais',
          code_challenge: 'x'.repeat(43),
          code_challenge_method: 'S256',
        });
        return answer.status;
      };
      expect(await ask(8)).toBe(good);
      expect(await ask(90)).toBe(401);
      expect(await ask(3600)).toBe(401);
    },
  );
});

describe('TRAPEZA_FAPI2_ONLY', () => {
  let pki: Pki;
  let service: Service;
  beforeAll(async () => {
    pki = await Pki.open();
    service = await startService({
      env: { ...pki.tlsEnv, TRAPEZA_TLS_CLIENT_CERTIFICATE: 'optional', TRAPEZA_FAPI2_ONLY: 'on' },
    });
  });
  afterAll(async () => {
    await service?.close();
    await pki?.close();
  });

  it('signatures 6: the metadata lists only what applications may use', async () => {
    const methods = ['private_key_jwt', 'tls_client_auth'];
    const algorithms = ['PS256', 'ES256'];
    const metadata = await metadataOf(service);
    expect(metadata).toMatchObject({
      require_pushed_authorization_requests: true,
      response_modes_supported: ['query'],
    });
    for (const endpoint of ['token', 'revocation', 'introspection'])
      expect([
        metadata[`${endpoint}_endpoint_auth_methods_supported`],
        metadata[`${endpoint}_endpoint_auth_signing_alg_values_supported`],
      ]).toEqual([methods, algorithms]);
  });

  it('signatures 6: another application is refused at the token endpoint and at operations, one of the profile is not', async () => {
    const answer = await service.call({ path: ATMS, as: { application: BUDGET } });
    expect([answer.status, slugOf(answer)]).toEqual([403, 'access-blocked']);
    expect(
      (await postToken(service, { grant_type: 'refresh_token', refresh_token: 'x' }, BUDGET)).json,
    ).toMatchObject({
      error: 'invalid_client',
    });
    const { jwk } = await newWallet();
    await registerJwks(service, FINANCE, [jwk]);
    await secure(service, FINANCE, { binding: 'dpop', profile: 'fapi2' });
    // Its key is accepted; a token that is tied to nothing is not.
    expect(slugOf(await service.call({ path: ATMS }))).toBe('token-invalid');
  });

  it('signatures 6: an application that is not in the profile is not created, nor taken out of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trapeza-fapi2-'));
    try {
      const env = { DATABASE_URL: `sqlite:${join(folder, 'only.db')}`, TRAPEZA_FAPI2_ONLY: 'on' };
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await runCommand(args, { env });
        return { code, text: stdout + stderr };
      };
      await run('migrate');
      const made = await run(
        ...['tpp', 'create', '--name', 'A', '--registration', 'PSDGR-BOG-1', '--roles', 'PSP_AI', '--json'],
      );
      const { id } = JSON.parse(made.text) as { id: string };
      const create = [
        'application',
        'create',
        '--tpp',
        id,
        '--name',
        'App',
        '--redirect-uri',
        'https://a.example/',
      ];
      const refused = await run(...create);
      expect([refused.code, refused.text]).toEqual([1, expect.stringContaining('TRAPEZA_FAPI2_ONLY')]);
      const keys = join(folder, 'keys.json');
      const jwk: JWK = (await newWallet()).jwk;
      writeFileSync(keys, JSON.stringify({ keys: [jwk] }));
      const good = await run(...create, '--jwks', keys, '--binding', 'dpop', '--profile', 'fapi2', '--json');
      const { clientId } = JSON.parse(good.text) as { clientId: string };
      expect((await run('application', 'security', clientId, '--profile', 'none')).text).toContain(
        'TRAPEZA_FAPI2_ONLY',
      );
      const rows = JSON.parse((await run('application', 'list', '--json')).text) as { profile: string }[];
      expect(rows.map(({ profile }) => profile)).toEqual(['fapi2']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
