/**
 * A node is killed between a change and its delivery, again and again: afterwards every event arrives, under one id.
 * `npm run prove -- kill-events` makes COUNT changes; its SEED repeats a run.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, type RunningService, startSandbox, tempFolder, trapeza } from '../cli/program.js';
import { Random } from '../journeys/fuzz/random.js';
import { done, sandboxToken, send } from '../support/client.js';
import { EVENTS, FINANCE, ibanOf } from '../support/operations.js';
import { type Credentials, testSecret } from '../support/service.js';
import { answers, openReceiver, type Receiver } from './receiver.js';
import type { Feed } from './support.js';

const COUNT = Number(process.env.TEST_KILL_EVENTS || 5);
const SEED = Number(process.env.TEST_KILL_SEED || 1);
/** Changes in one life of a node, at most; the long run has one. */
const AT_ONCE = Number(process.env.TEST_KILL_AT_ONCE || 2);

afterAll(cleanUp);

interface Change {
  readonly consentId: string;
  readonly status: 'Valid' | 'Rejected';
}

const keyOf = async (url: string): Promise<string> => {
  const { applications } = done(await send(url, { path: '/sandbox/credentials' })).json as Credentials;
  return applications.find(({ clientId }) => clientId === FINANCE)?.subscriptionKey ?? '';
};

const headersOf = async (url: string): Promise<Record<string, string>> => {
  const token = await sandboxToken(url, { application: FINANCE });
  return {
    'Ocp-Apim-Subscription-Key': await keyOf(url),
    Authorization: `Bearer ${token}`,
    'X-Request-ID': randomUUID(),
  };
};

const change = async (url: string, random: Random): Promise<Change> => {
  const created = await send(url, {
    method: 'POST',
    path: '/piis/psd2/v1/consents',
    headers: await headersOf(url),
    body: { account: { iban: ibanOf('eleni', 101) } },
  });
  const { consentId } = done(created).json as { consentId: string };
  const decision = random.pick(['approve', 'reject']);
  const answer = await send(url, {
    method: 'POST',
    path: `/sandbox/consents/${consentId}/decision`,
    body: { decision },
  });
  expect(answer.status).toBe(200);
  return { consentId, status: decision === 'approve' ? 'Valid' : 'Rejected' };
};

/** The whole feed, page by page. */
const wholeFeed = async (url: string): Promise<Feed['events']> => {
  const events: Feed['events'][number][] = [];
  for (let query = '?limit=50'; ; ) {
    const { json } = done(await send(url, { path: `${EVENTS}${query}`, headers: await headersOf(url) }));
    const page = json as Feed;
    if (page.events.length === 0) return events;
    events.push(...page.events);
    query = new URL(page._links.next?.href ?? url).search;
  }
};

/** Makes some changes and dies by the hand of the test, at once or when the receiver has one of them in hand. */
const liveAndDie = async (
  start: () => Promise<RunningService>,
  receiver: Receiver,
  random: Random,
  most: number,
): Promise<Change[]> => {
  const { program, url } = await start();
  const changes: Change[] = [];
  for (let left = Math.min(most, 1 + random.int(AT_ONCE)); left > 0; left -= 1)
    changes.push(await change(url, random));
  const last = changes.at(-1)?.consentId;
  if (random.chance(0.5) && changes.length <= 4)
    await receiver.until((received) => received.some(({ event }) => event.consentId === last));
  await program.stop('SIGKILL');
  return changes;
};

it(`every one of ${COUNT} changes is delivered, although its node was killed before (seed ${SEED})`, {
  timeout: 1_200_000,
}, async () => {
  const random = new Random(SEED);
  const receiver = await openReceiver();
  const folder = tempFolder('disk');
  const env = {
    DATABASE_URL: `sqlite:${join(folder, 'trapeza.db')}`,
    TRAPEZA_DATA: folder,
    TRAPEZA_SECRET: testSecret,
    TRAPEZA_LOG_LEVEL: 'silent',
  };
  const start = (): Promise<RunningService> => startSandbox({ env });
  // A first life, so that there is an application to register the webhook of.
  await (await start()).program.stop('SIGKILL');
  expect((await trapeza(['application', 'webhook', FINANCE, receiver.url], { env })).code).toBe(0);

  receiver.respond = () => undefined;
  const changes: Change[] = [];
  let kills = 0;
  while (changes.length < COUNT) {
    changes.push(...(await liveAndDie(start, receiver, random, COUNT - changes.length)));
    kills += 1;
  }
  const before = receiver.received.splice(0);
  receiver.respond = answers(204);
  const { url, program } = await start();
  const isThere = ({ consentId, status }: Change): boolean =>
    receiver.received.some(({ event }) => event.consentId === consentId && event.consentStatus === status);
  await receiver.until(() => changes.every(isThere));

  const feed = await wholeFeed(url);
  const bodies = new Map([...before, ...receiver.received].map(({ event, body }) => [event.id, body]));
  for (const { event, body } of [...before, ...receiver.received]) expect(bodies.get(event.id)).toBe(body);
  expect(feed.map(({ consentId, consentStatus: status }) => ({ consentId, status }))).toEqual(changes);
  expect([...bodies.keys()].toSorted()).toEqual(feed.map(({ id }) => id).toSorted());
  console.log(
    `kill: ${changes.length} changes, ${kills} kills, ${before.length} attempts before, ${receiver.received.length} deliveries after, ${bodies.size} ids`,
  );
  await program.stop();
  await receiver.close();
});
