/** The faults of the campaigns on two nodes: what is broken, for how long, and what counts as mended. */
import { setTimeout as pause } from 'node:timers/promises';
import { faultVolume } from '../volume.js';
import { crashPoints, type NodeProcess } from './break/node-process.js';
import type { Inject } from './campaign.js';
import type { Random } from './load/caller.js';
import type { TwoNodes } from './two-nodes.js';

/** The spells of the sample are short. */
const spell = (random: Random, fullMs: number): Promise<void> => pause(random() * faultVolume(400, fullMs));

const either = (random: Random): 0 | 1 => (random() < 0.5 ? 0 : 1);

/** All connections of one node to the database get a RST. */
export const resets =
  ({ proxies }: TwoNodes): Inject =>
  async (random) => {
    proxies[either(random)].reset();
    return 'connections reset';
  };

/** A firewall forgot the connections of now, or the host is gone: nothing answers, and nothing says so. */
export const halfOpen =
  ({ campaign, nodes, proxies }: TwoNodes): Inject =>
  async (random) => {
    const at = either(random);
    const proxy = proxies[at];
    proxy.silence();
    if (random() < 0.7) {
      await spell(random, 9000);
      await campaign.stillServes(nodes[at]);
      proxy.reset();
      return 'connections half-open';
    }
    proxy.swallow();
    await spell(random, 9000);
    await proxy.restore();
    proxy.reset();
    await campaign.backAgain([nodes[at]]);
    return 'host silent';
  };

export const slowAndRefused =
  ({ campaign, nodes, proxies }: TwoNodes): Inject =>
  async (random) => {
    const at = either(random);
    const proxy = proxies[at];
    const isSlow = random() < 0.5;
    if (isSlow) proxy.delay(200);
    else {
      proxy.refuse();
      proxy.reset();
    }
    await spell(random, 8000);
    await proxy.restore();
    await campaign.backAgain([nodes[at]]);
    return isSlow ? 'connections slow' : 'connections refused';
  };

export const databaseKills =
  ({ campaign, nodes, server }: TwoNodes): Inject =>
  async (random) => {
    await spell(random, 1000);
    const isKill = random() < 0.75;
    if (isKill) {
      await server().kill();
      await spell(random, 8000);
      await server().start();
    } else await server().pauseWhile(() => spell(random, 8000));
    await campaign.backAgain(nodes);
    return isKill ? 'database killed' : 'database paused';
  };

/** The primary is lost for good. A host that only stops answering leaves its connections half-open. */
export const promotions =
  ({ campaign, nodes, proxies, server, move }: TwoNodes): Inject =>
  async (random) => {
    const lost = server();
    const standby = await lost.addStandby();
    await spell(random, 4000);
    const isSilent = random() < 0.5;
    if (isSilent) {
      for (const proxy of proxies) proxy.silence();
      lost.freeze();
    } else await lost.kill();
    await spell(random, 4000);
    await standby.promote();
    move(standby);
    await campaign.backAgain(nodes);
    for (const proxy of proxies) proxy.reset();
    await lost.remove();
    return isSilent ? 'primary silent, standby promoted' : 'primary killed, standby promoted';
  };

/** Of one node: at a named crash point now and then, else at a random moment. */
export const killNode = async (node: NodeProcess, random: Random): Promise<string> => {
  const point = crashPoints[Math.floor(random() * crashPoints.length * 4)];
  if (point) {
    await node.crashAt(point, 1 + Math.floor(random() * 40));
    return `killed ${point}`;
  }
  await pause(random() * 400);
  await node.kill();
  await node.start();
  return 'killed at random';
};

const HOUR_SECONDS = 3600;

/** A node that stops for a while, or whose clock jumps by hours and back. */
export const disturbNode = async (node: NodeProcess, random: Random): Promise<string> => {
  if (random() < 0.5) {
    await node.pauseWhile(() => spell(random, 8000));
    return 'paused';
  }
  const isBack = random() < 0.5;
  await node.moveClock(isBack ? -2 * HOUR_SECONDS : 2 * HOUR_SECONDS, () => spell(random, 8000));
  return isBack ? 'clock back by two hours' : 'clock ahead by two hours';
};

export const nodeKills =
  ({ nodes }: TwoNodes): Inject =>
  (random) =>
    killNode(nodes[either(random)], random);

export const disturbances =
  ({ nodes }: TwoNodes): Inject =>
  (random) =>
    disturbNode(nodes[either(random)], random);
