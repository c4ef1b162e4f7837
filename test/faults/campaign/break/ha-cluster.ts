/**
 * The database of deploy/ha, started by its own script: three of etcd, three of Patroni with PostgreSQL, and HAProxy. Proxies stand between
 * the parts, so a machine can be cut off.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../../bench/free-port.js';
import { root } from '../../../lib/source.js';
import { newFolder } from '../../../support/places.js';
import { until } from '../../../support/until.js';
import { FaultyProxy } from '../../faulty-proxy.js';
import { hasPostgresServer, withDescendants } from './pg-server.js';

const programs = ['/usr/bin/etcd', '/usr/bin/patroni', '/usr/sbin/haproxy', '/usr/bin/curl'];
const missing = programs.filter((path) => !existsSync(path));
/** In CI all of them must be there. */
export const hasHa = Boolean(process.env.CI) || (missing.length === 0 && hasPostgresServer);
if (!hasHa)
  console.warn(
    `SKIPPED: without ${missing.join(', ') || 'PostgreSQL'} the database of deploy/ha is not tested. Install etcd-server, etcd-client, patroni, postgresql, haproxy and curl.`,
  );

const execute = promisify(execFile);
const script = join(root, 'deploy/ha/ha');

export const MACHINES = [1, 2, 3] as const;
type Machine = (typeof MACHINES)[number];

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number | string;
}

/** What stands before one machine, and between it and the votes. */
interface Links {
  readonly postgres: FaultyProxy;
  /** For HAProxy. */
  readonly check: FaultyProxy;
  /** For the Patronis of the others. */
  readonly peers: FaultyProxy;
  readonly votes: readonly FaultyProxy[];
}

const OWN_PORTS = ['ETCD_CLIENT_PORT', 'ETCD_PEER_PORT', 'REST_PORT', 'POSTGRES_PORT'] as const;

const alive = new Set<HaCluster>();

/** Also of a campaign that broke down. */
export const removeClusters = async (): Promise<void> => {
  for (const cluster of alive) await cluster.remove();
};

export class HaCluster {
  readonly folder = newFolder('ha', 'disk');
  readonly databasePort: number;
  readonly #ports: ReadonlyMap<string, number>;
  readonly #links: ReadonlyMap<Machine, Links>;

  private constructor(
    databasePort: number,
    ports: ReadonlyMap<string, number>,
    links: ReadonlyMap<Machine, Links>,
  ) {
    this.databasePort = databasePort;
    this.#ports = ports;
    this.#links = links;
    alive.add(this);
  }

  static async start(): Promise<HaCluster> {
    const ports = new Map<string, number>();
    for (const machine of MACHINES)
      for (const name of OWN_PORTS) ports.set(`${name}_${machine}`, await freePort());
    const before = (name: string, machine: Machine): Promise<FaultyProxy> =>
      FaultyProxy.before(ports.get(`${name}_${machine}`) ?? 0);
    const links = new Map<Machine, Links>();
    for (const machine of MACHINES)
      links.set(machine, {
        postgres: await before('POSTGRES_PORT', machine),
        check: await before('REST_PORT', machine),
        peers: await before('REST_PORT', machine),
        votes: await Promise.all(MACHINES.map((other) => before('ETCD_CLIENT_PORT', other))),
      });
    const cluster = new HaCluster(await freePort(), ports, links);
    cluster.#writeSettings();
    await cluster.run('start', 'database');
    return cluster;
  }

  #writeSettings(): void {
    const settings = [
      `DATABASE_PORT=${this.databasePort}`,
      `CORE_PORT=0`,
      ...[...this.#ports].map(([name, port]) => `${name}=${port}`),
      ...[...this.#links].flatMap(([machine, { postgres, check, peers, votes }]) => [
        `POSTGRES_ADDRESS_PORT_${machine}=${postgres.port}`,
        `CHECK_PORT_${machine}=${check.port}`,
        `REST_ADDRESS_PORT_${machine}=${peers.port}`,
        `ETCD_HOSTS_${machine}=${votes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
      ]),
      ...['SUPERUSER', 'REPLICATION', 'REST', 'DATABASE'].map((name) => `${name}_PASSWORD=of-a-test`),
    ];
    writeFileSync(join(this.folder, 'ha.env'), `${settings.join('\n')}\n`, { mode: 0o600 });
  }

  get url(): string {
    return `postgres://trapeza:of-a-test@127.0.0.1:${this.databasePort}/trapeza`;
  }

  async run(command: string, ...parts: readonly string[]): Promise<string> {
    const { stdout } = await execute(script, [command, this.folder, ...parts]);
    return stdout;
  }

  #link(machine: Machine): Links {
    const links = this.#links.get(machine);
    if (!links) throw new Error(`no machine ${machine}`);
    return links;
  }

  #rest(machine: Machine): string {
    return `http://127.0.0.1:${this.#ports.get(`REST_PORT_${machine}`)}`;
  }

