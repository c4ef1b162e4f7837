/** The program as its users run it: `dist/main.js` in a process of its own, with an environment of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { builtFile } from '../lib/build.js';
import { root } from '../lib/source.js';
import { newFolder, type Place } from '../support/places.js';
import { testSecret } from '../support/service.js';

/** Undefined: not even the one that it has by default. */
export type Variables = Readonly<Record<string, string | undefined>>;

export interface RunOptions {
  readonly env?: Variables;
  readonly cwd?: string;
  /** In a process group of its own, so that a signal can be sent as a terminal sends it. */
  readonly detached?: boolean;
  readonly input?: string;
  /** Its input stays open, for `child.stdin`. */
  readonly isInteractive?: boolean;
  /** Another build of the program than the one under test. */
  readonly main?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Nothing of the surroundings reaches the program but where commands and the home folder are. */
const cleanEnvironment = (env: Variables = {}): Record<string, string | undefined> => ({
  PATH: process.env.PATH ?? '',
  HOME: process.env.HOME ?? '',
  // A short history: most programs of the tests are started for something else.
  TRAPEZA_DEMO_MONTHS: '2',
  ...env,
});

const alive = new Set<Program>();

export class Program {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  stdout = '';
  stderr = '';
  readonly #watchers = new Set<() => void>();
  #end: Finished | undefined;

  constructor(
    command: string,
    args: readonly string[],
    { env, cwd, detached, input, isInteractive }: RunOptions = {},
  ) {
    this.child = spawn(command, args, {
      env: cleanEnvironment(env),
      cwd,
      detached: detached ?? false,
      stdio: [input === undefined && !isInteractive ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    alive.add(this);
    if (!isInteractive) this.child.stdin?.end(input);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#tell();
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#tell();
    });
    this.finished = new Promise((resolve, reject) => {
      this.child.once('error', reject);
      this.child.once('close', (code, signal) => {
        alive.delete(this);
        this.#end = { code, signal, stdout: this.stdout, stderr: this.stderr };
        resolve(this.#end);
        this.#tell();
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Waits until the output has this; fails when the program ends without it. */
  until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.stdout) ?? pattern.exec(this.stderr);
        if (!found && !this.#end) return;
        this.#watchers.delete(look);
        if (found) resolve(found);
        else reject(new Error(`ended without ${pattern}:\n${this.stdout}\n${this.stderr}`));
      };
      this.#watchers.add(look);
      look();
    });
  }

  stop(signal: NodeJS.Signals = 'SIGINT'): Promise<Finished> {
    if (!this.#end) this.child.kill(signal);
    return this.finished;
  }
}

export const startTrapeza = (args: readonly string[], options: RunOptions = {}): Program => {
  return new Program(process.execPath, [options.main ?? builtFile('main.js'), ...args], options);
};

export const trapeza = (args: readonly string[], options: RunOptions = {}): Promise<Finished> =>
  startTrapeza(args, options).finished;

/** One process for all commands of a worker: it has loaded them, and a command costs what it does. */
class WarmProgram {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor() {
    const files = [join(root, 'test/cli/warm-program.js'), builtFile('main.js')];
    this.#child = spawn(process.execPath, files, {
      env: cleanEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
    });
    process.once('exit', () => this.#child.kill('SIGKILL'));
    this.#answers = createInterface({ input: this.#child.stdio[4] as Readable })[Symbol.asyncIterator]();
  }

  /** Commands take turns. */
  run(args: readonly string[], { env, cwd = process.cwd() }: RunOptions): Promise<Finished> {
    const turn = this.#last.then(async () => {
      // Acts are written into the audit log under the secret.
      const question = { args, env: cleanEnvironment({ TRAPEZA_SECRET: testSecret, ...env }), cwd };
      (this.#child.stdio[3] as Writable).write(`${JSON.stringify(question)}\n`);
      const { value } = await this.#answers.next();
      if (value === undefined) {
        warm = undefined;
        throw new Error(`the program died of ${args.join(' ')}`);
      }
      return JSON.parse(value) as Finished;
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

let warm: WarmProgram | undefined;

/** As `trapeza`, for commands that neither go on nor depend on being a process of their own. */
export const runCommand = (args: readonly string[], options: Omit<RunOptions, 'input' | 'detached'> = {}) => {
  warm ??= new WarmProgram();
  return warm.run(args, options);
};

/** What a command with `--json` printed. */
export const jsonOf = <T>(finished: Finished): T => {
  if (finished.code !== 0) throw new Error(`exit ${finished.code}:\n${finished.stdout}\n${finished.stderr}`);
  return JSON.parse(finished.stdout) as T;
};

export interface RunningService {
  readonly program: Program;
  readonly url: string;
  readonly managementUrl: string;
}

/** Any port, a deadline that a busy machine does not meet, and no wait for a proxy in front. */
const calm = {
  PORT: '0',
  TRAPEZA_MANAGEMENT_PORT: '0',
  TRAPEZA_DEADLINE_MS: '60000',
  TRAPEZA_DRAIN_DELAY_MS: '0',
};

export const startSandbox = async (options: RunOptions = {}): Promise<RunningService> => {
  const env = { ...calm, TRAPEZA_DEMO_MONTHS: '2', ...options.env };
  const program = startTrapeza(['sandbox'], { ...options, env });
  const [, url = '', managementUrl = ''] = await program.until(
    /sandbox is ready on (\S+)[\s\S]*health, metrics (\S+)\/health\/ready[\s\S]*Ctrl-C/,
  );
  return { program, url, managementUrl };
};

/** `serve` tells in its first log line where it listens. */
export const startServe = async (options: RunOptions = {}): Promise<RunningService> => {
  const program = startTrapeza(['serve'], { ...options, env: { ...calm, ...options.env } });
  const [, url = '', managementUrl = ''] = await program.until(
    /"url":"([^"]+)",.*"managementUrl":"([^"]+)".*"msg":"started"/,
  );
  return { program, url, managementUrl };
};

const folders: string[] = [];

export const tempFolder = (place?: Place): string => {
  const folder = newFolder('cli', place);
  folders.push(folder);
  return folder;
};

/** After the tests of a file: nothing they started is left behind. */
export const cleanUp = async (): Promise<void> => {
  await Promise.all([...alive].map((program) => program.stop('SIGKILL')));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};
