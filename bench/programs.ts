/** Programs under test: started on their own cores, known by the address they print, ended by their id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { asLastResort, atEnd, tempFolder } from './endings.js';
import { canPin, serverCores } from './machine.js';

export interface Program {
  readonly url: string;
  /** Of a service: where its metrics are. */
  readonly managementUrl?: string;
  readonly pid: number;
  /** From the start to the address being told. */
  readonly startedMs: number;
  stop(): Promise<void>;
}

const ADDRESS = /(https?:\/\/127\.0\.0\.1:\d+)/;
const STARTING_MS = 120_000;

const until = (child: ChildProcess, address: RegExp): Promise<RegExpExecArray> =>
  new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(
      () => reject(new Error(`a program did not start: ${text.slice(-500)}`)),
      STARTING_MS,
    );
    const read = (chunk: string): void => {
      text = (text + chunk).slice(-20_000);
      const found = address.exec(text);
      if (!found) return;
      clearTimeout(timer);
      resolve(found);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`a program ended with ${code}: ${text.slice(-500)}`)));
  });

const running = new Set<ChildProcess>();

/** Each is the leader of a group of its own, so nothing that it has started is left. */
const killGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (pid) process.kill(-pid, signal);
  } catch {
    // It is gone already.
  }
};

const stop = (child: ChildProcess, hasLaunched: boolean): Promise<void> =>
  new Promise((resolve) => {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const force = setTimeout(() => killGroup(child, 'SIGKILL'), 15_000);
    child.once('exit', () => {
      clearTimeout(force);
      killGroup(child, 'SIGKILL');
      resolve();
    });
    // Not SIGTERM: a service would go on for a while, for the sake of a proxy in front.
    if (hasLaunched) killGroup(child, 'SIGINT');
    else child.kill('SIGINT');
  });

atEnd(() => Promise.all([...running].map((child) => stop(child, false))));
asLastResort(() => {
  for (const child of running) killGroup(child, 'SIGKILL');
});

interface Start {
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** 0: beside the load, as a database is. */
  readonly cores?: number;
  readonly address?: RegExp;
  readonly cwd?: string;
  /** The command only starts the program, as npm does. */
  readonly launches?: boolean;
}

/** `command` begins with the program; it is pinned where that is possible. */
export const start = async ({
  command,
  env = {},
  cores = 1,
  address = ADDRESS,
  cwd,
  launches = false,
}: Start): Promise<Program> => {
  const isPinned = canPin && cores > 0;
  const [program = '', ...args] = isPinned ? ['taskset', '-c', serverCores(cores), ...command] : command;
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: cwd ?? tempFolder('bench'),
    detached: true,
  });
  running.add(child);
  const [, url = '', managementUrl] = await until(child, address);
  const startedMs = performance.now() - startedAt;
  // Read on, else a full pipe would stop the program.
  child.stdout?.removeAllListeners('data').resume();
  child.stderr?.removeAllListeners('data').resume();
  const started = { url, pid: child.pid ?? 0, startedMs, stop: () => stop(child, launches) };
  return managementUrl ? { ...started, managementUrl } : started;
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
export const root = here('..');

/** The bare one with its size, and with the folder of a certificate if it speaks TLS. */
export type Floor =
  | readonly ['bare', 'get' | 'post', string?, string?]
  | readonly ['framework']
  | readonly ['committed', string];

/** A program of this folder, which imports modules of the product one by one. */
const ownCommand = (path: string, ...args: readonly string[]): string[] => [
  process.execPath,
  '--conditions=unbundled',
  here(path),
  ...args,
];

export const floorCommand = ([file, ...args]: Floor): string[] =>
  ownCommand(`floors/${file}.js`, ...args.flatMap((each) => each ?? []));

export const startFloor = (floor: Floor): Promise<Program> => start({ command: floorCommand(floor) });

export const secret = 'bX4hNw9RkTz2Yp7JmLc6Vf1QdGs8Hu3Ea0Oi5BxKrWt=';
export const BASE_URL = 'http://bench.example';

const READY = /ready on (https?:\/\/127\.0\.0\.1:\d+)[\s\S]*?(http:\/\/127\.0\.0\.1:\d+)\/health\/ready/;
/** As its users run it. */
export const serviceCommand = [process.execPath, here('../dist/main.js'), 'sandbox'];

/** The core simulator, on a store in `folder`. */
export const startCore = (folder: string): Promise<Program> =>
  start({
    command: [process.execPath, here('../dist/main.js'), 'core-simulator', '--port', '0', '--data', folder],
    cores: 0,
  });

/** The app that is written as usual. */
export const startUsual = (args: readonly string[]): Promise<Program> =>
  start({ command: ownCommand('floors/usual.js', ...args) });

/** A core that answers at once, or as late as a call to its second address has set. */
export const startSlowCore = (): Promise<Program> =>
  start({
    command: ownCommand('doubles/core.js'),
    cores: 0,
    address: /(http:\/\/127\.0\.0\.1:\d+) (http:\/\/127\.0\.0\.1:\d+)/,
  });

export const serviceEnv = (databaseUrl: string, workers = 1): NodeJS.ProcessEnv => ({
  PORT: '0',
  TRAPEZA_MANAGEMENT_PORT: '0',
  DATABASE_URL: databaseUrl,
  BASE_URL,
  TRAPEZA_SECRET: secret,
  TRAPEZA_WORKERS: String(workers),
  TRAPEZA_QUOTA_PER_MINUTE: '1000000000',
  TRAPEZA_QUOTA_PER_DAY: '1000000000',
});

interface ServiceOptions {
  readonly workers?: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly command?: readonly string[];
  readonly cwd?: string;
  readonly launches?: boolean;
  readonly cores?: number;
}

/** Everything as it is by default, except quotas that a load test would use up at once. */
export const startService = (
  databaseUrl: string,
  { workers = 1, env = {}, command = serviceCommand, ...rest }: ServiceOptions = {},
): Promise<Program> =>
  start({
    command,
    env: { ...serviceEnv(databaseUrl, workers), ...env },
    cores: workers,
    address: READY,
    ...rest,
  });
