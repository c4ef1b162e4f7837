/** `trapeza serve`: production explains everything it needs, and has nothing of the sandbox. */
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { faultsOfLine } from '../../src/observe/log-lines.js';
import { RawCore } from '../bank/http/raw-core.js';
import { root } from '../lib/source.js';
import {
  cleanUp,
  jsonOf,
  type RunningService,
  startServe,
  tempFolder,
  trapeza,
  type Variables,
} from './program.js';
import { completeEnv } from './serve-support.js';

let provider: Server;
let issuer: string;
let privateKey: CryptoKey;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  privateKey = pair.privateKey;
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'ES256', use: 'sig' };
  provider = createServer((request, response) => {
    const isKeys = request.url === '/.well-known/jwks.json';
    response.writeHead(isKeys ? 200 : 404, { 'Content-Type': 'application/json' });
    response.end(isKeys ? JSON.stringify({ keys: [jwk] }) : '{}');
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await cleanUp();
  await new Promise((resolve) => {
    provider.close(resolve);
    provider.closeAllConnections();
  });
});

/** The way an operator takes: migrate, register, create a key. */
const registerApplication = async (env: Variables): Promise<{ clientId: string; key: string }> => {
  const command = async <T>(...args: string[]): Promise<T> =>
    jsonOf<T>(await trapeza([...args, '--json'], { env }));
  expect((await trapeza(['migrate'], { env })).code).toBe(0);
  const tpp = await command<{ id: string }>(
    ...['tpp', 'create', '--name', 'Agora', '--registration', 'PSDGR-BOG-1', '--roles', 'PSP_IC,PSP_AI'],
  );
  const { clientId } = await command<{ clientId: string }>(
    'application',
    'create',
    '--tpp',
    tpp.id,
    '--name',
    'App',
  );
  const { keys } = await command<{ keys: { key: string }[] }>('key', 'create', '--application', clientId);
  return { clientId, key: keys[0]?.key ?? '' };
};

const tokenFor = (clientId: string, audience: string): Promise<string> =>
  new SignJWT({ client_id: clientId, scope: 'piis ais' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', typ: 'at+jwt' })
    .setIssuer(issuer)
    .setAudience(audience)
    .setSubject('psu-1')
    .setExpirationTime('5m')
    .sign(privateKey);

describe('serve with a complete configuration', () => {
  let service: RunningService;
  let env: Record<string, string>;
  let application: { clientId: string; key: string };
  beforeAll(async () => {
    env = await completeEnv(issuer);
    application = await registerApplication(env);
    service = await startServe({ env });
  });

  const call = async (path: string, init: RequestInit & { key?: string } = {}): Promise<Response> =>
    fetch(`${service.url}${path}`, {
      ...init,
      headers: {
        'Ocp-Apim-Subscription-Key': init.key ?? application.key,
        Authorization: `Bearer ${await tokenFor(application.clientId, service.url)}`,
        'X-Request-ID': crypto.randomUUID(),
        ...(init.headers as Record<string, string> | undefined),
      },
    });

  it('answers the ATM read with an empty list, by a token of the identity provider', async () => {
    const answer = await call('/psd2/v1/opendata/atm');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([]);
  });

  it('writes lines of the log and nothing else, up to the last one', async () => {
    const other = await startServe({ env: { ...env, PORT: '0', TRAPEZA_NODE: 'node-7' } });
    await other.program.stop();
    const lines = other.program.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.flatMap((line) => faultsOfLine(line))).toEqual([]);
    expect(new Set(lines.map(({ node }) => node))).toEqual(new Set(['node-7']));
    expect(lines.at(-1)).toMatchObject({ level: 30, msg: 'stopped' });
    expect(other.program.stderr).toBe('');
  });

  it('warns that nobody is trusted to issue certificates', () => {
    expect(service.program.stdout).toMatch(/"level":"?(40|warn)"?.*TRAPEZA_TRUST_ANCHORS/);
  });

  it('is ready, and asks the bank whether it is there', async () => {
    const answer = await fetch(`${service.managementUrl}/health/ready`);
    expect(await answer.json()).toEqual({
      status: 'ok',
      checks: { store: 'ok', clock: 'ok', core: 'ok', keys: 'ok', accepting: 'ok' },
      reasons: {},
    });
  });

  it('does not start a second node that has another secret, and says which one it needs', async () => {
    const wrong = { ...env, PORT: '0', TRAPEZA_SECRET: 'Zr8mWq1LxUo6TbPy3KdHv9Jc5NfGs0Ea7Ri2QtYw4Xk=' };
    const { code, stdout, stderr } = await trapeza(['serve'], { env: wrong });
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('or to both as NEW,OLD')]);
    expect(service.program.stdout).toContain(`"listening":"${service.url}"`);
  });

  it.each([
    ['GET', '/sandbox/credentials'],
    ['POST', '/sandbox/tokens'],
    ['GET', '/sandbox/clock'],
    ['PUT', '/sandbox/clock'],
    ['POST', '/sandbox/reset'],
    ['GET', '/sandbox/pki/root.pem'],
    ['POST', '/sandbox/pki/ocsp'],
    ['POST', '/sandbox/pki/certificates'],
    ['GET', '/sandbox/tpp'],
    ['POST', '/sandbox/tpp/webhook'],
    ['GET', '/sandbox'],
  ])('has no %s %s', async (method, path) => {
    const answer = await call(path, { method });
    expect(answer.status).toBe(404);
    expect(((await answer.json()) as { type: string }).type).toMatch(/route-not-found$/);
  });

  it('rehearses nothing: the scenario header of the sandbox has no effect', async () => {
    const answer = await call('/psd2/v1/opendata/atm', { headers: { 'Sandbox-Scenario': 'internal-error' } });
    expect(answer.status).toBe(200);
  });

  it('refuses the public keys of the demo', async () => {
    for (const { subscriptionKey } of demoApplications)
      expect((await call('/psd2/v1/opendata/atm', { key: subscriptionKey })).status).toBe(401);
  });

  it('mentions the sandbox neither in its API document nor on its pages', async () => {
    const document = await (await fetch(`${service.url}/openapi.json`)).text();
    expect(document).toContain('/psd2/v1/opendata/atm');
    expect(document).not.toContain('/sandbox');
    for (const page of ['/', '/docs', '/nope', '/sandbox/credentials', '/sandbox/return/demo-finance-app']) {
      const answer = await fetch(`${service.url}${page}`, { headers: { Accept: 'text/html' } });
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      const text = await answer.text();
      expect(text).not.toContain('/sandbox/');
      expect(text).not.toContain('demo-key');
    }
  });

  it('stops on SIGTERM, and leaves the store in one file, beside it what it has seen', async () => {
    expect(await service.program.stop('SIGTERM')).toMatchObject({ code: 0, signal: null });
    const file = env.DATABASE_URL?.slice('sqlite:'.length) ?? '';
    expect(readdirSync(dirname(file)).filter((name) => name.startsWith('bank.db'))).toEqual([
      'bank.db',
      'bank.db.pulse',
    ]);
  });
});

