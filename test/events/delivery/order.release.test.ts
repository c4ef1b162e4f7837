/**
 * The events of one consent arrive one after the other, those of different consents side by side; a receiver that is slow, fails
 * or never answers delays its own consents alone, and loses nothing.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertConsent } from '../../../src/consent/consents.js';
import { retryDelays } from '../../../src/events/delivery/schedule.js';
import { writeEvent } from '../../../src/events/outbox.js';
import { HOUR } from '../../../src/lib/clock.js';
import { createDatabase } from '../../support/database.js';
import { type Engine, engines, hasPostgres } from '../../support/engines.js';
import { account, FINANCE, psuId } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { withStore } from '../../support/use-service.js';
import { answers, openReceiver, type Receiver } from '../receiver.js';
import { readFeed, registerWebhook } from '../support.js';

/** `npm run prove -- event-order` sends a thousand; its SEED repeats a run. */
const TOTAL = Number(process.env.TEST_EVENTS ?? 60);
const SEED = Number(process.env.TEST_EVENT_SEED ?? 1);
const PER_CONSENT = 4;

/** Mulberry32. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const addConsents = async (service: Service, uris: readonly (string | null)[]): Promise<string[]> => {
  const { id: accountId, iban, bban, msisdn, currency } = account('eleni', 101);
  const consents = uris.map((notificationUri) => ({ id: randomUUID(), notificationUri }));
  await withStore(service, (db) =>
    db.transaction(async (tx) => {
      for (const { id, notificationUri } of consents)
        await insertConsent(tx, {
          id,
          kind: 'PaymentInitiation',
          clientId: FINANCE,
          psuId: psuId('eleni'),
          status: 'Valid',
          createdAt: service.clock.now(),
          expiresAt: null,
          details: {},
          notificationUri,
          accounts: [{ accountId, iban, bban, msisdn, currency }],
          history: [],
        });
    }),
  );
  return consents.map(({ id }) => id);
};

/** One transaction for each, as they happen. */
const writeEvents = (service: Service, consentIds: readonly string[]): Promise<void> =>
  withStore(service, async (db) => {
    for (const consentId of consentIds)
      await db.transaction((tx) =>
        writeEvent(tx, {
          clientId: FINANCE,
          kind: 'consent',
          consentId,
          consentKind: 'PaymentInitiation',
          status: 'Valid',
          at: service.clock.now(),
        }),
      );
  });

