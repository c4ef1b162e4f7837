/**
 * Nodes that die like in a power failure while payments are submitted. Whatever was acknowledged is there, nothing is booked
 * twice, and a repetition with the same X-Request-ID settles every unknown outcome. `npm run prove -- kill-payments` is the long
 * run; its SEED repeats the moments of one.
 */
import { describe, expect, it } from 'vitest';
import { bothEngines } from '../support/engines.js';
import { mortalNodes, whileNodesDie } from './mortal.js';
import {
  addApproved,
  COST,
  figuresIn,
  ordersIn,
  randomOf,
  strayBookings,
  submitUntilAnswered,
} from './nodes.js';

const SUBMISSIONS = Number(process.env.TEST_KILL_SUBMISSIONS ?? 40);
const PER_KILL = Number(process.env.TEST_KILL_EVERY ?? 14);
const SEED = Number(process.env.TEST_KILL_SEED ?? 1);
const CALLERS = 8;
const wanted = process.env.TEST_KILL_ENGINE;

const engines = bothEngines(
  'a killed node leaves half a transaction: PostgreSQL ends its session and frees its row locks, SQLite rolls back from its log',
);

describe.each(engines.filter((engine) => engine === (wanted ?? engine)))('killed nodes on %s', (engine) => {
  const { nodes, db } = mortalNodes(engine);
  const tally = { kills: 0, unanswered: 0, retried: 0 };

  it(
    `${SUBMISSIONS} submissions: nothing acknowledged is lost, nothing is booked twice`,
    async () => {
      const random = randomOf(SEED);
      const before = await figuresIn(db());
      const since = Date.now();
      const queue = (await addApproved(db(), SUBMISSIONS)).map((id, turn) => ({ id, turn }));
      const acknowledged = new Map<string, string>();
      const call = async (): Promise<void> => {
        for (let next = queue.shift(); next; next = queue.shift())
          acknowledged.set(next.id, await submitUntilAnswered(nodes, next, tally));
      };
      const callers = Array.from({ length: CALLERS }, call);
      const done = (): number => acknowledged.size;
      await whileNodesDie(nodes, callers, { random, every: PER_KILL, done, tally });
      const orders = await ordersIn(db());
      expect(acknowledged.size).toBe(SUBMISSIONS);
      expect(new Map(orders.map(({ consentId, orderId }) => [consentId, orderId]))).toEqual(acknowledged);
      expect(orders.filter(({ bookings }) => bookings !== 1)).toEqual([]);
      expect(orders.filter(({ status }) => !['ACSP', 'ACSC'].includes(status))).toEqual([]);
      expect(await figuresIn(db())).toEqual({ payer: before.payer - SUBMISSIONS * COST, sum: before.sum });
      expect(await strayBookings(db(), since)).toEqual([]);
      expect(tally.kills).toBeGreaterThan(0);
      if (process.env.TEST_KILL_SUBMISSIONS) console.log(engine, `seed ${SEED}`, tally);
    },
    Math.max(120_000, SUBMISSIONS * 600),
  );
});
