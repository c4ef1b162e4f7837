/**
 * Runs the killers of a mutant on a copy of the project: the working tree is never changed. The copy has the build of the unchanged
 * sources, with their times, so tests that start the built program run and prove nothing about the mutant; what a test imports
 * comes from the sources.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldersUnder, root, type SourceFile } from '../lib/source.js';
import { escaped, killerOf, PRODUCT } from './mutant.js';

const LEFT_OUT = new Set(['node_modules', '.git', '.bench', '.look', 'data']);

export const copyProject = (): string => {
  const copy = mkdtempSync(join(tmpdir(), 'trapeza-mutants-'));
  cpSync(root, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !LEFT_OUT.has(path.slice(root.length)),
  });
  // The time of a folder says when its last file was added; only files have kept theirs.
  for (const { path } of foldersUnder(PRODUCT)) {
    const { atime, mtime } = statSync(join(root, path));
    utimesSync(join(copy, path), atime, mtime);
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
};

interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export interface Outcome {
  readonly passed: number;
  readonly failed: readonly { readonly name: string; readonly message: string }[];
  /** What the run said if it ended badly: a file that does not load, or a service that does not start, is no test that failed. */
  readonly output: string;
}

/** Runs tests in the copy until the first one fails. */
export const runKillers = async (
  copy: string,
  killers: readonly string[],
  postgresUrl: string,
): Promise<Outcome> => {
  const wanted = killers.map(killerOf);
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const files = [...new Set(wanted.map(({ file }) => file))];
  const names = [...new Set(wanted.map(({ name }) => escaped(name)))].join('|');
  const { TEST_MUTANTS: _, ...env } = process.env;
  const args = ['run', ...files, '-t', names, '--bail=1', '--maxWorkers=1', '--experimental.fsModuleCache'];
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), ...args, '--reporter=json', `--outputFile=${report}`],
    {
      cwd: copy,
      env: { ...env, TEST_FROM: 'src', TEST_TIER: 'all', TEST_POSTGRES_URL: postgresUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-4000);
    });
  const [code] = (await once(child, 'close')) as [number];
  if (code === 0) output = '';
  if (!existsSync(report)) return { passed: 0, failed: [], output };
  const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, message: failureMessages.join('\n') }));
  return { passed: numPassedTests, failed, output };
};

/** Puts the file of a mutant into the copy for the time of its trial. */
export const tryMutant = async (
  copy: string,
  wrong: SourceFile,
  killers: readonly string[],
  postgresUrl: string,
): Promise<Outcome> => {
  const path = join(copy, wrong.path);
  const { atime, mtime } = statSync(path);
  const right = readFileSync(path, 'utf8');
  const write = (content: string): void => {
    writeFileSync(path, content);
    utimesSync(path, atime, mtime);
  };
  write(wrong.text);
  try {
    return await runKillers(copy, killers, postgresUrl);
  } finally {
    write(right);
  }
};
