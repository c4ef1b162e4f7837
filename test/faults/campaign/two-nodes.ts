/** Two nodes on one PostgreSQL, each behind a proxy of its own, for the campaigns. */
import { FaultyProxy } from '../faulty-proxy.js';
import { NodeProcess } from './break/node-process.js';
import { PgServer, removeServers } from './break/pg-server.js';
import { Campaign, type Faults } from './campaign.js';

export interface TwoNodes {
  readonly campaign: Campaign;
  readonly nodes: readonly [NodeProcess, NodeProcess];
  readonly proxies: readonly [FaultyProxy, FaultyProxy];
  /** The server that new connections reach; `move` makes it another. */
  readonly server: () => PgServer;
  readonly move: (server: PgServer) => void;
}

/** Starts them, runs the campaign, and takes everything away again. */
export const runOnTwoNodes = async (
  make: (parts: TwoNodes) => Faults,
  settings: readonly string[] = [],
): Promise<Campaign> => {
  const campaign = new Campaign();
  let server = await PgServer.create(settings);
  const proxies = [await FaultyProxy.before(server.port), await FaultyProxy.before(server.port)] as const;
  const start = (proxy: FaultyProxy): Promise<NodeProcess> =>
    NodeProcess.start(campaign.journal, server.urlAt(proxy.port));
  const nodes: NodeProcess[] = [];
  try {
    const first = await start(proxies[0]);
    nodes.push(first);
    const second = await start(proxies[1]);
    nodes.push(second);
    const move = (to: PgServer): void => {
      server = to;
      for (const proxy of proxies) proxy.retarget(to.port);
    };
    const parts: TwoNodes = { campaign, nodes: [first, second], proxies, server: () => server, move };
    await campaign.run(parts.nodes, () => server.url, make(parts));
  } finally {
    for (const node of nodes) await node.stop();
    for (const proxy of proxies) await proxy.close();
    await removeServers();
  }
  return campaign;
};
