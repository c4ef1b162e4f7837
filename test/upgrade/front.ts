/** A plain balancer: each request goes to the next of the nodes that are in turn at that moment. It repeats nothing. */
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Front {
  readonly url: string;
  close(): Promise<void>;
}

export const startFront = async (nodes: readonly { readonly url: string }[]): Promise<Front> => {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    turn += 1;
    const node = nodes[turn % nodes.length];
    // A webhook of a node that ends as the last one.
    if (!node) return void outgoing.destroy();
    const { method, headers } = incoming;
    const passed = request(`${node.url}${incoming.url}`, { method, headers, agent: false }, (answer) => {
      // How long a connection stays open is an affair of its two ends.
      const { connection: _, 'keep-alive': __, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, others);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  // A client that waited for long does not find its connection closed just then.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
