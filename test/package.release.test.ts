/** What people install: the packed tarball, in an empty project, without anything of this folder. */
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entriesOf, packages } from '../build/packages.js';
import { version } from '../src/version.js';
import { cleanUp, type Finished, Program, tempFolder } from './cli/program.js';
import { root } from './lib/source.js';
import { testSecret } from './support/service.js';

const npm = async (cwd: string, ...args: string[]): Promise<Finished> => {
  const finished = await new Program('npm', args, { cwd }).finished;
  if (finished.code !== 0) throw new Error(`npm ${args.join(' ')}:\n${finished.stdout}\n${finished.stderr}`);
  return finished;
};

/** A file of a bundle, as another one imports it. */
const CHUNK = /[\w.-]+-[\w-]{8}\.js\b/g;

const [own] = packages;

let project: string;
let packed: string[];
let wings: string[];

interface Tarball {
  readonly name: string;
  readonly file: string;
  readonly paths: string[];
}

/** As docs/install.md says. The run has built it; a build now would change files under the feet of others. */
const packAll = async (to: string): Promise<readonly Tarball[]> => {
  const all = ['--workspaces', '--include-workspace-root'];
  const { stdout } = await npm(root, 'pack', '--ignore-scripts', ...all, '--json', '--pack-destination', to);
  const made = JSON.parse(stdout) as { name: string; filename: string; files: { path: string }[] }[];
  return made.map(({ name, filename, files }) => ({
    name,
    file: join(to, filename),
    paths: files.map(({ path }) => path),
  }));
};

const install = (...files: string[]): Promise<Finished> =>
  npm(project, 'install', '--engine-strict', '--no-audit', '--no-fund', '--prefer-offline', ...files);

beforeAll(async () => {
  const folder = tempFolder();
  await npm(root, 'run', 'types', '--silent');
  const all = await packAll(folder);
  const product = all.find(({ name }) => name === 'trapeza');
  packed = product?.paths ?? [];
  wings = all.filter(({ name }) => name !== 'trapeza').map(({ file }) => file);
  project = realpathSync(tempFolder());
  writeFileSync(join(project, 'package.json'), '{ "name": "user", "private": true }');
  await install(product?.file ?? '');
}, 900_000);
afterAll(cleanUp);

describe('the package', () => {
  it('has the program, its types, its documents and its license', () => {
    for (const path of [
      'dist/main.js',
      'dist/index.js',
      'dist/index.d.ts',
      'dist/styles/page.css',
      'dist/client.tgz',
      'dist/THIRD-PARTY-NOTICES.txt',
      'docs/install.md',
      'docs/openapi.json',
      'deploy/systemd/trapeza@.service',
      'deploy/kubernetes/migrate/job.yaml',
      'deploy/compose/compose.yaml',
      'deploy/container/Containerfile',
      'deploy/proxy/nginx.conf',
      'deploy/prometheus/alerts.yml',
      'deploy/grafana/service.json',
      'package.json',
    ])
      expect(packed).toContain(path);
    expect(packed.some((path) => /^LICENSE/.test(path))).toBe(true);
    expect(packed.some((path) => /^README/.test(path))).toBe(true);
  });

  it('has no tests, no data, no sources of tools, and no secrets', () => {
    const unwanted =
      /(^|\/)(test|tests|bench|data|coverage|node_modules|src)\/|\.(test|spec)\.|\.db$|sandbox-secret|\.env|(?<!^dist\/client)\.tgz$|\.d\.ts\.map$/;
    expect(packed.filter((path) => unwanted.test(path))).toEqual([]);
  });

  it('has nothing that is left of older builds: every file is an entry, or another one loads it', () => {
    const built = packed.filter((path) => /^dist\/.*\.js$/.test(path));
    const loaded = new Set(
      built.flatMap((path) => readFileSync(join(root, path), 'utf8').match(CHUNK) ?? []),
    );
    const entries = new Set(Object.keys(own ? entriesOf(own) : {}).map((name) => `dist/${name}.js`));
    expect(built.filter((path) => !entries.has(path) && !loaded.has(basename(path)))).toEqual([]);
    expect(built.length).toBeGreaterThan(50);
  });

  it('names the license of each library that is inside', () => {
    const notices = readFileSync(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['fastify', 'oidc-provider', 'preact', 'ajv'])
      expect(notices).toMatch(new RegExp(`^${name} \\d`, 'm'));
    expect(notices).toContain('Permission is hereby granted');
  });

  it('says its version in a project that installed it', async () => {
    const { stdout } = await npm(project, 'exec', '--offline', '--', 'trapeza', '--version');
    expect(stdout.trim()).toBe(version);
  });

  it('alone has no sandbox and no core kit, and says what is missing', async () => {
    expect(packed.filter((path) => /^dist\/.*(demo|sandbox|simulator|core-check)/.test(path))).toEqual([]);
    for (const [command, name] of [
      ['sandbox', '@trapeza/sandbox'],
      ['core-check', '@trapeza/core-kit'],
      ['conformance', '@trapeza/conformance'],
    ] as const) {
      const { code, stderr } = await new Program('npx', ['--offline', 'trapeza', command], { cwd: project })
        .finished;
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`this needs the package ${name}: docs/install.md`),
      });
    }
    const { stdout } = await npm(project, 'exec', '--offline', '--', 'trapeza', '--help');
    expect(stdout).toContain('serve');
    expect(stdout).not.toContain('core-check');
  });

  it('with the sandbox starts it, answers, and stops', async () => {
    await install(...wings);
    const program = new Program('npx', ['--offline', 'trapeza', 'sandbox'], {
      cwd: project,
      env: { PORT: '0', TRAPEZA_MANAGEMENT_PORT: '0' },
      detached: true,
    });
    const [, url = ''] = await program.until(/sandbox is ready on (\S+)[\s\S]*Ctrl-C stops it/);
    const answer = await fetch(`${url}/sandbox/credentials`);
    expect(answer.status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    // As a terminal does: the signal reaches npx and the program.
    process.kill(-program.pid, 'SIGINT');
    expect((await program.finished).stdout).toContain('"msg":"stopping"');
    await expect(fetch(`${url}/docs`)).rejects.toThrow();
    expect(readdirSync(join(project, 'data')).toSorted()).toEqual(expect.arrayContaining(['sandbox-secret']));
  });

  it('can be embedded: its entry exports what starts a service', async () => {
    const script = `import * as trapeza from 'trapeza';
      import { sandbox } from '@trapeza/sandbox/extension';
      const app = await trapeza.startApp({
        config: trapeza.readConfig({ PORT: '0', TRAPEZA_MANAGEMENT_PORT: '0', TRAPEZA_SECRET: '${testSecret}',
          DATABASE_URL: 'sqlite:embedded.db', TRAPEZA_LOG_LEVEL: 'silent' }),
        extensions: [sandbox],
      });
      const { status } = await fetch(app.url + '/docs');
      await app.close();
      console.log(status, Object.keys(trapeza).sort().join(' '));`;
    const program = new Program(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: project,
    });
    const { code, stdout, stderr } = await program.finished;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trim()).toBe(
      '200 BadCursor BankTimeout BankUnavailable ConfigError Gone NoSuchAccount NotAllowed NotSettled Refusal RegistryError productionFaults readConfig startApp',
    );
  });
});
