/** `doctor` tries everything that the configuration names, tells all that is wrong at once, and prints no secret. */
import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TrustFolder } from '../../../src/certificate/trust.js';
import { systemClock } from '../../../src/lib/clock.js';
import { fixture, json, RawCore } from '../../bank/http/raw-core.js';
import { cleanUp, type Finished, runCommand, tempFolder, type Variables } from '../../cli/program.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { testSecret } from '../../support/service.js';

describe('faults 12: doctor', () => {
  const core = new RawCore();
  let database: TestDatabase;
  beforeAll(async () => {
    await core.up();
    database = await createDatabase('sqlite');
    await runCommand(['migrate'], { env: { DATABASE_URL: database.url } });
  });
  afterAll(async () => {
    await core.down();
    await database.drop();
    await cleanUp();
  });
  /** With its wrapped lines put together again. */
  const run = async (args: readonly string[], env: Variables): Promise<Finished> => {
    const finished = await runCommand(args, { env: { DATABASE_URL: database.url, ...env } });
    return { ...finished, stdout: finished.stdout.replaceAll(/\n {10,}/g, ' ') };
  };
  const doctor = (env: Record<string, string>): Promise<Finished> =>
    run(['doctor'], { TRAPEZA_SECRET: testSecret, ...env });

  it('tells every file and host that cannot be used, with its remedy, and ends with 1', async () => {
    const { code, stdout, stderr } = await doctor({
      TRAPEZA_TRUST_ANCHORS: '/nope',
      TRAPEZA_BANK_MODULE: '/nope.js',
      TRAPEZA_ISSUER: 'http://127.0.0.1:1/',
      REDIS_URL: 'redis://user:hidden-word@127.0.0.1:1',
    });
    expect(code).toBe(1);
    for (const variable of ['TRAPEZA_TRUST_ANCHORS', 'TRAPEZA_BANK_MODULE', 'TRAPEZA_ISSUER'])
      expect(stdout).toMatch(new RegExp(`^failed +${variable} .*: .+`, 'm'));
    expect(stdout).toMatch(/^ok +TRAPEZA_DATA +\d+ MB free/m);
    expect(stdout).toMatch(/^warning +settings +REDIS_URL is no longer a setting/m);
    expect(stdout + stderr).not.toContain('hidden-word');
  });

  it('is content with a core that answers, and tells one that does not', async () => {
    const env = { TRAPEZA_CORE_URL: core.url, TRAPEZA_CORE_TOKEN: 'hidden-word' };
    const good = await doctor(env);
    expect(good.stdout).toMatch(/^ok +TRAPEZA_CORE_URL /m);
    expect(good.code).toBe(0);
    // Its health is open to everybody, its accounts are not.
    core.behave = ({ path }, response) =>
      path.endsWith('/health')
        ? response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"ok"}')
        : response.writeHead(401).end();
    const refused = await doctor(env);
    expect(refused.stdout).toMatch(
      /^failed +TRAPEZA_CORE_URL .*refuses our credentials \(status 401\): check TRAPEZA_CORE_TOKEN/m,
    );
    core.behave = (_seen, response) => response.writeHead(404).end();
    expect((await doctor(env)).stdout).toMatch(
      /^failed +TRAPEZA_CORE_URL .*status 404: is the address right/m,
    );
    core.behave = (_seen, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"status":"maintenance"}');
    expect((await doctor(env)).stdout).toMatch(/^warning +TRAPEZA_CORE_URL .*is under maintenance: run/m);
    core.behave = (_seen, response) =>
      json(response, { status: 'maintenance', until: '2026-11-16T05:30:00+02:00' });
    expect((await doctor(env)).stdout).toMatch(/under maintenance until 2026-11-16T03:30:00(\.000)?Z: run/);
    core.behave = (_seen, response) => response.writeHead(503, { 'Retry-After': '600' }).end();
    expect((await doctor(env)).stdout).toMatch(/under maintenance for 600 seconds: run/);
    core.behave = () => undefined;
    expect((await doctor(env)).stdout).toMatch(/^failed +TRAPEZA_CORE_URL .*no answer within 3 s/m);
    const gone = await doctor({ ...env, TRAPEZA_CORE_URL: 'http://127.0.0.1:1' });
    expect(gone.stdout).toMatch(/^failed +TRAPEZA_CORE_URL .*cannot be reached \(.*refused/im);
    expect(refused.code).toBe(1);
    expect(good.stdout + refused.stdout + gone.stdout).not.toContain('hidden-word');
  });

  it('fails for production what is fine for the sandbox', async () => {
    const sandbox = await doctor({});
    expect(sandbox.code).toBe(0);
    const { code, stdout } = await run(['doctor', '--production'], { TRAPEZA_SECRET: undefined });
    expect(code).toBe(1);
    for (const check of ['configuration', 'signatures'])
      expect(stdout).toMatch(new RegExp(`^failed +${check} `, 'm'));
    expect(stdout).toMatch(/TRAPEZA_SECRET is missing.*BASE_URL is missing/);
    expect(stdout).not.toContain('sandbox');
  });

  it('judges no store for production that no setting names, and makes none', async () => {
    const cwd = tempFolder();
    const { code, stdout } = await runCommand(['doctor', '--production'], {
      cwd,
      env: { TRAPEZA_SECRET: testSecret },
    });
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\n {10,}/g, ' ')).toContain('DATABASE_URL is missing');
    expect(stdout).not.toMatch(/^\w+ +(database|migrations) /m);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('reads our certificates: their dates, their keys, and who is trusted', async () => {
    const anchors = tempFolder();
    const files = {
      TRAPEZA_TLS_CERTIFICATE: fixture('server'),
      TRAPEZA_TLS_KEY: fixture('server.key'),
      TRAPEZA_TRUST_ANCHORS: anchors,
    };
    const empty = await doctor(files);
    expect(empty.stdout).toMatch(/^ok +TRAPEZA_TLS_CERTIFICATE valid until 2\d{3}-/m);
    expect(empty.stdout).toMatch(/^failed +TRAPEZA_TRUST_ANCHORS 0 anchors in force/m);
    copyFileSync(fixture('ca'), join(anchors, 'ca.pem'));
    const mixed = await doctor({ ...files, TRAPEZA_TLS_KEY: fixture('client.key') });
    expect(mixed.stdout).toMatch(/^failed +TRAPEZA_TLS_CERTIFICATE does not belong to its private key/m);
    expect(mixed.stdout).toMatch(/^ok +TRAPEZA_TRUST_ANCHORS 1 anchor in force/m);
  });

  /** As Kubernetes mounts a ConfigMap with `items: path:`; `intermediates` is a link to a folder. */
  const mount = (): string => {
    const folder = tempFolder();
    const data = join(folder, '..2026_11_19');
    mkdirSync(join(data, 'intermediates'), { recursive: true });
    copyFileSync(fixture('ca'), join(data, 'root.pem'));
    copyFileSync(fixture('ca'), join(data, 'intermediates/issuing.pem'));
    symlinkSync('..2026_11_19', join(folder, '..data'));
    for (const name of ['root.pem', 'intermediates']) symlinkSync(`..data/${name}`, join(folder, name));
    return folder;
  };
  const layouts: Readonly<Record<string, () => string>> = {
    'of files': () => {
      const folder = tempFolder();
      copyFileSync(fixture('ca'), join(folder, 'root.pem'));
      return folder;
    },
    'of a ConfigMap': mount,
    'with what is no certificate': () => {
      const folder = mount();
      writeFileSync(join(folder, 'broken.crt'), 'no certificate');
      writeFileSync(join(folder, 'README'), 'of no interest');
      symlinkSync('nowhere.pem', join(folder, 'lost.pem'));
      mkdirSync(join(folder, 'folder.pem'));
      copyFileSync(fixture('ca'), join(folder, '.hidden.pem'));
      return folder;
    },
  };

  it.each(Object.entries(layouts))('reads a folder of anchors %s as the service does', async (_, make) => {
    const folder = make();
    const reported: string[] = [];
    const trust = new TrustFolder(folder, systemClock, (file) => void reported.push(file));
    await trust.refresh();
    const { anchors, intermediates } = trust.current();
    expect(anchors).toHaveLength(1);
    const { stdout } = await doctor({ TRAPEZA_TRUST_ANCHORS: folder });
    const line = /^(ok|warning) +TRAPEZA_TRUST_ANCHORS (.*)$/m.exec(stdout);
    expect(line?.[2]).toMatch(
      `${anchors.length} anchor in force, ${intermediates.length} intermediate certificate`,
    );
    expect(line?.[1]).toBe(reported.length === 0 ? 'ok' : 'warning');
    for (const file of reported) expect(line?.[2]).toContain(`${file} is not read (`);
  });

  it('fails on anchors if nobody may be asked about revocation, which is a 503 for every certificate', async () => {
    const anchors = { TRAPEZA_TRUST_ANCHORS: mount() };
    const revocation = async (env: Record<string, string>) =>
      /^(\w+) +TRAPEZA_REVOCATION_HOSTS /m.exec((await doctor(env)).stdout)?.[1];
    expect(await revocation(anchors)).toBe('failed');
    expect(await revocation({ ...anchors, TRAPEZA_REVOCATION_HOSTS: 'ocsp.qtsp.example' })).toBe('ok');
    expect(await revocation({ ...anchors, TRAPEZA_REVOCATION: 'soft' })).toBe('ok');
    expect(await revocation({ ...anchors, TRAPEZA_TRUST_LISTS: 'lotl.xml' })).toBe('ok');
    expect(await revocation({})).toBeUndefined();
  });

  it('refuses a proxy whose address is the one of a sample', async () => {
    for (const proxy of ['192.0.2.10', '198.51.100.0/24', '2001:db8::1'])
      expect((await doctor({ TRAPEZA_TRUSTED_PROXIES: proxy })).stdout).toContain(
        'TRAPEZA_TRUSTED_PROXIES names',
      );
    expect((await doctor({ TRAPEZA_TRUSTED_PROXIES: '10.1.2.3' })).stdout).not.toContain(
      'TRAPEZA_TRUSTED_PROXIES names',
    );
  });
});
