/**
 * PostgreSQL servers that are killed, paused and promoted: Debian's, because only it brings `pg_basebackup`. Root runs them as
 * `nobody`, because PostgreSQL refuses root.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../../../bench/free-port.js';
import { newFolder } from '../../../support/places.js';

const PACKAGES = '/usr/lib/postgresql';
const newest = existsSync(PACKAGES)
  ? readdirSync(PACKAGES)
      .map((folder) => join(PACKAGES, folder, 'bin'))
      .filter((folder) => existsSync(join(folder, 'pg_basebackup')))
      .at(-1)
  : undefined;
export const hasPostgresServer = newest !== undefined;
if (!hasPostgresServer)
  console.warn(`WARNING: no PostgreSQL in ${PACKAGES}: the campaigns on two nodes are SKIPPED.`);
const program = (name: string): string => join(newest ?? '', name);

const idOf = (kind: string): number => Number(execFileSync('id', [kind, 'nobody'], { encoding: 'utf8' }));
const account = (): object => (process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {});

const execute = promisify(execFile);

const SETTINGS = ['unix_socket_directories=', 'listen_addresses=127.0.0.1', 'max_connections=120'];

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);

/** A server with all its processes, the parent first: else it would notice that a child has stopped. */
export const withDescendants = (pid: number): number[] => [pid, ...childrenOf(pid)];

/** A folder that the servers may write to. */
export const folderForServers = (): string => {
  const folder = newFolder('faults-pg', 'disk');
  if (process.getuid?.() === 0) execFileSync('chown', [`${idOf('-u')}:${idOf('-g')}`, folder]);
  chmodSync(folder, 0o700);
  return folder;
};

/** Prepared and not yet removed. */
const servers = new Set<PgServer>();

/** Whatever has become of a campaign, no server and no folder stays behind. */
export const removeServers = async (): Promise<void> => {
  for (const server of servers) await server.remove();
};

export class PgServer {
  readonly port: number;
  readonly #folder: string;
  readonly #settings: readonly string[];
  #child: ChildProcess | undefined;

  private constructor(port: number, folder: string, settings: readonly string[]) {
    this.port = port;
    this.#folder = folder;
    this.#settings = settings;
  }

  static async #prepare(settings: readonly string[]): Promise<PgServer> {
    const server = new PgServer(await freePort(), folderForServers(), settings);
    servers.add(server);
    return server;
  }

  static async create(settings: readonly string[] = []): Promise<PgServer> {
    const server = await PgServer.#prepare(settings);
    await execute(
      program('initdb'),
      ['-D', server.#data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
      server.#options,
    );
    await server.start();
    return server;
  }

  get #data(): string {
    return join(this.#folder, 'data');
  }

  get #options(): object {
    return { ...account(), cwd: this.#folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } };
  }

  get url(): string {
    return this.urlAt(this.port);
  }

  /** Through a proxy. */
  urlAt(port: number): string {
    return `postgres://postgres@127.0.0.1:${port}/postgres`;
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const flags = [...SETTINGS, ...this.#settings].flatMap((setting) => ['-c', setting]);
    const child = spawn(program('postgres'), ['-D', this.#data, '-p', String(this.port), ...flags], {
      ...this.#options,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-5000);
        if (/ready to accept (read-only )?connections/.test(said)) resolve();
      });
      child.once('close', (code) => reject(new Error(`PostgreSQL ended with ${code}: ${said}`)));
    });
  }

  #signalAll(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined || this.#child?.exitCode !== null) return;
    // The parent first: else it would notice the death of a child and start another.
    this.#child.kill(signal === 'SIGKILL' ? 'SIGSTOP' : signal);
    for (const child of childrenOf(pid))
      try {
        process.kill(child, signal);
      } catch {
        // It has ended by itself.
      }
    if (signal === 'SIGKILL') this.#child.kill(signal);
  }

  /** All its processes at once, as when the machine is lost. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    this.#signalAll('SIGKILL');
    await ended;
    rmSync(join(this.#data, 'postmaster.pid'), { force: true });
  }

  /** As its service or Patroni stops it: sessions are told to end. Its exit code. */
  async shutDown(): Promise<number | null> {
    const child = this.#child;
    const ended = new Promise<number | null>((resolve) => child?.once('exit', resolve));
    child?.kill('SIGINT');
    return ended;
  }

  async pauseWhile(work: () => Promise<void>): Promise<void> {
    this.freeze();
    try {
      await work();
    } finally {
      this.#signalAll('SIGCONT');
    }
  }

  freeze(): void {
    this.#signalAll('SIGSTOP');
  }

  async query<T>(sql: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query(sql)).rows as T[];
    } finally {
      await client.end();
    }
  }

  /** A standby that must have every commit before it is acknowledged; or one that may be behind. */
  async addStandby(kind: 'synchronous' | 'asynchronous' = 'synchronous'): Promise<PgServer> {
    const standby = await PgServer.#prepare(this.#settings);
    const from = `host=127.0.0.1 port=${this.port} user=postgres application_name=standby`;
    await execute(
      program('pg_basebackup'),
      ['-D', standby.#data, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
      standby.#options,
    );
    await standby.start();
    if (kind === 'synchronous') await this.#demandStandby('standby');
    const state = kind === 'synchronous' ? 'sync' : 'async';
    for (;;) {
      const [row] = await this.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_replication
         where sync_state = '${state}' and state = 'streaming' and replay_lsn = pg_current_wal_lsn()`,
      );
      if (row?.count === 1) return standby;
    }
  }

  /** As SQL that needs no psql. */
  async dump(): Promise<string> {
    const flags = ['--no-owner', '--no-privileges', '--rows-per-insert=200', this.url];
    const { stdout } = await execute(program('pg_dump'), flags, { maxBuffer: 1 << 28 });
    return stdout.replaceAll(/^\\.*$/gm, '');
  }

  /** A base backup, taken while it runs: a server that is not started yet. */
  async baseBackup(): Promise<PgServer> {
    const copy = await PgServer.#prepare([]);
    const from = `host=127.0.0.1 port=${this.port} user=postgres`;
    const flags = ['-X', 'stream', '-c', 'fast', '--no-sync'];
    await execute(program('pg_basebackup'), ['-D', copy.#data, '-d', from, ...flags], copy.#options);
    return copy;
  }

  /** Starts a base backup and plays the archive up to a moment; resolves when it takes writes. */
  async recover(archive: string, moment: string): Promise<void> {
    const settings = [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${moment}'`,
      `recovery_target_action = 'promote'`,
      `synchronous_standby_names = ''`,
    ];
    appendFileSync(join(this.#data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    writeFileSync(join(this.#data, 'recovery.signal'), '');
    await this.start();
    const isDone = async (): Promise<boolean> =>
      (await this.query<{ busy: boolean }>('select pg_is_in_recovery() as busy'))[0]?.busy === false;
    while (!(await isDone()));
  }

  async #demandStandby(name: string): Promise<void> {
    const file = join(this.#data, 'postgresql.auto.conf');
    const kept = readFileSync(file, 'utf8').replace(/^synchronous_standby_names.*\n/gm, '');
    writeFileSync(file, `${kept}synchronous_standby_names = '${name}'\n`);
    await this.query('select pg_reload_conf()');
  }

  /** Makes a standby the primary. It waits for no standby until it has one. */
  async promote(): Promise<void> {
    await this.#demandStandby('');
    await this.query('select pg_promote(true, 60)');
  }

  /** The end of it, with its files. */
  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
    servers.delete(this);
  }
}
