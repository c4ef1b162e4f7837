/** `migrate`, `doctor` and `signing-key`: what an operator sees of the store and its keys. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/store/migrate.js';
import { createDatabase } from '../support/database.js';
import { bothEngines, type Engine } from '../support/engines.js';
import { testSecret } from '../support/service.js';
import { cleanUp, jsonOf, runCommand, startSandbox, tempFolder, type Variables } from './program.js';

afterAll(cleanUp);

interface Finding {
  readonly check: string;
  readonly verdict: 'ok' | 'warning' | 'failed';
  readonly detail: string;
}

const examine = async (env: Variables): Promise<{ code: number | null; byCheck: Map<string, Finding> }> => {
  const { code, stdout } = await runCommand(['doctor', '--json'], { env, cwd: tempFolder() });
  const findings = JSON.parse(stdout) as Finding[];
  return { code, byCheck: new Map(findings.map((finding) => [finding.check, finding])) };
};

const freshEnv = async (
  engine: Engine,
): Promise<{ env: Record<string, string>; drop: () => Promise<void> }> => {
  const database = await createDatabase(engine);
  return { env: { DATABASE_URL: database.url, TRAPEZA_SECRET: testSecret }, drop: () => database.drop() };
};

const engines = bothEngines(
  'doctor compares its clock with the one of PostgreSQL, which SQLite has not, and migrates under the lock of each',
);

describe.each(engines)('on %s', (engine) => {
  it('doctor sends to migrate, migrate runs once, and then all is well', async () => {
    const { env, drop } = await freshEnv(engine);
    const before = await examine(env);
    expect(before.code).toBe(1);
    expect(before.byCheck.get('database')).toMatchObject({ verdict: 'ok', detail: engine });
    expect(before.byCheck.get('migrations')).toMatchObject({
      verdict: 'failed',
      detail: `${migrations.length} to run: trapeza migrate`,
    });
    const listing = await runCommand(['tpp', 'list'], { env });
    expect(listing).toMatchObject({ code: 1 });
    expect(listing.stderr).toContain(
      `the database lacks ${migrations.length} migration(s): run "trapeza migrate" first`,
    );

    expect(await runCommand(['migrate'], { env })).toMatchObject({
      code: 0,
      stdout: `Ran ${migrations.length} migration(s): ${migrations.map(({ name }) => name).join(', ')}.\n`,
    });
    expect(await runCommand(['migrate'], { env })).toMatchObject({
      code: 0,
      stdout: 'The database is up to date.\n',
    });
    expect(jsonOf(await runCommand(['migrate', '--json'], { env }))).toEqual({ ran: [] });
    const after = await examine(env);
    expect(after.code).toBe(0);
    expect(after.byCheck.get('migrations')).toMatchObject({ verdict: 'ok' });
    expect(after.byCheck.get('database')?.detail).toContain('no demo data');
    expect(after.byCheck.get('clock')).toMatchObject({ verdict: 'ok' });
    expect(after.byCheck.get('signatures')).toMatchObject({ verdict: 'warning' });
    expect(after.byCheck.get('signatures')?.detail).toContain('TRAPEZA_TRUST_ANCHORS');
    expect(after.byCheck.get('signing keys')?.detail).toContain('none yet');
    await drop();
  });
});

describe('doctor', () => {
  it('tells what production would still need, in one go, and prints no secret', async () => {
    const { env, drop } = await freshEnv('sqlite');
    await runCommand(['migrate'], { env });
    const { code, stdout } = await runCommand(['doctor'], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^(ok|warning) +node +\d+/m);
    expect(stdout.replaceAll(/\n {10,}/g, ' ')).toMatch(
      /^warning +configuration +fine for the sandbox; for production: .*BASE_URL is missing/m,
    );
    expect(stdout).toMatch(/^warning +TRAPEZA_BRAND +not set/m);
    expect(stdout).not.toContain(testSecret);
    await drop();
  });

  it('is content with a complete configuration', async () => {
    const { env, drop } = await freshEnv('sqlite');
    const { byCheck } = await examine({
      ...env,
      BASE_URL: 'https://psd2.bank.example',
      TRAPEZA_ISSUER: 'https://id.bank.example',
      TRAPEZA_BANK_MODULE: './bank.js',
    });
    expect(byCheck.get('configuration')).toMatchObject({ verdict: 'ok' });
    await drop();
  });

  it('says that a database cannot be reached, without its password', async () => {
    const env = { DATABASE_URL: 'postgres://trapeza:very-secret@127.0.0.1:1/trapeza' };
    const { code, stdout, stderr } = await runCommand(['doctor'], { env });
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\n {10,}/g, ' ')).toMatch(
      /^failed +database +the store is unavailable: .*ECONNREFUSED/m,
    );
    expect(stdout + stderr).not.toContain('very-secret');
    expect(stdout + stderr).not.toContain('    at ');
  });

  it('notices that the secret is not the one the keys were sealed with', async () => {
    const { env, drop } = await freshEnv('sqlite');
    await (await startSandbox({ env })).program.stop();
    const good = await examine(env);
    expect(good.byCheck.get('signing keys')?.detail).toMatch(/^ES256 [\w-]{36}$/);
    expect(good.byCheck.get('database')?.detail).toContain('demo data of the sandbox');
    const bad = await examine({ ...env, TRAPEZA_SECRET: 'Zr8mWq1LxUo6TbPy3KdHv9Jc5NfGs0Ea7Ri2QtYw4Xk=' });
    expect(bad.code).toBe(1);
    expect(bad.byCheck.get('signing keys')).toMatchObject({
      verdict: 'failed',
      detail: 'sealed under a TRAPEZA_SECRET that is not configured',
    });
    await drop();
  });
});

describe('a database that cannot be opened', () => {
  it.each([
    ['a folder', (folder: string) => `sqlite:${folder}`],
    ['a server that is not there', () => 'postgres://u:very-secret@127.0.0.1:1/x'],
  ])('%s is explained by every command', async (_what, urlIn) => {
    const env = { DATABASE_URL: urlIn(tempFolder()) };
    for (const args of [['migrate'], ['tpp', 'list']]) {
      const { code, stderr } = await runCommand(args, { env });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^trapeza: .{10,}/);
      expect(stderr).not.toContain('very-secret');
      expect(stderr).not.toContain('    at ');
    }
  });
});

describe('signing-key', () => {
  it('lists and rolls: the next key is published now and used a minute later', async () => {
    const env = { DATABASE_URL: `sqlite:${join(tempFolder(), 'keys.db')}`, TRAPEZA_SECRET: testSecret };
    await runCommand(['migrate'], { env });
    expect((await runCommand(['signing-key', 'list'], { env })).stdout).toContain(
      'There are no signing keys yet',
    );
    await (await startSandbox({ env })).program.stop();
    interface Listed {
      readonly kid: string;
      readonly purpose: string;
      readonly algorithm: string;
      readonly activeFrom: string;
      readonly retiredAt: string;
    }
    const list = async () => {
      const all = jsonOf<Listed[]>(await runCommand(['signing-key', 'list', '--json'], { env }));
      // The key of notifications has a life of its own.
      expect(all.filter(({ purpose }) => purpose === 'webhook')).toHaveLength(1);
      return all.filter(({ purpose }) => purpose === 'token');
    };
    const [first] = await list();
    expect(first).toMatchObject({ algorithm: 'ES256', retiredAt: '' });

    const rolled = await runCommand(['signing-key', 'roll', '--algorithm', 'PS256'], { env });
    const [, kid, from] =
      /^Signing key (\S+) is published and will be used from (\S+)\.$/m.exec(rolled.stdout) ?? [];
    const after = await list();
    expect(after).toHaveLength(2);
    expect(after[1]).toMatchObject({ kid, algorithm: 'PS256', activeFrom: from, retiredAt: '' });
    expect(Date.parse(after[0]?.retiredAt ?? '') - Date.parse(from ?? '')).toBe(12 * 60_000);
    expect((await runCommand(['signing-key', 'list'], { env })).stdout).toContain(kid ?? '?');
  });

  it('does not roll without the secret that encrypts the new key', async () => {
    const env = { DATABASE_URL: `sqlite:${join(tempFolder(), 'keys.db')}`, TRAPEZA_SECRET: undefined };
    await runCommand(['migrate'], { env });
    const { code, stderr } = await runCommand(['signing-key', 'roll'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('TRAPEZA_SECRET is missing: it encrypts the new key');
  });
});
