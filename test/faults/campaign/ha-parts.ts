/** What breaks on the machines of deploy/ha: each is mended, and the cluster is whole again, before the next. */
import { setTimeout as pause } from 'node:timers/promises';
import { faultVolume } from '../volume.js';
import type { HaCluster } from './break/ha-cluster.js';
import type { NodeProcess } from './break/node-process.js';
import type { Campaign, Inject } from './campaign.js';
import type { Random } from './load/caller.js';

export interface ThreeNodes {
  readonly campaign: Campaign;
  readonly cluster: HaCluster;
  readonly nodes: readonly NodeProcess[];
}

type Break = (cluster: HaCluster, random: Random) => Promise<string>;

const spell = (random: Random, fullMs: number): Promise<void> => pause(random() * faultVolume(400, fullMs));

const killServer: Break = async (cluster) => {
  const primary = await cluster.primary();
  cluster.killServer(primary);
  await cluster.replaced(primary);
  return "the primary's PostgreSQL killed";
};

const killPatroni: Break = async (cluster, random) => {
  const primary = await cluster.primary();
  cluster.kill(`patroni-${primary}`);
  const isSoon = random() < 0.4;
  if (!isSoon) await cluster.replaced(primary);
  await cluster.run('start', `patroni-${primary}`);
  return isSoon ? "the primary's Patroni killed, started again" : "the primary's Patroni killed, replaced";
};

const killVotes: Break = async (cluster, random) => {
  const leader = await cluster.leaderOfVotes();
  cluster.kill(`etcd-${leader}`);
  await spell(random, 8000);
  await cluster.run('start', `etcd-${leader}`);
  return "etcd's leader killed";
};

const stop =
  (what: 'patroni' | 'machine'): Break =>
  async (cluster, random) => {
    const primary = await cluster.primary();
    cluster.signal(primary, what, 'SIGSTOP');
    try {
      await cluster.replaced(primary);
      await spell(random, 4000);
    } finally {
      cluster.signal(primary, what, 'SIGCONT');
    }
    return what === 'machine' ? 'the primary stopped (SIGSTOP)' : "the primary's Patroni stopped (SIGSTOP)";
  };

const cut: Break = async (cluster, random) => {
  const primary = await cluster.primary();
  cluster.cut(primary, 'all');
  try {
    await cluster.replaced(primary);
    await spell(random, 4000);
  } finally {
    await cluster.mend(primary, 'all');
  }
  return 'the primary cut off';
};

/** It goes on, because it reaches the others. */
const cutFromVotes: Break = async (cluster, random) => {
  const primary = await cluster.primary();
  cluster.cut(primary, 'votes');
  await pause(faultVolume(1000, 15_000) + random() * faultVolume(400, 15_000));
  await cluster.mend(primary, 'votes');
  return 'the primary cut off from etcd alone';
};

const stopStandby: Break = async (cluster, random) => {
  const standby = await cluster.synchronousStandby();
  cluster.signal(standby, 'machine', 'SIGSTOP');
  await pause(faultVolume(1000, 15_000) + random() * faultVolume(400, 10_000));
  cluster.signal(standby, 'machine', 'SIGCONT');
  return 'the synchronous standby stopped (SIGSTOP)';
};

const switchOver: Break = async (cluster) => {
  const primary = await cluster.primary();
  await cluster.switchOver(primary, await cluster.synchronousStandby());
  await cluster.replaced(primary);
  return 'switchover';
};

/** A sample is the first three. */
export const SAMPLE = 3;
const breaks: readonly Break[] = [
  killServer,
  switchOver,
  stop('machine'),
  killVotes,
  cut,
  killPatroni,
  cutFromVotes,
  stop('patroni'),
  stopStandby,
];
/** One after the other. */
export const machineFaults = ({ campaign, cluster, nodes }: ThreeNodes): Inject => {
  const order = breaks.slice(0, faultVolume(SAMPLE, breaks.length));
  let made = 0;
  return async (random) => {
    const next = order[made % order.length] ?? switchOver;
    made += 1;
    const what = await next(cluster, random);
    await cluster.whole();
    await campaign.backAgain(nodes);
    return what;
  };
};
