/** Several workers on one port: one service to the outside, with one quota, one set of metrics and one end. */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, get, request } from 'node:http';

import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { openDb } from '../../src/store/open.js';
import { sandboxToken } from '../support/client.js';
import { cleanUp, type RunningService, startSandbox, tempFolder, type Variables } from './program.js';

afterAll(cleanUp);

const startWorkers = (env: Variables = {}): Promise<RunningService> =>
  startSandbox({ cwd: tempFolder(), env: { TRAPEZA_WORKERS: '2', ...env }, detached: true });

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/** Each call on a connection of its own, so that the workers take turns. */
const readAtms = (url: string, token: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = {
      'Ocp-Apim-Subscription-Key': demoApplications[0]?.subscriptionKey,
      Authorization: `Bearer ${token}`,
      'X-Request-ID': randomUUID(),
    };
    const options = { headers, agent: new Agent({ keepAlive: false }), timeout: 60_000 };
    const sent = get(`${url}/psd2/v1/opendata/atm`, options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0)).on('error', reject);
    });
    sent.on('error', reject).on('timeout', () => sent.destroy(new Error('no answer on a new connection')));
  });

const callMany = (url: string, token: string, count: number): Promise<number[]> =>
  Promise.all(Array.from({ length: count }, () => readAtms(url, token)));

const requestsIn = async (managementUrl: string, status: number): Promise<number> => {
  const text = await (await fetch(`${managementUrl}/metrics`)).text();
  return text
    .split('\n')
    .filter((line) => line.startsWith('trapeza_requests_total{') && line.includes('operation="getAtms"'))
    .filter((line) => line.includes(`status="${status}"`))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

const WRITE = `insert into settings (name, value) values ('busy', 'x') on conflict (name) do update set value = 'y'`;
const QUESTION = JSON.stringify({
  account: { iban: 'GR0599900010000000000000101' },
  instructedAmount: { currency: 'EUR', amount: 25.5 },
});

/** So many questions, one after the other, on a connection of their own. */
const askForFunds = async (url: string, token: string, count: number): Promise<number[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statuses: number[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    const headers = {
      'Ocp-Apim-Subscription-Key': demoApplications[0]?.subscriptionKey,
      Authorization: `Bearer ${token}`,
      'X-Request-ID': randomUUID(),
      'Content-Type': 'application/json',
    };
    const status = await new Promise<number>((resolve, reject) => {
      const options = { method: 'POST', headers, agent };
      request(`${url}/piis/psd2/v1/funds-confirmations`, options, (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      })
        .on('error', reject)
        .end(QUESTION);
    });
    statuses.push(status);
  }
  agent.destroy();
  return statuses;
};

describe('two workers', () => {
  it('share one quota to the request, their metrics are summed, and they leave the store in one file', async () => {
    const folder = tempFolder();
    const { program, url, managementUrl } = await startWorkers({
      TRAPEZA_QUOTA_PER_MINUTE: '5',
      DATABASE_URL: `sqlite:${join(folder, 'own.db')}`,
    });
    expect(childrenOf(program.pid)).toHaveLength(2);
    const statuses = await callMany(url, await sandboxToken(url), 20);
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    await expect.poll(() => requestsIn(managementUrl, 200)).toBe(5);
    await expect.poll(() => requestsIn(managementUrl, 429)).toBe(15);
    expect(await program.stop('SIGTERM')).toMatchObject({ code: 0 });
    expect(readdirSync(folder).filter((name) => name.startsWith('own.db'))).toEqual(['own.db']);
  });

  it('replace one that is killed, and the service goes on meanwhile', async () => {
    const { program, url, managementUrl } = await startWorkers();
    const token = await sandboxToken(url);
    const before = childrenOf(program.pid);
    const [victim = 0, survivor = 0] = before;
    process.kill(victim, 'SIGKILL');
    await program.until(/"signal":"SIGKILL","msg":"worker died"/);
    expect(await callMany(url, token, 6)).toEqual(Array(6).fill(200));
    // Not by its log lines: the victim may have taken its own with it.
    await expect.poll(async () => (await fetch(`${managementUrl}/health/ready`)).status).toBe(200);
    const after = childrenOf(program.pid);
    expect(after).toHaveLength(2);
    expect(after).toContain(survivor);
    expect(after).not.toContain(victim);
    expect(await callMany(url, token, 10)).toEqual(Array(10).fill(200));
    expect(await program.stop()).toMatchObject({ code: 0 });
    expect(after.filter(isAlive)).toEqual([]);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'finish what they have begun when %s reaches all processes at once, as from a terminal or a supervisor',
    async (signal) => {
      const { program, url } = await startWorkers();
      const workers = childrenOf(program.pid);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      let text = '';
      const seen = (pattern: RegExp): Promise<void> =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            if (pattern.test(text)) resolve();
          };
          socket.on('data', (bytes) => {
            text += bytes.toString();
            look();
          });
          socket.on('error', reject);
          socket.on('close', () => reject(new Error(`the connection was cut after ${JSON.stringify(text)}`)));
          look();
        });
      const whole = seen(/200 OK[\s\S]*"access_token"/);
      socket.write(
        'POST /sandbox/tokens HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n',
      );
      // From here on a worker has the request in hand.
      await seen(/100 Continue/);
      process.kill(-program.pid, signal);
      await program.until(/("msg":"stopping"[\s\S]*){2}/);
      socket.write('{}');
      await whole;
      expect(await program.finished).toMatchObject({ code: 0 });
      expect(workers.filter(isAlive)).toEqual([]);
    },
  );
});

describe('three workers on the embedded store', () => {
  it('lose nothing to a database that is busy: every answer has its record, while another process writes too', async () => {
    const file = join(tempFolder(), 'trapeza.db');
    const env = { TRAPEZA_WORKERS: '3', DATABASE_URL: `sqlite:${file}`, TRAPEZA_QUOTA_PER_MINUTE: '100000' };
    const { program, url } = await startWorkers(env);
    const db = await openDb(`sqlite:${file}`);
    const token = await sandboxToken(url);
    const before = await db.one<{ n: number }>('select count(*) as n from funds_confirmations');
    let isAsking = true;
    const writing = (async () => {
      while (isAsking) {
        await db.run(WRITE);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const answers = await Promise.all(Array.from({ length: 30 }, () => askForFunds(url, token, 20)));
    isAsking = false;
    await writing;
    expect(answers.flat()).toEqual(Array(600).fill(200));
    expect(await db.one('select count(*) as n from funds_confirmations')).toEqual({
      n: (before?.n ?? 0) + 600,
    });
    await db.close();
    expect(await program.stop()).toMatchObject({ code: 0 });
  });
});
