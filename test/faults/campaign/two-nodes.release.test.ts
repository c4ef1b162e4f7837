/** Two nodes on one PostgreSQL while connections, databases and nodes are broken: every answer that is given is right. */
import { afterAll, describe, it } from 'vitest';
import { hasPostgresServer } from './break/pg-server.js';
import { CAMPAIGN_MS, endCampaigns, type Faults, type Inject } from './campaign.js';
import {
  databaseKills,
  disturbances,
  halfOpen,
  nodeKills,
  promotions,
  resets,
  slowAndRefused,
} from './parts.js';
import { rehearseRecovery } from './recovery.js';
import { runOnTwoNodes, type TwoNodes } from './two-nodes.js';

afterAll(endCampaigns);

type Part = readonly [name: string, count: number, make: (parts: TwoNodes) => Inject];

const parts: readonly Part[] = [
  ['resets', 2000, resets],
  ['half-open', 60, halfOpen],
  ['slow-refused', 30, slowAndRefused],
  ['database-kills', 40, databaseKills],
  ['promotions', 10, promotions],
  ['node-kills', 200, nodeKills],
  ['disturbances', 40, disturbances],
];

/** Of disturbances the embedded store has a sample: they take several starts of a node. */
const sampleOfEach = (nodes: TwoNodes): Faults => {
  const order = parts.slice(0, -1).flatMap(([, , make]) => [make(nodes), resets(nodes)]);
  return {
    name: 'sample',
    count: order.length,
    inject: async (random) => (await order.shift()?.(random)) ?? '',
  };
};

describe.runIf(hasPostgresServer)('two nodes on PostgreSQL', () => {
  const title = 'no answer is wrong or late, nothing acknowledged is lost, no node ends';
  if (process.env.TEST_FAULTS === 'full')
    it.each(parts)(
      `part %s: ${title}`,
      async (name, count, make) => {
        const campaign = await runOnTwoNodes((nodes) => ({ name, count, inject: make(nodes) }));
        campaign.expectRight();
      },
      CAMPAIGN_MS,
    );
  else
    it(`a sample of each part: ${title}`, async () => {
      const campaign = await runOnTwoNodes(sampleOfEach);
      campaign.expectRight();
    });
  // Minutes: `npm run prove -- recovery` and no other.
  if (process.env.TEST_RECOVERY)
    it(
      'recovery: a restore to a moment has what came before and not what came after; a standby takes over and nothing is lost',
      async () => {
        const campaign = await rehearseRecovery();
        campaign.expectRight();
      },
      CAMPAIGN_MS,
    );
});
