/** The shape of deploy/compose as processes: PostgreSQL, two nodes and a proxy, under steady load. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { freePort } from '../../bench/free-port.js';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { type RunningService, startSandbox, tempFolder } from '../cli/program.js';
import type { Pki } from '../oauth/binding/support.js';
import { sandboxToken, send } from '../support/client.js';
import { createDatabase } from '../support/database.js';
import { ATMS, FUNDS, fundsBody } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import { type Node, type ProxyKind, startProxy } from './proxy.js';

const CLIENTS = 4;
/** Between two calls of a client. */
const PAUSE_MS = 50;

const newNode = async (): Promise<Node> => ({ port: await freePort(), management: await freePort() });

/** A call with its own request id; the outcome as a word. */
const call = async (url: string, token: string, isFunds: boolean): Promise<string> => {
  const headers = {
    'Ocp-Apim-Subscription-Key': demoApplications[0]?.subscriptionKey,
    Authorization: `Bearer ${token}`,
    'X-Request-ID': randomUUID(),
  };
  const wanted = isFunds
    ? {
        method: 'POST',
        path: FUNDS,
        body: fundsBody(),
        headers: { ...headers, 'Content-Type': 'application/json' },
      }
    : { path: ATMS, headers };
  return send(url, wanted).then(
    ({ status, text }) => (status === 200 ? '200' : `${status} ${text}`),
    (error: unknown) => String(error),
  );
};

export const rehearse = async (kind: ProxyKind, pki: Pki): Promise<ReadonlyMap<string, number>> => {
  const database = await createDatabase('postgres');
  const nodes: readonly [Node, Node] = [await newNode(), await newNode()];
  const { url, program: proxy } = await startProxy(kind, nodes, pki);
  const start = ({ port, management }: Node): Promise<RunningService> =>
    startSandbox({
      cwd: tempFolder(),
      env: {
        PORT: String(port),
        TRAPEZA_MANAGEMENT_PORT: String(management),
        BASE_URL: url,
        DATABASE_URL: database.url,
        TRAPEZA_SECRET: testSecret,
        TRAPEZA_TRUSTED_PROXIES: '127.0.0.1',
        TRAPEZA_DRAIN_DELAY_MS: '3000',
        TRAPEZA_QUOTA_PER_MINUTE: '1000000',
        TRAPEZA_QUOTA_PER_DAY: '1000000',
      },
    });
  const running = [await start(nodes[0]), await start(nodes[1])];
  const token = await sandboxToken(`http://127.0.0.1:${nodes[0].port}`);
  await expect.poll(() => call(url, token, true)).toBe('200');

  let isOver = false;
  const outcomes = new Map<string, number>();
  const client = async (): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const outcome = await call(url, token, count % 2 === 0);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      await pause(PAUSE_MS);
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await running[0]?.program.stop('SIGKILL');
  running[0] = await start(nodes[0]);
  for (const index of [0, 1] as const) {
    await running[index]?.program.stop('SIGTERM');
    running[index] = await start(nodes[index]);
    // As long as the proxy takes to see that it is back.
    await pause(2000);
  }
  isOver = true;
  await Promise.all(clients);
  for (const { program } of running) await program.stop();
  await proxy.stop('SIGTERM');
  await database.drop();
  return outcomes;
};
