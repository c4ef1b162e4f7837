/**
 * Nodes that die like in a power failure while payments are submitted. Whatever was acknowledged is there, nothing is booked
 * twice, and a repetition with the same X-Request-ID settles every unknown outcome. `npm run test:kill-payments` is the long
 * run; TEST_KILL_SEED repeats the moments of one.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/store/db.js';
import { openDb } from '../../src/store/open.js';
import { cleanUp } from '../cli/program.js';
import { createDatabase, engines, type TestDatabase } from '../support/service.js';
import {
  addApproved,
  COST,
  figuresIn,
  ordersIn,
  PaymentNode,
  randomOf,
  STARTING_MS,
  strayBookings,
  submitUntilAnswered,
} from './nodes.js';

const SUBMISSIONS = Number(process.env.TEST_KILL_SUBMISSIONS ?? 40);
const PER_KILL = Number(process.env.TEST_KILL_EVERY ?? 14);
const SEED = Number(process.env.TEST_KILL_SEED ?? 1);
const CALLERS = 8;
const wanted = process.env.TEST_KILL_ENGINE;

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
            acknowledged.set(next.id, await submitUntilAnswered(nodes, next, tally));
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
