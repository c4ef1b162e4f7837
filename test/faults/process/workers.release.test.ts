/** A worker that dies takes the requests with it that it has in progress, and nothing else. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { afterAll, expect, it } from 'vitest';
import { demoApplications } from '../../../packages/sandbox/src/applications.js';
import { cleanUp, startSandbox, tempFolder } from '../../cli/program.js';
import { sandboxToken } from '../../support/client.js';
import { faultVolume } from '../volume.js';

afterAll(cleanUp);

const KILLS = faultVolume(2, 100);
const CLIENTS = 3;
/** Far more than an answer takes; who waits longer waits for ever. */
const NO_ANSWER_MS = 60_000;

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** On a connection of its own: 200, another status, or how it failed. */
const readAtms = (url: string, token: string): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = {
      'Ocp-Apim-Subscription-Key': demoApplications[0]?.subscriptionKey,
      Authorization: `Bearer ${token}`,
      'X-Request-ID': randomUUID(),
    };
    const options = { headers, agent: new Agent({ keepAlive: false }), timeout: NO_ANSWER_MS };
    const sent = get(`${url}/psd2/v1/opendata/atm`, options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', () => resolve('cut off'));
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', ({ message }) => resolve(message));
  });

it(`faults 4: ${KILLS} killed workers cost only requests in progress, and no descriptor`, async () => {
  const env = {
    TRAPEZA_WORKERS: '2',
    TRAPEZA_QUOTA_PER_MINUTE: '1000000000',
    TRAPEZA_QUOTA_PER_DAY: '1000000000',
  };
  const { program, url, managementUrl } = await startSandbox({ cwd: tempFolder(), env });
  let token = await sandboxToken(url);
  /** One ready worker is enough for the node; here both must be, so that there is always one that is not killed. */
  const readyWorkers = async (): Promise<string | undefined> =>
    /^trapeza_ready (\d+)$/m.exec(await (await fetch(`${managementUrl}/metrics`)).text())?.[1];
  let deaths = 0;
  let isDying = false;
  let isOver = false;
  let answered = 0;
  const failures: { readonly isPeaceful: boolean; readonly outcome: number | string }[] = [];
  const client = async (): Promise<void> => {
    while (!isOver) {
      const [wasDying, before] = [isDying, deaths];
      const outcome = await readAtms(url, token);
      if (outcome === 200) answered += 1;
      else failures.push({ isPeaceful: !wasDying && !isDying && before === deaths, outcome });
    }
  };
  const descriptors = descriptorsOf(program.pid);
  const clients = Array.from({ length: CLIENTS }, client);
  while (deaths < KILLS) {
    const workers = childrenOf(program.pid);
    const victim = workers[deaths % workers.length] ?? 0;
    isDying = true;
    process.kill(victim, 'SIGKILL');
    await expect.poll(() => childrenOf(program.pid)).not.toContain(victim);
    // Nothing is in progress on the dead one any more: what is asked from here on must be answered.
    expect(await Promise.all(Array.from({ length: CLIENTS }, () => readAtms(url, token)))).toEqual(
      Array(CLIENTS).fill(200),
    );
    deaths += 1;
    isDying = false;
    // The run may take longer than a token lives.
    token = await sandboxToken(url);
    await expect.poll(readyWorkers).toBe('2');
  }
  isOver = true;
  await Promise.all(clients);
  expect(answered).toBeGreaterThan(KILLS);
  expect(failures.filter(({ isPeaceful, outcome }) => isPeaceful || outcome === 'no answer')).toEqual([]);
  expect(failures.length).toBeLessThanOrEqual(KILLS * CLIENTS);
  await expect.poll(() => descriptorsOf(program.pid)).toBeLessThanOrEqual(descriptors + 1);
  console.log(
    `${KILLS} kills: ${answered} answered, ${failures.length} lost in progress, descriptors ${descriptors} → ${descriptorsOf(program.pid)}`,
  );
  expect(await program.stop()).toMatchObject({ code: 0 });
});
