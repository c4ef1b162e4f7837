/** What deploy/ ships comes up: the unit passes systemd, and two nodes run with the settings of each sample. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { RawCore } from '../bank/http/raw-core.js';
import { cleanUp, runCommand, startServe, tempFolder, trapeza } from '../cli/program.js';
import { root } from '../lib/source.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { hasPostgres } from '../support/engines.js';
import { testSecret } from '../support/service.js';
import { readYaml } from './yaml.js';

const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8');
const unit = read('systemd/trapeza@.service');

const pairs = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]),
  );

/** The settings of each sample, as its nodes get them. */
const samples: Readonly<Record<string, () => Record<string, string>>> = {
  Kubernetes: () => {
    const [{ configMapGenerator } = { configMapGenerator: [] }] = readYaml(
      read('kubernetes/kustomization.yaml'),
    );
    const [map] = configMapGenerator as unknown as [{ literals: string[] }];
    return pairs(map.literals);
  },
  compose: () => {
    const [compose] = readYaml(read('compose/compose.yaml'));
    const node = compose?.['x-node'] as { environment: Record<string, string> } | undefined;
    return node?.environment ?? {};
  },
  'the unit': () => {
    const lines = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) => line.split(' '));
    return pairs(lines.map((each) => each.replaceAll('%i', '1')));
  },
};

const isInstalled = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn(`SKIPPED: ${program} is not installed, so the unit is not verified`);
    return false;
  }
};

afterAll(cleanUp);

describe.runIf(Boolean(process.env.CI) || isInstalled('systemd-analyze'))('the unit', () => {
  it('passes systemd-analyze verify without a word', () => {
    const folder = tempFolder();
    const path = join(folder, 'trapeza@1.service');
    // The program is elsewhere here, and systemd looks whether it is there.
    writeFileSync(path, unit.replaceAll('/usr/bin/node', process.execPath));
    expect(execFileSync('systemd-analyze', ['verify', path], { encoding: 'utf8', stdio: 'pipe' })).toBe('');
  });
});

describe.runIf(hasPostgres)('two nodes', () => {
  const core = new RawCore();
  let database: TestDatabase;
  beforeAll(async () => {
    await core.up();
    database = await createDatabase('postgres');
  });
  afterAll(async () => {
    await core.down();
    await database?.drop();
  });

  it.each(Object.entries(samples))('start with the settings of %s', async (_, settingsOf) => {
    const anchors = tempFolder();
    mkdirSync(join(anchors, 'intermediates'));
    copyFileSync(join(root, 'test/bank/http/fixtures/ca.pem'), join(anchors, 'root.pem'));
    const wanted = settingsOf();
    /** Only what stands for something of the bank, and ports of which this machine has one each. */
    const own = async (): Promise<Record<string, string>> => ({
      DATABASE_URL: database.url,
      TRAPEZA_SECRET: testSecret,
      TRAPEZA_CORE_URL: core.url,
      BASE_URL: wanted.BASE_URL ?? 'https://api.bank.example',
      PORT: String(await freePort()),
      TRAPEZA_MANAGEMENT_PORT: String(await freePort()),
      TRAPEZA_OPERATOR_PORT: String(await freePort()),
      TRAPEZA_DATA: tempFolder(),
      ...(wanted.TRAPEZA_TRUST_ANCHORS ? { TRAPEZA_TRUST_ANCHORS: anchors } : {}),
      ...(wanted.TRAPEZA_REVOCATION_HOSTS ? {} : { TRAPEZA_REVOCATION_HOSTS: 'ocsp.qtsp.example' }),
      ...(wanted.TRAPEZA_TRUSTED_PROXIES ? { TRAPEZA_TRUSTED_PROXIES: '127.0.0.1' } : {}),
    });
    const first = { ...wanted, ...(await own()) };
    expect((await trapeza(['migrate'], { env: first })).code).toBe(0);
    const nodes = [];
    for (const env of [first, { ...wanted, ...(await own()) }]) {
      const start = await runCommand(['doctor', '--start'], { env });
      expect({ code: start.code, failed: /^failed.*/m.exec(start.stdout)?.[0] }).toEqual({ code: 0 });
      nodes.push({ env, ...(await startServe({ env })) });
    }
    for (const { env, program } of nodes) {
      const management = `http://127.0.0.1:${env.TRAPEZA_MANAGEMENT_PORT}`;
      expect((await fetch(`${management}/health/ready`)).status).toBe(200);
      expect((await fetch(`${management}/metrics`)).status).toBe(200);
      expect((await fetch(`http://127.0.0.1:${env.TRAPEZA_OPERATOR_PORT}/operator`)).status).toBeLessThan(
        500,
      );
      const atms = await fetch(`http://127.0.0.1:${env.PORT}/psd2/v1/opendata/atm`);
      expect(atms.status).toBe(401);
      expect(program.stdout).not.toContain('revocation: nobody to ask');
    }
    for (const { program } of nodes) await program.stop();
  });
});
