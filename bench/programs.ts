/** Programs under test: started on their own cores, known by the address they print, ended by their id. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { asLastResort, atEnd, tempFolder } from './endings.js';
import { canPin, serverCores } from './machine.js';

export interface Program {
  readonly url: string;
  readonly pid: number;
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

const stop = (child: ChildProcess): Promise<void> =>
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
    child.kill('SIGINT');
  });

atEnd(() => Promise.all([...running].map((child) => stop(child))));
asLastResort(() => {
  for (const child of running) killGroup(child, 'SIGKILL');
});

interface Start {
  /** Begins with the program. */
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** 0: beside the load, as a database is. */
  readonly cores?: number;
  readonly address?: RegExp;
}

/** It is pinned where that is possible. */
const start = async ({ command, env = {}, cores = 1, address = ADDRESS }: Start): Promise<Program> => {
  const isPinned = canPin && cores > 0;
  const [program = '', ...args] = isPinned ? ['taskset', '-c', serverCores(cores), ...command] : command;
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: tempFolder('bench'),
    detached: true,
  });
  running.add(child);
  const [, url = ''] = await until(child, address);
  // Read on, else a full pipe would stop the program.
  child.stdout?.removeAllListeners('data').resume();
  child.stderr?.removeAllListeners('data').resume();
  return { url, pid: child.pid ?? 0, stop: () => stop(child) };
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A program of this folder. `node` is the one that runs it. */
export const startOwn = (
  node: string,
  [path, ...args]: readonly [path: string, ...args: string[]],
  cores = 1,
): Promise<Program> => start({ command: [node, here(path), ...args], cores });

export const secret = 'bX4hNw9RkTz2Yp7JmLc6Vf1QdGs8Hu3Ea0Oi5BxKrWt=';
export const BASE_URL = 'http://127.0.0.1';

const READY = /(?:ready on |"listening":")(https?:\/\/127\.0\.0\.1:\d+)/;

interface Service {
  readonly node: string;
  /** `sandbox` has the demo bank, `serve` a core over HTTP. */
  readonly command: 'sandbox' | 'serve';
  readonly databaseUrl: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cores?: number;
}

/** Everything as it is by default, except quotas that a load test would use up at once. */
export const startService = ({
  node,
  command,
  databaseUrl,
  env = {},
  cores = 1,
}: Service): Promise<Program> =>
  start({
    command: [node, here('../dist/main.js'), command],
    env: {
      PORT: '0',
      TRAPEZA_MANAGEMENT_PORT: '0',
      DATABASE_URL: databaseUrl,
      BASE_URL,
      TRAPEZA_SECRET: secret,
      TRAPEZA_QUOTA_PER_MINUTE: '1000000000',
      TRAPEZA_QUOTA_PER_DAY: '1000000000',
      TRAPEZA_CONNECTIONS_PER_SOURCE: '1000000',
      ...env,
    },
    cores,
    address: READY,
  });