  async #isPrimary(machine: Machine): Promise<boolean> {
    const answer = await fetch(`${this.#rest(machine)}/primary`).catch(() => undefined);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  }

  /** Waits for one, among machines that answer. */
  async primary(among: readonly Machine[] = MACHINES): Promise<Machine> {
    let found: Machine | undefined;
    await until(async () => {
      for (const machine of among) if (await this.#isPrimary(machine)) found = machine;
      return found !== undefined;
    });
    return found ?? 1;
  }

  /** Another machine has taken over. */
  async replaced(former: Machine): Promise<void> {
    await this.primary(MACHINES.filter((each) => each !== former));
  }

  async members(by: Machine): Promise<readonly Member[]> {
    const answer = await fetch(`${this.#rest(by)}/cluster`).catch(() => undefined);
    if (answer?.status !== 200) return [];
    return ((await answer.json()) as { readonly members: Member[] }).members;
  }

  /** One primary, one synchronous standby and one more, all on one timeline, as each of them sees it. */
  async isWhole(): Promise<boolean> {
    for (const machine of MACHINES) {
      const members = await this.members(machine);
      const roles = members.map(({ role }) => role).toSorted();
      const timelines = new Set(members.map(({ timeline }) => timeline));
      const isWell = ({ role, state, lag }: Member): boolean =>
        /^(running|streaming)$/.test(state) && (role === 'leader' || lag === 0);
      if (roles.join() !== 'leader,replica,sync_standby' || timelines.size !== 1 || !members.every(isWell))
        return false;
    }
    return true;
  }

  whole(): Promise<void> {
    return until(() => this.isWhole());
  }

  /** The machine whose etcd leads the others. */
  async leaderOfVotes(): Promise<Machine> {
    for (const machine of MACHINES) {
      const url = `http://127.0.0.1:${this.#ports.get(`ETCD_CLIENT_PORT_${machine}`)}/v2/stats/self`;
      const { state } = (await (await fetch(url)).json()) as { state: string };
      if (state === 'StateLeader') return machine;
    }
    return this.leaderOfVotes();
  }

  #pid(part: string): number {
    return Number(readFileSync(join(this.folder, 'run', `${part}.pid`), 'utf8'));
  }

  #server(machine: Machine): number {
    const file = join(this.folder, 'data', `db${machine}`, 'postmaster.pid');
    return Number(readFileSync(file, 'utf8').split('\n')[0]);
  }

  killServer(machine: Machine): void {
    process.kill(this.#server(machine), 'SIGKILL');
  }

  kill(part: string): void {
    process.kill(this.#pid(part), 'SIGKILL');
  }

  /** Patroni alone, or the whole machine as if it hung. */
  signal(machine: Machine, what: 'patroni' | 'machine', signal: 'SIGSTOP' | 'SIGCONT'): void {
    const pids = what === 'machine' ? withDescendants(this.#server(machine)) : [];
    for (const pid of [this.#pid(`patroni-${machine}`), ...pids])
      try {
        process.kill(pid, signal);
      } catch {
        // A child that has ended by itself.
      }
  }

  /** Packets vanish: between its Patroni and the votes, or on all its ways. */
  cut(machine: Machine, what: 'votes' | 'all'): void {
    for (const proxy of this.#cuttable(machine, what)) {
      proxy.silence();
      proxy.swallow();
    }
  }

  async mend(machine: Machine, what: 'votes' | 'all'): Promise<void> {
    for (const proxy of this.#cuttable(machine, what)) {
      await proxy.restore();
      proxy.reset();
    }
  }

  /** The way of its Patroni to the others ends at them. */
  #cuttable(machine: Machine, what: 'votes' | 'all'): FaultyProxy[] {
    const { postgres, check, votes } = this.#link(machine);
    if (what === 'votes') return [...votes];
    return [...votes, postgres, check, ...MACHINES.map((each) => this.#link(each).peers)];
  }

  async switchOver(from: Machine, to: Machine): Promise<void> {
    await this.run('ctl', 'switchover', '--leader', `db${from}`, '--candidate', `db${to}`, '--force');
  }

  async synchronousStandby(): Promise<Machine> {
    const members = await this.members(await this.primary());
    const name = members.find(({ role }) => role === 'sync_standby')?.name;
    return MACHINES.find((machine) => name === `db${machine}`) ?? this.synchronousStandby();
  }

  /** The end of it, with its files. */
  async remove(): Promise<void> {
    alive.delete(this);
    await this.run('stop');
    for (const { postgres, check, peers, votes } of this.#links.values())
      for (const proxy of [postgres, check, peers, ...votes]) await proxy.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
