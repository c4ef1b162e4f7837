/** Programs under test: started on their own cores, known by the address they print, ended by their id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canPin, serverCores } from './machine.js';

export interface Program {
  readonly url: string;
  readonly pid: number;
  /** From the start to the first answer of the address. */
  readonly startedMs: number;
  stop(): Promise<void>;
}

const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+)/;
const STARTING_MS = 120_000;

const until = (child: ChildProcess, address: RegExp): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(
      () => reject(new Error(`a program did not start: ${text.slice(-500)}`)),
      STARTING_MS,
    );
    const read = (chunk: string): void => {
      text = (text + chunk).slice(-20_000);
      const found = address.exec(text)?.[1];
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('exit', (code) => reject(new Error(`a program ended with ${code}: ${text.slice(-500)}`)));
  });

const running = new Set<ChildProcess>();

const stop = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill('SIGTERM');
  });

export const stopAll = (): Promise<unknown> => Promise.all([...running].map(stop));

const start = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  coreCount: number,
  address = ADDRESS,
): Promise<Program> => {
  const command = canPin ? ['taskset', '-c', serverCores(coreCount), process.execPath] : [process.execPath];
  const startedAt = performance.now();
  const child = spawn(command[0] ?? '', [...command.slice(1), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: mkdtempSync(join(tmpdir(), 'trapeza-bench-')),
  });
  running.add(child);
  const url = await until(child, address);
  const startedMs = performance.now() - startedAt;
  // Read on, else a full pipe would stop the program.
  child.stdout?.removeAllListeners('data').resume();
  child.stderr?.removeAllListeners('data').resume();
  return { url, pid: child.pid ?? 0, startedMs, stop: () => stop(child) };
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export const startFloor = (file: 'bare' | 'framework', ...args: readonly string[]): Promise<Program> =>
  start([here(`floors/${file}.js`), ...args], {}, 1);

export const secret = 'a-secret-for-the-benchmark-of-at-least-32-characters';
export const BASE_URL = 'http://bench.example';

const READY = /ready on (http:\/\/127\.0\.0\.1:\d+)/;

/** Everything as it is by default, except quotas that a load test would use up at once. */
export const startService = (
  databaseUrl: string,
  options: { readonly workers?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Program> => {
  const { workers = 1, env = {} } = options;
  return start(
    [
      ...(process.env.BENCH_PROF
        ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof', '--cpu-prof-interval=200']
        : []),
      here('../dist/main.js'),
      'sandbox',
    ],
    {
      PORT: '0',
      TRAPEZA_MANAGEMENT_PORT: '0',
      DATABASE_URL: databaseUrl,
      BASE_URL,
      TRAPEZA_SECRET: secret,
      TRAPEZA_WORKERS: String(workers),
      TRAPEZA_QUOTA_PER_MINUTE: '1000000000',
      TRAPEZA_QUOTA_PER_DAY: '1000000000',
      ...env,
    },
    workers,
    READY,
  );
};
