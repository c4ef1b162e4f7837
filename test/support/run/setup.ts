/**
 * Once per run: a real PostgreSQL for all tests, and a folder into which every test service writes its logs and metrics.
 * At the end that folder is searched for secrets and personal data.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { leaksIn } from '../leaks.js';
import { startPostgres } from './postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresUrl: string;
    readonly outputFolder: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = performance.now();
  const output = mkdtempSync(join(tmpdir(), 'trapeza-output-'));
  // A run inside another one (test/mutants) shares its server.
  const shared = process.env.TEST_POSTGRES_URL;
  const hasOwn = shared === undefined && process.env.TEST_ENGINES !== 'sqlite';
  const postgres = hasOwn ? await startPostgres() : undefined;
  project.provide('postgresUrl', shared ?? postgres?.url ?? '');
  project.provide('outputFolder', output);
  return async () => {
    await postgres?.stop();
    const texts = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
    const leaks = texts.flatMap((text) => leaksIn(text));
    rmSync(output, { recursive: true, force: true });
    console.log(`\nLeak check: ${texts.length} logs and metrics of the run searched, ${leaks.length} leaks`);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`The run took ${Math.floor(seconds / 60)} min ${seconds % 60} s.`);
    if (leaks.length > 0) {
      console.error(`LEAKS in logs or metrics: ${[...new Set(leaks)].slice(0, 10).join(' | ')}`);
      process.exitCode = 1;
    }
  };
}
