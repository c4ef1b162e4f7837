/** The database of deploy/ha fails over by itself under load: what was acknowledged is kept, nothing is paid twice, no answer is wrong. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CoreProcess } from '../../payment/remote/core-process.js';
import { faultVolume } from '../volume.js';
import { HaCluster, hasHa, MACHINES, removeClusters } from './break/ha-cluster.js';
import { NodeProcess } from './break/node-process.js';
import { Campaign, endCampaigns } from './campaign.js';
import { machineFaults, SAMPLE } from './ha-parts.js';

afterAll(async () => {
  await endCampaigns();
  await removeClusters();
});

/** More than the longest campaign takes. */
const LIMIT_MS = 4 * 3600 * 1000;

describe.runIf(hasHa)('three nodes on the database of deploy/ha', () => {
  it(
    'failovers and switchovers: what was acknowledged is kept, nothing is paid twice, and no answer is wrong',
    async () => {
      const core = await CoreProcess.start(1, []);
      const cluster = await HaCluster.start();
      const campaign = new Campaign(core.booksUrl);
      const nodes: NodeProcess[] = [];
      for (const _machine of MACHINES)
        nodes.push(await NodeProcess.start(campaign.journal, cluster.url, { TRAPEZA_CORE_URL: core.url }));
      await campaign.run(nodes, () => cluster.url, {
        name: 'ha',
        count: faultVolume(SAMPLE, 50),
        inject: machineFaults({ campaign, cluster, nodes }),
      });
      for (const node of nodes) await node.stop();
      campaign.expectRight();
      const pids = join(cluster.folder, 'run');
      await cluster.run('stop');
      for (const part of ['haproxy', 'patroni-1', 'etcd-3'])
        expect(existsSync(join(pids, `${part}.pid`))).toBe(false);
    },
    LIMIT_MS,
  );
});
