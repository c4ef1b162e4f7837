/** `doctor --start` and `serve` judge alike: what one refuses, the other does, in the same words. */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faultsOfLine } from '../../src/observe/log-lines.js';
import { FaultyProxy } from '../faults/faulty-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { inTier } from '../support/tier.js';
import {
  cleanUp,
  runCommand,
  startServe,
  startTrapeza,
  tempFolder,
  trapeza,
  type Variables,
} from './program.js';
import { BANK, completeEnv } from './serve-support.js';

/** No server listens there. */
const AWAY = 'http://127.0.0.1:9';

let good: Record<string, string>;
let busy: Server;
beforeAll(async () => {
  good = await completeEnv(AWAY);
  busy = createServer().listen(0, '127.0.0.1');
});
afterAll(async () => {
  busy.close();
  await cleanUp();
});

const file = (name: string, text: string): string => {
  const path = join(tempFolder(), name);
  writeFileSync(path, text);
  return path;
};

interface Broken {
  readonly env: () => Variables;
  /** Of what both say. */
  readonly words: string;
}

const broken: Readonly<Record<string, Broken>> = {
  'no secret': { env: () => ({ TRAPEZA_SECRET: undefined }), words: 'TRAPEZA_SECRET is missing' },
  'an unknown setting': { env: () => ({ TRAPEZA_SECRETS: 'x' }), words: 'TRAPEZA_SECRETS is not a setting' },
  'a proxy of the sample': {
    env: () => ({ TRAPEZA_TRUSTED_PROXIES: '192.0.2.1' }),
    words: 'TRAPEZA_TRUSTED_PROXIES names 192.0.2.1',
  },
  'a module that is not there': {
    env: () => ({ TRAPEZA_BANK_MODULE: '/nope.mjs' }),
    words: 'TRAPEZA_BANK_MODULE cannot be loaded',
  },
  'a module without a method': {
    env: () => ({ TRAPEZA_BANK_MODULE: file('old.mjs', BANK.replace('balances: none, ', '')) }),
    words: 'bank.balances is missing',
  },
  'a brand that is not there': {
    env: () => ({ TRAPEZA_BRAND: '/nope' }),
    words: 'TRAPEZA_BRAND: there is no file',
  },
  'a TLS key that is none': {
    env: () => ({
      TRAPEZA_TLS_CERTIFICATE: file('tls.pem', 'nothing'),
      TRAPEZA_TLS_KEY: file('tls.key', 'nothing'),
    }),
    words: 'TRAPEZA_TLS_CERTIFICATE and TRAPEZA_TLS_KEY cannot be used',
  },
  'a certificate for the core that is not there': {
    env: () => ({
      TRAPEZA_BANK_MODULE: undefined,
      TRAPEZA_CORE_URL: 'https://127.0.0.1:1',
      TRAPEZA_CORE_CA: '/nope.pem',
    }),
    words: 'TRAPEZA_CORE_CA names a file that cannot be read',
  },
  'a database that is a folder': {
    env: () => {
      const folder = join(tempFolder(), 'x.db');
      mkdirSync(folder);
      return { DATABASE_URL: `sqlite:${folder}` };
    },
    words: 'unable to open database file',
  },
  'a port that is taken': {
    env: () => ({ PORT: String((busy.address() as AddressInfo).port), TRAPEZA_DRAIN_DELAY_MS: '0' }),
    words: 'the port is already in use',
  },
};

const named = Object.keys(broken);

