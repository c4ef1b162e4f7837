/**
 * Once per run: a real PostgreSQL as soon as a test wants it, and a folder into which every test service writes its logs and metrics.
 * At the end that folder is searched for secrets and personal data.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { faultsOfLine } from '../../../src/observe/log-lines.js';
import { programIsBuilt } from '../../lib/build.js';
import { openPostgresDoor } from './postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresDoor: string;
    /** Of stores that are filled once. */
    readonly templateFolder: string;
    readonly outputFolder: string;
  }
}

/** Each log ends with an empty line and the metrics. */
const linesAstray = (text: string): readonly string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => faultsOfLine(JSON.parse(line) as Record<string, unknown>));

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const startedAt = performance.now();
  console.log(`Order of files: TEST_ORDER=${project.config.sequence.seed}`);
  const output = mkdtempSync(join(tmpdir(), 'trapeza-output-'));
  const templates = mkdtempSync(join(tmpdir(), 'trapeza-templates-'));
  // A run inside another one (test/mutants) shares its server.
  const postgres = await openPostgresDoor(process.env.TEST_POSTGRES_URL);
  project.provide('postgresDoor', postgres.url);
  project.provide('outputFolder', output);
  project.provide('templateFolder', templates);
  return async () => {
    await postgres.stop();
    // Loaded now, so that no test waits for it. It needs the program.
    await programIsBuilt();
    const { leaksIn } = await import('../leaks.js');
    const texts = readdirSync(output).map((name) => readFileSync(join(output, name), 'utf8'));
    const leaks = texts.flatMap((text) => leaksIn(text));
    for (const folder of [output, templates]) rmSync(folder, { recursive: true, force: true });
    const astray = new Set(texts.flatMap((text) => linesAstray(text)));
    console.log(`\nLeak check: ${texts.length} logs and metrics of the run searched, ${leaks.length} leaks`);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(`The run took ${Math.floor(seconds / 60)} min ${seconds % 60} s.`);
    if (leaks.length > 0) {
      console.error(`LEAKS in logs or metrics: ${[...new Set(leaks)].slice(0, 10).join(' | ')}`);
      process.exitCode = 1;
    }
    if (astray.size > 0) {
      console.error(
        `LOG LINES that src/observe/log-lines.ts does not have: ${[...astray].slice(0, 10).join(' | ')}`,
      );
      process.exitCode = 1;
    }
  };
}
