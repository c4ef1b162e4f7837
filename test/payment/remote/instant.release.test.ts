/**
 * Instant payments to a core that takes up to twenty seconds for each, while nodes are killed. None is paid twice, none is lost, none is
 * rejected because it took long: it is open and listed until the core has decided, and final soon after.
 * `npm run prove -- instant` is the long run; its SEED repeats the delays and the moments of one.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../src/store/db.js';
import { openDb } from '../../../src/store/open.js';
import { cleanUp, jsonOf, runCommand } from '../../cli/program.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { bothEngines } from '../../support/engines.js';
import { testSecret } from '../../support/service.js';
import { until } from '../../support/until.js';
import { addApproved, COST, PaymentNode, randomOf, STARTING_MS, submitUntilAnswered } from '../nodes.js';
import { CoreProcess } from './core-process.js';

const isLong = process.env.TEST_INSTANT !== undefined;
const PAYMENTS = Number(process.env.TEST_INSTANT ?? 12);
const SECONDS = Number(process.env.TEST_INSTANT_SECONDS ?? 2);
const SEED = Number(process.env.TEST_INSTANT_SEED ?? 1);
const AT_ONCE = 100;
const KILLS = Math.max(1, Math.round(PAYMENTS / 100));

const FINAL = `
  select o.id, o.consent_id as "consentId", o.status, o.created_at as "submittedAt", h.changed_at as "finalAt"
  from payment_orders o join payment_order_history h on h.order_id = o.id and h.to_status = o.status
  where o.look_again_at is null`;

interface Final {
  readonly id: string;
  readonly consentId: string;
  readonly status: string;
  readonly submittedAt: number;
  readonly finalAt: number;
}

/** The longest after the core's decision. A node asks after a fifth of the time, and looks around every two seconds. */
const LONGEST_MS = { answered: 3000, asked: 9000, 'with a kill': 20_000 } as const;
type Way = keyof typeof LONGEST_MS;

const spread = (values: readonly number[]): object => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return { count: sorted.length, median: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1) };
};

const engines = bothEngines(
  'two nodes share the orders on PostgreSQL, which decides by its rows who tells the core; SQLite has one',
);

describe.each(engines.slice(-1))('instant payments on %s', (engine) => {
  let database: TestDatabase;
  let db: Db;
  let core: CoreProcess;
  let nodes: PaymentNode[];
  const killedAt: number[] = [];
  const tally = { unanswered: 0, retried: 0, listed: 0 };
  const acknowledged = new Map<string, string>();
  const final = new Map<string, Final>();

  beforeAll(async () => {
    [database, core] = await Promise.all([
      createDatabase(engine),
      CoreProcess.start(SEED, ['--payment-seconds', String(SECONDS)]),
    ]);
    const start = () => PaymentNode.start(database.url, { TRAPEZA_CORE_URL: core.url });
    nodes = [await start()];
    if (engine === 'postgres') nodes.push(await start());
    db = await openDb(database.url, 4);
  }, STARTING_MS);
  afterAll(async () => {
    await cleanUp();
    await db?.close();
    await database?.drop();
  });

  const isOver = (): boolean => final.size === PAYMENTS;

  /** At random moments, one node at a time. */
  const killNodes = async (): Promise<void> => {
    const random = randomOf(SEED);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const due = Math.ceil(((kill + random()) * PAYMENTS) / KILLS);
      await until(() => acknowledged.size >= due);
      const victim = nodes[Math.floor(random() * nodes.length)];
      await victim?.kill();
      killedAt.push(Date.now());
      await victim?.start();
    }
  };

  /** What is not final is listed, at every moment. */
  const watch = async (): Promise<void> => {
    const env = { DATABASE_URL: database.url, TRAPEZA_SECRET: testSecret };
    while (!isOver()) {
      const before = [...acknowledged.values()];
      const listed = new Set(
        jsonOf<{ id: string }[]>(await runCommand(['payments', 'open', '--instant', '--json'], { env })).map(
          ({ id }) => id,
        ),
      );
      for (const each of await db.all<Final>(FINAL)) final.set(each.id, each);
      expect(before.filter((id) => !listed.has(id) && !final.has(id))).toEqual([]);
      tally.listed = Math.max(tally.listed, listed.size);
      await setTimeout(100);
    }
  };

  const submitAll = async (): Promise<void> => {
    const queue = (await addApproved(db, PAYMENTS, true)).map((id, turn) => ({ id, turn }));
    const call = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const id = await submitUntilAnswered(nodes, next, tally);
        acknowledged.set(next.id, id);
        await until(() => final.has(id));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, call));
  };

  const wayOf = ({ submittedAt, finalAt }: Final, decidesAt: number): Way => {
    if (killedAt.some((at) => at > submittedAt - 1000 && at < finalAt)) return 'with a kill';
    return decidesAt - submittedAt < 9500 ? 'answered' : 'asked';
  };

  it(
    `${PAYMENTS} of them: each paid once, none lost, final soon after the core has decided`,
    async () => {
      const before = await core.payerMinor();
      await Promise.all([submitAll(), killNodes(), watch()]);

      const orders = [...final.values()];
      expect(new Map(orders.map(({ consentId, id }) => [consentId, id]))).toEqual(acknowledged);
      expect(orders.filter(({ status }) => status !== 'ACSC')).toEqual([]);
      const executed = await core.executions();
      expect([...executed.keys()].toSorted()).toEqual([...acknowledged.values()].toSorted());
      expect([...executed].filter(([, times]) => times !== 1)).toEqual([]);
      expect(await core.payerMinor()).toBe(before - PAYMENTS * COST);
      expect(tally.listed).toBeGreaterThan(0);

      const lags = new Map<Way, number[]>();
      const waits: number[] = [];
      for (const { id, receivedAt, decidesAt } of await core.delays()) {
        const order = final.get(id);
        if (!order) throw new Error(`a payment that is not ours: ${id}`);
        const way = wayOf(order, decidesAt);
        lags.set(way, [...(lags.get(way) ?? []), order.finalAt - decidesAt]);
        waits.push(receivedAt - order.submittedAt);
      }
      if (isLong) {
        console.log(
          `seed ${SEED}`,
          tally,
          `kills ${killedAt.length}`,
          'until the core has it',
          spread(waits),
        );
        for (const [way, ms] of lags) console.log(`final after the decision, ms, ${way}`, spread(ms));
      }
      for (const [way, ms] of lags) expect([way, Math.max(...ms) <= LONGEST_MS[way]]).toEqual([way, true]);
    },
    Math.max(180_000, PAYMENTS * 900),
  );
});
