/** What lies on the disk of a running service, and what somebody with the disk but without the secret can do with it. */

import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { simulatorMigrations } from '../../packages/core-kit/src/simulator/migrations.js';
import { ConfigError, readConfig } from '../../src/config/config.js';
import { Vault } from '../../src/lib/vault.js';
import { SigningKeys } from '../../src/oauth/signing-keys.js';
import { migrate } from '../../src/store/migrate.js';
import { openDb } from '../../src/store/open.js';
import { cleanUp, jsonOf, Program, runCommand, startSandbox, tempFolder } from '../cli/program.js';
import { builtFile } from '../lib/build.js';
import { ManualClock } from '../lib/manual-clock.js';
import { createDatabase } from '../support/database.js';
import { engines } from '../support/engines.js';
import { testSecret } from '../support/service.js';
import { attackVolume } from './volume.js';

afterAll(cleanUp);

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Everything in a folder, and the folder, that others than the owner may read, write or enter. */
const openToOthers = (folder: string): string[] =>
  [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  ].filter((path) => (statSync(path).mode & 0o077) !== 0);

/** The program under the most generous umask there is. */
const generously = (cwd: string, ...args: string[]): Program =>
  new Program('bash', ['-c', 'umask 000; exec "$0" "$@"', process.execPath, builtFile('main.js'), ...args], {
    cwd,
    env: { PORT: '0', TRAPEZA_MANAGEMENT_PORT: '0' },
  });

describe('security F6: files of the program are for its own account', () => {
  it('the store, its log and the secret of a sandbox while it runs', async () => {
    const folder = tempFolder();
    const program = generously(folder, 'sandbox');
    await program.until(/Ctrl-C/);
    expect(modeOf(join(folder, 'data'))).toBe('700');
    const names = readdirSync(join(folder, 'data')).filter((name) => !name.endsWith('.partial'));
    expect(names.toSorted()).toEqual([
      'sandbox-secret',
      'trapeza.db',
      'trapeza.db-shm',
      'trapeza.db-wal',
      'trapeza.db.pulse',
    ]);
    expect(openToOthers(join(folder, 'data'))).toEqual([]);
    await program.stop();
  });

  it('the store of the core simulator, and the keys of a test PKI', async () => {
    const folder = tempFolder();
    const simulator = generously(folder, 'core-simulator', '--port', '0');
    await simulator.until(/http:\/\//);
    expect(openToOthers(join(folder, 'data'))).toEqual([]);
    await simulator.stop();
    expect((await generously(folder, 'pki', 'init', '--out', 'pki').finished).code).toBe(0);
    expect(modeOf(join(folder, 'pki'))).toBe('700');
  });

  it('an export about a person, also over a file that everybody could read; and doctor names what is open', async () => {
    const folder = tempFolder();
    // The sandbox makes a secret of its own.
    const env = { TRAPEZA_DATA: join(folder, 'data'), TRAPEZA_SECRET: undefined };
    await (await startSandbox({ cwd: folder, env })).program.stop();
    const out = join(folder, 'eleni.json');
    writeFileSync(out, '', { mode: 0o644 });
    expect((await runCommand(['psu', 'export', 'eleni', '--out', out], { cwd: folder, env })).code).toBe(0);
    expect(modeOf(out)).toBe('600');

    const files = async (): Promise<unknown> =>
      jsonOf<{ check: string }[]>(await runCommand(['doctor', '--json'], { cwd: folder, env })).find(
        ({ check }) => check === 'files',
      );
    expect(await files()).toMatchObject({ verdict: 'ok' });
    chmodSync(join(folder, 'data', 'trapeza.db'), 0o640);
    expect(await files()).toMatchObject({
      verdict: 'warning',
      detail: expect.stringContaining('trapeza.db (640)'),
    });
  });
});

const faultsOf = (secret: string): readonly string[] => {
  try {
    readConfig({ TRAPEZA_SECRET: secret });
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

describe('security F9: a secret that can be guessed', () => {
  it.each([
    ['a'.repeat(32), 'fewer than 9 different'],
    ['01'.repeat(40), 'fewer than 9 different'],
    ['correcthorsebattery'.repeat(3), 'repeats itself'],
    ['kf83;lsQ/'.repeat(8), 'repeats itself'],
    ['zyxwvutsrqponmlkjihgfe9876543210ZYXWVU', 'counts up or down'],
    ['My-Password-For-The-Bank-Is-Quite-Long', 'a word that everybody tries first'],
    ['please-change-me-before-you-go-live-ok', 'a word that everybody tries first'],
  ])('is refused: %s', (secret, reason) => {
    const [fault = '', ...others] = faultsOf(secret);
    expect(fault).toMatch(
      new RegExp(`^TRAPEZA_SECRET is easy to guess: .*${reason}.* Make one with: openssl rand -base64 32$`),
    );
    expect(fault).not.toContain(secret);
    expect(others).toEqual([]);
  });

  it('can still be replaced, while one of the documented kind is never refused', () => {
    expect(faultsOf(`${testSecret},${'a'.repeat(32)}`)).toEqual([]);
    for (let round = 0; round < attackVolume(1_000, 100_000); round += 1) {
      expect(faultsOf(randomBytes(32).toString('base64'))).toEqual([]);
      expect(faultsOf(randomBytes(24).toString('hex'))).toEqual([]);
    }
  });
});

describe('security F9: a sealed value', () => {
  const secret = 'current-secret-of-at-least-32-characters';
  const before = 'v1.dhLH6S14.wvoFVOyRwRjs3Xyf.mHPBLAFYNXEoNRSnyRFX0UEEZXYWUqCoPa5FkXA';

  it('opens in its own place only', () => {
    const vault = new Vault(secret);
    const sealed = vault.seal('text', 'signing-key:1');
    expect(vault.open(sealed, 'signing-key:1')).toBe('text');
    for (const place of ['signing-key:2', 'walk:1', '']) expect(() => vault.open(sealed, place)).toThrow();
  });

  it('of the first format still opens, and no other can be passed off as one', () => {
    const vault = new Vault(secret);
    expect(vault.open(before, 'signing-key:1')).toBe('sealed before');
    expect(new Vault(`${testSecret},${secret}`).open(before, 'anywhere')).toBe('sealed before');
    const [, name] = before.split('.');
    const [, , ...rest] = vault.seal('text', 'signing-key:1').split('.');
    expect(() => vault.open(['v1', name, ...rest].join('.'), 'signing-key:1')).toThrow();
  });

  it.each(engines)('that was moved to another row of %s signs nothing', async (engine) => {
    const database = await createDatabase(engine);
    const db = await openDb(database.url, 2);
    const clock = new ManualClock();
    await migrate(db, clock.now(), simulatorMigrations);
    const vault = new Vault(testSecret);
    await new SigningKeys(db, vault, clock).ensure();
    await new SigningKeys(db, vault, clock, 'webhook').ensure();
    expect((await new SigningKeys(db, vault, clock).current()).key.algorithm).toBe('ES256');
    await db.run(
      `update signing_keys set private_jwk = (select private_jwk from signing_keys where purpose = 'webhook')
       where purpose = 'token'`,
    );
    await expect(new SigningKeys(db, vault, clock).current()).rejects.toThrow();
    await db.close();
    await database.drop();
  });
});
