/**
 * Two workers of one third party refresh the same login on two nodes, and two of five answers are lost: the client breaks the
 * connection as soon as its request is sent, or as the answer begins. No login is lost. `npm run prove -- refreshes` is the long run.
 */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { send } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { racingEngines } from '../support/engines.js';
import { ATMS, FINANCE } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { applicationOf, discover, obtainTokens } from './provider-journey.js';

const REFRESHES = Number(process.env.TEST_REFRESHES ?? 60);

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const losses = ['none', 'request sent', 'answer begun'] as const;

/** Undefined if the answer was lost. */
const refresh = (
  node: string,
  credential: string,
  token: string,
  lost: (typeof losses)[number],
): Promise<{ status: number; text: string } | undefined> =>
  new Promise((resolve) => {
    const outgoing = request(`${node}/oauth/token`, {
      method: 'POST',
      headers: { Authorization: credential, 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    outgoing.on('error', () => resolve(undefined)).on('close', () => resolve(undefined));
    outgoing.on('response', (response) => {
      if (lost === 'answer begun') {
        outgoing.destroy();
        return;
      }
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    outgoing.end(`grant_type=refresh_token&refresh_token=${encodeURIComponent(token)}`, () => {
      if (lost === 'request sent') outgoing.destroy();
    });
  });

const engines = racingEngines(
  'two nodes refresh one login at once: PostgreSQL decides by the row, SQLite by its one writer',
);

describe.each(engines)('with %s', (engine) => {
  let database: TestDatabase;
  const nodes: Service[] = [];
  beforeAll(async () => {
    database = await createDatabase(engine);
    const first = await startService({ databaseUrl: database.url });
    nodes.push(first, await startService({ databaseUrl: database.url, env: { BASE_URL: first.url } }));
  });
  afterAll(async () => {
    for (const node of nodes) await node.close();
    await database.drop();
  });

  test(`${REFRESHES} refreshes by two workers, two of five answers lost: no login is lost`, async () => {
    const [first] = nodes;
    if (!first) throw new Error('no node');
    const { refresh_token: token = '' } = await obtainTokens(first, await discover(first));
    const { clientSecret } = applicationOf(first);
    const credential = `Basic ${Buffer.from(`${FINANCE}:${clientSecret}`).toString('base64')}`;
    // What both workers share, as two processes share a row: the last answer that arrived.
    let kept: Tokens = { access_token: '', refresh_token: token };
    let [answered, lost] = [0, 0];
    const work = async (worker: number): Promise<void> => {
      for (let turn = 0; turn < REFRESHES / 2; turn += 1) {
        const node = nodes[(worker + turn) % 2]?.app.listenUrl ?? '';
        const answer = await refresh(node, credential, kept.refresh_token, losses[turn % 5] ?? 'none');
        if (!answer) {
          lost += 1;
          continue;
        }
        expect(answer.status, answer.text).toBe(200);
        kept = JSON.parse(answer.text) as Tokens;
        answered += 1;
      }
    };
    await Promise.all([work(0), work(1)]);
    expect(answered).toBe(REFRESHES - lost);
    expect(lost).toBeGreaterThanOrEqual(Math.floor(REFRESHES / 3));
    for (const node of nodes) {
      expect((await refresh(node.app.listenUrl, credential, token, 'none'))?.status).toBe(200);
      const headers = {
        'Ocp-Apim-Subscription-Key': first.keyOf(),
        Authorization: `Bearer ${kept.access_token}`,
      };
      expect((await send(node.app.listenUrl, { path: ATMS, headers })).status).toBe(200);
    }
  });
});
