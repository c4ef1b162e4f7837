/**
 * A process that stands still at any moment of a notification, for any time: another node sends it, and when the first one goes on, its claim
 * is over and it sends nothing. Only what had left it before it stood still may arrive twice.
 */
import { buildConnector } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Deliverer } from '../../../src/events/delivery/deliverer.js';
import { ATTEMPT_MS, Sender } from '../../../src/events/delivery/sender.js';
import { SECOND } from '../../../src/lib/clock.js';
import { createLog } from '../../../src/observe/log.js';
import type { Db } from '../../../src/store/db.js';
import { openDb } from '../../../src/store/open.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { startService } from '../../support/service.js';
import { inTier } from '../../support/tier.js';
import { openReceiver, type Receiver } from '../receiver.js';
import { decide, newConsent } from '../support.js';
import { local } from './reaches.js';

/** For so long nobody else takes what a process has claimed. */
const CLAIM_MS = ATTEMPT_MS + 5 * SECOND;
const PAUSES = inTier([6, 11], [1, 4, 5, 6, 9, 10, 11, 12, 15, 20, 60, 7200]).map((each) => each * SECOND);

const connect = buildConnector({});

const ADD = `
  insert into deliveries (event_id, target, client_id, position, attempts, due_at)
  select id, ?, client_id, position, 0, 0 from events where consent_id = ? limit 1`;

describe('a process that stands still while it notifies', () => {
  let database: TestDatabase;
  let db: Db;
  let receiver: Receiver;
  let consentId = '';
  let runs = 0;

  beforeAll(async () => {
    receiver = await openReceiver();
    database = await createDatabase('sqlite');
    const service = await startService({ databaseUrl: database.url });
    consentId = await newConsent(service);
    await decide(service, consentId, 'approve');
    await service.close();
    db = await openDb(database.url, 2);
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
    await receiver.close();
  });

  /** Who sent it, in the order of arrival; how many steps the first node took, and how many of them before it arrived. */
  const run = async (pauseAt: number, pauseMs: number) => {
    let now = Date.now();
    let steps = 0;
    let stepsBefore = 0;
    const sent: string[] = [];
    const clock = { now: () => now, elapsed: () => now, isRight: () => true, mayEnd: () => true };
    /** Between any two things that the first node does. */
    const step = async (): Promise<void> => {
      steps += 1;
      if (sent.length === 0) stepsBefore = steps;
      if (steps !== pauseAt) return;
      now += pauseMs;
      await second.drain();
    };
    const stepsAround = async <T>(work: () => Promise<T>): Promise<T> => {
      await step();
      const done = await work();
      await step();
      return done;
    };
    const slow: Db = {
      ...db,
      all: (sql, params) => stepsAround(() => db.all<never>(sql, params)),
      run: (sql, params) => stepsAround(() => db.run(sql, params)),
    };
    const node = (name: 'first' | 'second'): Deliverer => {
      const isFirst = name === 'first';
      const sender = new Sender({
        reach: local,
        // The connection is there, and the process stands still before it says so.
        open: (_addresses, options, callback) =>
          connect(options, (...connected) => {
            const goOn = () => callback(...connected);
            void (isFirst ? step() : Promise.resolve()).then(goOn);
          }),
      });
      return new Deliverer({
        db: isFirst ? slow : db,
        clock,
        sender: {
          abort: () => sender.abort(),
          send: async (...given) => {
            const attempt = await sender.send(...given);
            if (attempt.isDelivered) sent.push(name);
            return attempt;
          },
        },
        key: async () => {
          if (isFirst) await step();
          return { keyid: 'k', sign: async (data) => data };
        },
        log: createLog('silent', { stream: { write: () => undefined } }),
        count: () => undefined,
      });
    };
    runs += 1;
    const target = `${receiver.url}/${runs}`;
    await db.run(ADD, [target, consentId]);
    const second = node('second');
    const first = node('first');
    await first.drain();
    now += CLAIM_MS;
    await second.drain();
    await Promise.all([first.close(), second.close()]);
    const arrived = receiver.received.filter(({ targetUri }) => targetUri === target).length;
    return { sent, arrived, steps, stepsBefore };
  };

  it('sends nothing once its claim is over: the other node has sent it, once', async () => {
    const undisturbed = await run(0, 0);
    expect(undisturbed).toMatchObject({ sent: ['first'], arrived: 1 });
    for (const pauseMs of PAUSES)
      for (let at = 1; at <= undisturbed.steps; at += 1) {
        const { sent, arrived } = await run(at, pauseMs);
        const facts = { at, pauseMs, sent, arrived };
        const hadLeft = at > undisturbed.stepsBefore;
        expect(arrived, JSON.stringify(facts)).toBe(sent.length);
        if (hadLeft) expect(['first', 'first,second'], JSON.stringify(facts)).toContain(sent.join());
        else expect(facts).toMatchObject({ sent: [pauseMs >= CLAIM_MS ? 'second' : sent[0]] });
      }
  });
});
