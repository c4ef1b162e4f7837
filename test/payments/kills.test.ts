/**
 * Nodes that die like in a power failure while payments are submitted. Whatever was acknowledged is there, nothing is booked
 * twice, and a repetition with the same X-Request-ID settles every unknown outcome. `npm run test:kill-payments` is the long
 * run; TEST_KILL_SEED repeats the moments of one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { cleanUp } from '../cli/program.js';
import { createDatabase, engines, type TestDatabase } from '../support/service.js';
import {
  addApproved,
  COST,
  demoKey,
  figuresIn,
  ordersIn,
  PaymentNode,
  post,
  STARTING_MS,
  strayBookings,
  tokenOf,
} from './nodes.js';
import { orderPath } from './support.js';

const SUBMISSIONS = Number(process.env.TEST_KILL_SUBMISSIONS ?? 40);
const PER_KILL = Number(process.env.TEST_KILL_EVERY ?? 14);
const SEED = Number(process.env.TEST_KILL_SEED ?? 1);
const CALLERS = 8;
const wanted = process.env.TEST_KILL_ENGINE;

/** Numbers below 1 that a seed repeats (mulberry32). */
const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** The embedded store has one process; on PostgreSQL one of two dies while the other goes on. */
const nodeCount = { sqlite: 1, postgres: 2 } as const;

describe.each(engines.filter((engine) => wanted === undefined || engine === wanted))(
  'killed nodes on %s',
  (engine) => {
    let database: TestDatabase;
    let db: Db;
    const nodes: PaymentNode[] = [];
    beforeAll(async () => {
      database = await createDatabase(engine);
      for (let count = 0; count < nodeCount[engine]; count += 1)
        nodes.push(await PaymentNode.start(database.url));
      db = await openDb(database.url, 4);
    }, STARTING_MS);
    afterAll(async () => {
      await cleanUp();
      await db?.close();
      await database?.drop();
    });

    const tally = { kills: 0, unanswered: 0, retried: 0 };

    /** Submits until there is an answer that says what happened, always with the same request id. */
    const submitFor = async (id: string, turn: number): Promise<string> => {
      const requestId = randomUUID();
      for (let attempt = 0; ; attempt += 1) {
        const { url } = nodes[(turn + attempt) % nodes.length] ?? { url: '' };
        const token = await tokenOf(url).catch(() => undefined);
        if (token !== undefined) {
          const headers = {
            'Ocp-Apim-Subscription-Key': demoKey,
            Authorization: `Bearer ${token}`,
            'X-Request-ID': requestId,
          };
          const answer = await post(url, orderPath(id), headers);
          if (answer?.status === 201) {
            if (attempt > 0) tally.retried += 1;
            return (JSON.parse(answer.text) as { paymentId: string }).paymentId;
          }
          if (!answer) tally.unanswered += 1;
          else if (![408, 503].includes(answer.status)) throw new Error(`${answer.status} ${answer.text}`);
        }
        await setTimeout(50);
      }
    };

    it(
      `${SUBMISSIONS} submissions: nothing acknowledged is lost, nothing is booked twice`,
      async () => {
        const random = randomOf(SEED);
        const before = await figuresIn(db);
        const since = Date.now();
        const queue = (await addApproved(db, SUBMISSIONS)).map((id, turn) => ({ id, turn }));
        const acknowledged = new Map<string, string>();
        let isOver = false;
        const call = async (): Promise<void> => {
          for (let next = queue.shift(); next; next = queue.shift())
            acknowledged.set(next.id, await submitFor(next.id, next.turn));
        };
        const killer = async (): Promise<void> => {
          let due = Math.floor(random() * PER_KILL);
          while (!isOver) {
            if (acknowledged.size >= due && acknowledged.size < SUBMISSIONS) {
              await setTimeout(random() * 40);
              const victim = nodes[Math.floor(random() * nodes.length)];
              await victim?.kill();
              tally.kills += 1;
              await victim?.start();
              due = acknowledged.size + Math.ceil(random() * 2 * PER_KILL);
            }
            await setTimeout(5);
          }
        };
        const callers = Promise.all(Array.from({ length: CALLERS }, call)).finally(() => {
          isOver = true;
        });
        await Promise.all([callers, killer()]);
        const orders = await ordersIn(db);
        expect(acknowledged.size).toBe(SUBMISSIONS);
        expect(new Map(orders.map(({ consentId, orderId }) => [consentId, orderId]))).toEqual(acknowledged);
        expect(orders.filter(({ bookings }) => bookings !== 1)).toEqual([]);
        expect(orders.filter(({ status }) => !['ACSP', 'ACSC'].includes(status))).toEqual([]);
        expect(await figuresIn(db)).toEqual({ payer: before.payer - SUBMISSIONS * COST, sum: before.sum });
        expect(await strayBookings(db, since)).toEqual([]);
        expect(tally.kills).toBeGreaterThan(0);
        if (process.env.TEST_KILL_SUBMISSIONS) console.log(engine, `seed ${SEED}`, tally);
      },
      Math.max(120_000, SUBMISSIONS * 600),
    );
  },
);
