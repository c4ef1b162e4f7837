/** Two nodes behind HAProxy are replaced one after the other under load, and no client notices. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../bench/free-port.js';
import { demoApplications } from '../../../packages/sandbox/src/applications.js';
import { cleanUp, type RunningService, startSandbox, tempFolder } from '../../cli/program.js';
import { sandboxToken } from '../../support/client.js';
import { createDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { ATMS, FUNDS } from '../../support/operations.js';
import { testSecret } from '../../support/service.js';
import { faultVolume } from '../volume.js';

const isInstalled = spawnSync('haproxy', ['-v']).status === 0;
if (!isInstalled) console.warn('SKIPPED: haproxy is not installed, so rolling restarts are not tested');
const isDemanded = Boolean(process.env.CI);

const RESTARTS = faultVolume(2, 30);
const CLIENTS = 4;

let balancer: ChildProcess | undefined;
afterAll(async () => {
  balancer?.kill('SIGKILL');
  await cleanUp();
});

interface Ports {
  readonly port: number;
  readonly management: number;
}

/** It repeats nothing and keeps connections: what it cannot hide, a client sees. */
const configuration = (front: number, nodes: readonly Ports[]): string => `
  defaults
    mode http
    retries 0
    timeout connect 10s
    timeout check 10s
    timeout client 60s
    timeout server 60s
  frontend front
    bind 127.0.0.1:${front}
    stats enable
    stats uri /balancer
    default_backend nodes
  backend nodes
    option httpchk GET /health/ready
    default-server check inter 100ms fall 1 rise 1
${nodes.map(({ port, management }) => `    server n${port} 127.0.0.1:${port} port ${management}`).join('\n')}
`;

const startBalancer = (front: number, nodes: readonly Ports[]): void => {
  const file = join(tempFolder(), 'haproxy.cfg');
  writeFileSync(file, configuration(front, nodes));
  balancer = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
};

const isUp = async (front: number, { port }: Ports): Promise<boolean> => {
  const text = await fetch(`http://127.0.0.1:${front}/balancer;csv`).then(
    (answer) => answer.text(),
    () => '',
  );
  return new RegExp(`^nodes,n${port},.*,UP,`, 'm').test(text);
};

const BODY = JSON.stringify({
  account: { iban: 'GR0599900010000000000000101' },
  instructedAmount: { currency: 'EUR', amount: 25.5 },
});

/** The status, or how it failed. */
const call = (url: string, token: string, agent: Agent, isFunds: boolean): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = {
      'Ocp-Apim-Subscription-Key': demoApplications[0]?.subscriptionKey,
      Authorization: `Bearer ${token}`,
      'X-Request-ID': randomUUID(),
      ...(isFunds ? { 'Content-Type': 'application/json' } : {}),
    };
    const method = isFunds ? 'POST' : 'GET';
    const sent = request(`${url}${isFunds ? FUNDS : ATMS}`, { method, headers, agent }, (response) => {
      let text = '';
      response.on('data', (bytes) => {
        text += bytes;
      });
      const { statusCode = 0 } = response;
      response.on('end', () => resolve(statusCode === 200 ? 200 : `${statusCode} ${text}`));
      response.on('error', () => resolve('cut off'));
    });
    sent.on('error', ({ message }) => resolve(message)).end(isFunds ? BODY : undefined);
  });

describe.runIf(hasPostgres && (isInstalled || isDemanded))('two nodes behind a balancer', () => {
  it(`faults 6: ${RESTARTS} rolling restarts under load cost no request`, async () => {
    const database = await createDatabase('postgres');
    const front = await freePort();
    const nodes = await Promise.all(
      [0, 1].map(async () => ({ port: await freePort(), management: await freePort() })),
    );
    const url = `http://127.0.0.1:${front}`;
    const start = ({ port, management }: Ports): Promise<RunningService> =>
      startSandbox({
        cwd: tempFolder(),
        env: {
          PORT: String(port),
          TRAPEZA_MANAGEMENT_PORT: String(management),
          BASE_URL: url,
          DATABASE_URL: database.url,
          TRAPEZA_SECRET: testSecret,
          TRAPEZA_DRAIN_DELAY_MS: String(faultVolume(1000, 2000)),
          TRAPEZA_QUOTA_PER_MINUTE: '1000000000',
          TRAPEZA_QUOTA_PER_DAY: '1000000000',
        },
      });
    /** As a supervisor does: a start that fails on a busy machine is made again. */
    const supervise = (node: Ports, tries = 5): Promise<RunningService> =>
      start(node).catch((error: unknown) => {
        if (tries <= 1) throw error;
        return supervise(node, tries - 1);
      });
    // At once, before something else takes its port.
    startBalancer(front, nodes);
    const running: RunningService[] = [];
    for (const node of nodes) running.push(await supervise(node));
    const bothUp = async (): Promise<boolean> =>
      (await Promise.all(nodes.map((node) => isUp(front, node)))).every(Boolean);
    await expect.poll(bothUp, { timeout: 120_000 }).toBe(true);

    let isOver = false;
    const outcomes = new Map<number | string, number>();
    const client = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const token = await sandboxToken(url);
      for (let count = 0; !isOver; count += 1) {
        const outcome = await call(url, token, agent, count % 2 === 0);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      agent.destroy();
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (let count = 0; count < RESTARTS; count += 1) {
      const index = count % 2;
      expect(await running[index]?.program.stop('SIGTERM')).toMatchObject({ code: 0 });
      running[index] = await supervise(nodes[index] as Ports);
      await expect.poll(bothUp, { timeout: 120_000 }).toBe(true);
    }
    isOver = true;
    await Promise.all(clients);
    console.log(
      `${RESTARTS} rolling restarts: ${[...outcomes].map(([what, many]) => `${many} × ${what}`).join(', ')}`,
    );
    expect([...outcomes.keys()]).toEqual([200]);
    await Promise.all(running.map(({ program }) => program.stop()));
    await database.drop();
  });
});