describe('serve with the module of the documentation', () => {
  it('code H1: starts and is ready', async () => {
    const env = { ...(await completeEnv(issuer)), TRAPEZA_BANK_MODULE: join(root, 'docs/examples/bank.js') };
    const service = await startServe({ env });
    const ready = await fetch(`${service.managementUrl}/health/ready`);
    expect(await ready.json()).toMatchObject({ status: 'ok', checks: { core: 'ok' } });
    await service.program.stop('SIGTERM');
  });
});

describe('serve with the address of a core', () => {
  it('needs neither a module nor an identity provider, and says which file of the core it cannot use', async () => {
    const core = new RawCore();
    await core.up();
    const { TRAPEZA_BANK_MODULE, TRAPEZA_ISSUER, ...rest } = await completeEnv(issuer);
    const env = { ...rest, TRAPEZA_CORE_URL: core.url };
    const service = await startServe({ env });
    const ready = await fetch(`${service.managementUrl}/health/ready`);
    expect(await ready.json()).toMatchObject({ checks: { core: 'ok' } });
    expect((await fetch(`${service.url}/.well-known/openid-configuration`)).status).toBe(200);
    expect(core.seen.every(({ headers }) => headers['sandbox-time'] === undefined)).toBe(true);
    await service.program.stop('SIGTERM');
    await core.down();
    const secure = { ...env, TRAPEZA_CORE_URL: 'https://127.0.0.1:1', TRAPEZA_CORE_CA: 'none.pem' };
    const { code, stderr } = await trapeza(['serve'], { env: secure, cwd: tempFolder() });
    expect(code).toBe(1);
    expect(stderr).toContain('TRAPEZA_CORE_CA names a file that cannot be read (ENOENT).');
  });
});

describe('serve without a configuration', () => {
  it('explains everything that is missing at once', async () => {
    const { code, stdout, stderr } = await trapeza(['serve'], { env: {}, cwd: tempFolder() });
    expect([code, stdout]).toEqual([1, '']);
    for (const variable of ['TRAPEZA_SECRET', 'DATABASE_URL', 'BASE_URL', 'TRAPEZA_CORE_URL'])
      expect(stderr).toContain(`${variable} is missing: `);
  });
});