describe('a start', () => {
  it.each(inTier(named.slice(0, 2), named))(
    'with %s is refused by serve and by doctor --start',
    async (name) => {
      const { env, words } = broken[name] ?? { env: () => ({}), words: '' };
      const all = { ...good, ...env() };
      const [serve, doctor] = [
        await trapeza(['serve'], { env: all, cwd: tempFolder() }),
        await runCommand(['doctor', '--start'], { env: all, cwd: tempFolder() }),
      ];
      expect([serve.code, doctor.code]).toEqual([1, 1]);
      expect(serve.stderr).toContain(words);
      const said = doctor.stdout.replaceAll(/\n {10,}/g, ' ');
      expect(said).toMatch(/^failed /m);
      expect(said).toContain(words);
      expect(serve.stderr + said).not.toContain('very-secret');
    },
  );

  it('with a core, a provider and a responder that are away is fine for both, also before the first migration', async () => {
    const env = {
      ...(await completeEnv(AWAY)),
      TRAPEZA_BANK_MODULE: undefined,
      TRAPEZA_ISSUER: undefined,
      TRAPEZA_CORE_URL: AWAY,
      TRAPEZA_LOGIN_ISSUER: AWAY,
      TRAPEZA_LOGIN_CLIENT_ID: 'trapeza',
      TRAPEZA_LOGIN_CLIENT_SECRET: 'secret-of-the-client-of-the-provider',
      TRAPEZA_TRUST_ANCHORS: tempFolder(),
      TRAPEZA_EGRESS_PROXY: AWAY,
      TRAPEZA_OTLP_URL: AWAY,
    };
    const { code, stdout } = await runCommand(['doctor', '--start'], { env });
    expect({ code, failed: /^failed.*/m.exec(stdout)?.[0] }).toEqual({ code: 0, failed: undefined });
    expect(stdout.replaceAll(/\n {10,}/g, ' ')).toMatch(
      /^ok +migrations +\d+ to run, which serve does first/m,
    );
    const { program, managementUrl } = await startServe({ env });
    expect((await fetch(`${managementUrl}/health/ready`)).status).toBe(200);
    await program.stop();
    const after = await runCommand(['doctor', '--start'], { env });
    expect({ code: after.code, keys: /^ok +signing keys/m.test(after.stdout) }).toEqual({
      code: 0,
      keys: true,
    });
  });
});

const AGAIN = /"msg":"the database is away: the start is tried again"/;

describe('a database that is away', () => {
  it('is a failure for doctor --start; serve goes on trying until a signal, and neither names the password', async () => {
    const env = { ...good, DATABASE_URL: 'postgres://u:very-secret@127.0.0.1:1/x' };
    const doctor = await runCommand(['doctor', '--start'], { env, cwd: tempFolder() });
    expect(doctor.code).toBe(1);
    expect(doctor.stdout.replaceAll(/\n {10,}/g, ' ')).toContain('the store is unavailable');
    const serve = startTrapeza(['serve'], { env, cwd: tempFolder() });
    await serve.until(AGAIN);
    const { code, stdout, stderr } = await serve.stop('SIGTERM');
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect({ code, stderr, last: lines.at(-1)?.msg }).toEqual({ code: 0, stderr: '', last: 'stopped' });
    expect(lines.flatMap((line) => faultsOfLine(line))).toEqual([]);
    expect(lines.find(({ waitMs }) => waitMs !== undefined)).toMatchObject({ level: 40, outage: 'store' });
    expect(doctor.stdout + stdout).not.toContain('very-secret');
  });

  describe.runIf(hasPostgres)('on PostgreSQL', () => {
    let database: TestDatabase;
    let proxy: FaultyProxy;
    beforeAll(async () => {
      database = await createDatabase('postgres');
      proxy = await FaultyProxy.beforeUrl(database.url);
    });
    afterAll(async () => {
      await cleanUp();
      await proxy.close();
      await database.drop();
    });

    it('is waited for, and the node is ready once it is there', async () => {
      proxy.refuse();
      const env = { ...good, DATABASE_URL: proxy.through(database.url), TRAPEZA_DRAIN_DELAY_MS: '0' };
      const program = startTrapeza(['serve'], { env, cwd: tempFolder() });
      await program.until(AGAIN);
      await proxy.restore();
      const [, managementUrl] = await program.until(/"managementUrl":"([^"]+)".*"msg":"started"/);
      expect((await fetch(`${managementUrl}/health/ready`)).status).toBe(200);
      expect((await program.stop('SIGTERM')).code).toBe(0);
    });

    it('is not waited for if it is there and has no such database', async () => {
      const env = { ...good, DATABASE_URL: database.url.replace(/[^/]+$/, 'not_there') };
      const { code, stderr } = await trapeza(['serve'], { env, cwd: tempFolder() });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('does not exist') });
    });
  });
});