const shuffled = <T>(all: readonly T[], random: () => number): T[] =>
  all
    .map((each) => ({ each, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each);

/** Fails one in three, answers late and in another order than it was asked; notes what it has taken, and what came too early. */
const slowAndFailing = (receiver: Receiver, random: () => number) => {
  const taken = new Map<string, number[]>();
  const underWay = new Set<string>();
  const early: string[] = [];
  let most = 0;
  receiver.respond = (response, { event }) => {
    const { consentId = '', position } = event;
    if (underWay.has(consentId) || position < (taken.get(consentId)?.at(-1) ?? 0)) early.push(event.id);
    underWay.add(consentId);
    most = Math.max(most, underWay.size);
    setTimeout(() => {
      underWay.delete(consentId);
      if (random() < 1 / 3) return void response.writeHead(503).end();
      taken.set(consentId, [...(taken.get(consentId) ?? []), position]);
      response.writeHead(204).end();
    }, random() * 15);
  };
  return { taken, early, mostAtOnce: () => most };
};

const run = async (nodes: readonly Service[], receiver: Receiver): Promise<void> => {
  const [first] = nodes;
  if (!first) throw new Error('no node');
  const random = randomFrom(SEED);
  const seen = slowAndFailing(receiver, random);
  await registerWebhook(first, receiver.url);
  const consents = await addConsents(first, Array(Math.ceil(TOTAL / PER_CONSENT)).fill(null));
  const all = consents.flatMap((id) => Array<string>(PER_CONSENT).fill(id)).slice(0, TOTAL);
  const pending = (): Promise<number> =>
    withStore(first, async (db) => {
      const row = await db.one<{ n: number }>(
        'select count(*) as n from deliveries where due_at is not null',
      );
      return row?.n ?? 0;
    });
  await writeEvents(first, shuffled(all, random));
  for (let round = 0; (await pending()) > 0; round += 1) {
    if (round > retryDelays.length * PER_CONSENT) throw new Error(`seed ${SEED}: events are left over`);
    for (const node of nodes) node.clock.advance(7 * HOUR);
    await Promise.all(nodes.map((node) => node.app.runJobs()));
  }
  const { events } = await readFeed(first, '?limit=500');
  expect(seen.early, `seed ${SEED}`).toEqual([]);
  // Time has ended other consents meanwhile.
  expect(consents.flatMap((id) => seen.taken.get(id) ?? [])).toHaveLength(TOTAL);
  for (const [consentId, positions] of seen.taken) {
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    const told = events.filter((each) => each.consentId === consentId).map(({ position }) => position);
    if (TOTAL <= 500) expect(positions).toEqual(told);
  }
  expect(seen.mostAtOnce(), 'consents side by side').toBeGreaterThan(1);
  expect(seen.mostAtOnce()).toBeLessThanOrEqual(4 * nodes.length);
};

const withNodes = async (
  engine: Engine,
  count: number,
  work: (nodes: readonly Service[], receiver: Receiver) => Promise<void>,
): Promise<void> => {
  const database = await createDatabase(engine);
  const receiver = await openReceiver();
  const nodes: Service[] = [];
  try {
    for (let index = 0; index < count; index += 1)
      nodes.push(await startService({ databaseUrl: database.url }));
    await work(nodes, receiver);
  } finally {
    for (const node of nodes) await node.close();
    await receiver.close();
    await database.drop();
  }
};

describe(`${TOTAL} events to a slow, failing receiver`, () => {
  it.each(engines)('%s: per consent in order, none lost', (engine) => withNodes(engine, 1, run));
  it.runIf(hasPostgres)('two nodes: per consent in order, none lost', () => withNodes('postgres', 2, run));
});

describe.each(engines)('on %s, a receiver that never answers', (engine) => {
  it('holds back the next event of its consent, and nothing else', async () => {
    await withNodes(engine, 1, async ([node], receiver) => {
      if (!node) throw new Error('no node');
      const silent = await openReceiver();
      silent.respond = () => undefined;
      try {
        await registerWebhook(node, receiver.url);
        const hung = `${silent.url}/hung`;
        // More of its consents than one address may have at once.
        const ids = await addConsents(node, [...Array<string>(6).fill(hung), null]);
        const last = ids.at(-1) ?? '';
        await writeEvents(node, [...ids, ...ids]);
        const ended = node.app.runJobs();
        await silent.until(({ length }) => length === 4);
        await receiver.until(({ length }) => length === 2);
        expect(receiver.received.map(({ event }) => event.consentId)).toEqual([last, last]);
        expect(new Set(silent.received.map(({ event }) => event.consentId)).size).toBe(4);
        silent.respond = answers(204);
        await ended;
        // The first ones ran into their time limit: what follows them waits with them.
        const waiting = await withStore(node, (db) =>
          db.all<{ times: number }>(
            `select count(*) as times from deliveries d join events e on e.id = d.event_id
             where d.due_at is not null group by e.consent_id, d.due_at`,
          ),
        );
        expect(waiting.map(({ times }) => times)).toEqual([2, 2, 2, 2]);
      } finally {
        await silent.close();
      }
    });
  });

  it('is given up at last, and then the next event of the consent has its turn', async () => {
    await withNodes(engine, 1, async ([node], receiver) => {
      if (!node) throw new Error('no node');
      await registerWebhook(node, receiver.url);
      const [id = ''] = await addConsents(node, [null]);
      receiver.respond = answers(500);
      await writeEvents(node, [id, id]);
      for (let attempt = 0; attempt <= retryDelays.length; attempt += 1) {
        await node.app.runJobs();
        node.clock.advance(7 * HOUR);
      }
      const positionsSent = (): number[] =>
        receiver.received.filter(({ event }) => event.consentId === id).map(({ event }) => event.position);
      const positions = positionsSent();
      const [first = 0] = positions;
      expect(positions.filter((position) => position === first)).toHaveLength(retryDelays.length + 1);
      receiver.respond = answers(204);
      await node.app.runJobs();
      expect(positionsSent().at(-1)).toBe(first + 1);
    });
  });
});
