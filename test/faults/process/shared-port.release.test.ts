/** Several nodes of one machine on one port and one PostgreSQL: one of them may die or stop, and the others go on. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../bench/free-port.js';
import { demoApplications } from '../../../packages/sandbox/src/applications.js';
import { sharedPortFaults } from '../../../src/config/shared-port.js';
import { cleanUp, type RunningService, startSandbox, tempFolder, trapeza } from '../../cli/program.js';
import { sandboxToken, send } from '../../support/client.js';
import { createDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { ATMS } from '../../support/operations.js';
import { testSecret } from '../../support/service.js';
import { patience } from './readiness.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  await cleanUp();
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(cleanUp);

const CALLS = 40;
const sharedEnv = async (port: number) => {
  const database = await createDatabase('postgres');
  closers.push(() => database.drop());
  return {
    PORT: String(port),
    TRAPEZA_SHARED_PORT: 'on',
    DATABASE_URL: database.url,
    TRAPEZA_SECRET: testSecret,
  };
};

/** Each on a connection of its own, so that the system chooses a node each time. */
const callMany = async (url: string, token: string): Promise<readonly number[]> => {
  const headers = {
    'Ocp-Apim-Subscription-Key': demoApplications[0]?.subscriptionKey ?? '',
    Authorization: `Bearer ${token}`,
    Connection: 'close',
  };
  const statuses: number[] = [];
  for (let count = 0; count < CALLS; count += 1) {
    const id = crypto.randomUUID();
    statuses.push((await send(url, { path: ATMS, headers: { ...headers, 'X-Request-ID': id } })).status);
  }
  return statuses;
};
const allRight = Array(CALLS).fill(200);

const answeredBy = async ({ managementUrl }: RunningService): Promise<number> => {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  return Number(/^trapeza_requests_total\{operation="getAtms",status="200".*\} (\d+)$/m.exec(text)?.[1] ?? 0);
};

const describeShared = (): void => {
  it('both answer; one is killed, one stops, and every call that follows has its answer', async () => {
    const env = await sharedEnv(await freePort());
    const start = () => startSandbox({ cwd: tempFolder(), env });
    const [first, second] = [await start(), await start()];
    expect(second.url).toBe(first.url);
    const token = await sandboxToken(first.url);
    expect(await callMany(first.url, token)).toEqual(allRight);
    await expect
      .poll(async () => (await answeredBy(first)) + (await answeredBy(second)), patience)
      .toBe(CALLS);
    for (const node of [first, second]) expect(await answeredBy(node)).toBeGreaterThan(0);

    await first.program.stop('SIGKILL');
    expect(await callMany(first.url, token)).toEqual(allRight);
    const third = await start();
    expect(await second.program.stop('SIGTERM')).toMatchObject({ code: 0 });
    expect(await callMany(first.url, token)).toEqual(allRight);
    await expect.poll(() => answeredBy(third), patience).toBe(CALLS);
    expect(await third.program.stop('SIGTERM')).toMatchObject({ code: 0 });
  });

  it('a port of a service that does not share is taken, as is a management port of another node', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    closers.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const env = { ...(await sharedEnv(port)), TRAPEZA_MANAGEMENT_PORT: '0' };
    const other = { ...env, PORT: String(await freePort()), TRAPEZA_MANAGEMENT_PORT: String(port) };
    for (const each of [env, other]) {
      const { code, stderr } = await trapeza(['sandbox'], { cwd: tempFolder(), env: each });
      expect(code).toBe(1);
      expect(stderr).toContain('the port is already in use');
      expect(stderr).not.toContain('    at ');
    }
  });
};

/** `npm run prove -- nodes` runs the file on newer versions of Node. */
const reasons = sharedPortFaults({ sharedPort: 'on', databaseUrl: 'postgres://host/name' });
describe.runIf(hasPostgres)('a shared port', () => {
  if (reasons.length === 0) describeShared();
  else
    it('is refused on this Node, before anything is opened', async () => {
      const env = { ...(await sharedEnv(0)), TRAPEZA_MANAGEMENT_PORT: '0' };
      const { code, stderr } = await trapeza(['sandbox'], { cwd: tempFolder(), env });
      expect(code).toBe(1);
      for (const reason of reasons) expect(stderr).toContain(reason);
    });
});
