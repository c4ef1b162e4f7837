/**
 * A process that stands still at any moment of a payment, for any time: another node takes over, and what the first one does when it wakes
 * pays nothing twice. The core is not idempotent, and knows a payment only when it has carried it out.
 */
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTANT_MS, type RemoteBooks } from '../../../src/bank/payments.js';
import { DAY, SECOND } from '../../../src/lib/clock.js';
import { createLog } from '../../../src/observe/log.js';
import { Dispatcher } from '../../../src/payment/remote/dispatcher.js';
import type { Db } from '../../../src/store/db.js';
import { openDb } from '../../../src/store/open.js';
import { cleanUp } from '../../cli/program.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { hasPostgres } from '../../support/engines.js';
import { startService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { addApproved, ordersIn, PaymentNode, randomOf, STARTING_MS, submitUntilAnswered } from '../nodes.js';
import { approved, orderIn, submit } from '../support.js';
import { TestCore } from './core.js';
import { CoreProcess } from './core-process.js';

const PAUSES = [1, 2, 3, 5, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 26, 60, 7200].map(
  (each) => each * SECOND,
);

/** As a submission leaves an order, or a first attempt that the core never got. */
const RESET = `update payment_orders set status = 'RCVD', claimed_until = null, look_again_at = 0, attempts = 0, fault = null,
  unknown_since = null, unresolved_at = null, sent_at = cast(? as bigint)`;

describe('a process that stands still, at each of its steps', () => {
  let database: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await createDatabase('sqlite');
    const core = new TestCore();
    const service = await startService({ databaseUrl: database.url, bank: core.bank });
    core.breakDown();
    orderIn(await submit(service, await approved(service)));
    await service.app.runJobs();
    await service.close();
    db = await openDb(database.url, 2);
  });
  afterAll(async () => {
    await db.close();
    await database.drop();
  });

  /** Until how often the payment arrived at the core, and how many steps the first node took. */
  const run = async (sentAt: number | null, pauseAt: number, pauseMs: number) => {
    let now = Date.now();
    let steps = 0;
    const arrivals: number[] = [];
    const clock = { now: () => now, elapsed: () => now, isRight: () => true, mayEnd: () => true };
    /** Between any two things that the first node does. */
    const step = async (isFirst: boolean): Promise<void> => {
      if (!isFirst) return;
      steps += 1;
      if (steps !== pauseAt) return;
      now += pauseMs;
      await second.drain();
    };
    const booksOf = (isFirst: boolean): RemoteBooks => ({
      kind: 'remote',
      async execute(_instruction, by) {
        // A connection is made.
        await step(isFirst);
        if (by && !by.mayStart()) throw new Error('too late');
        arrivals.push(now);
        await step(isFirst);
        return { status: 'ACSP', lookAgainAt: now + DAY };
      },
      async find() {
        await step(isFirst);
        return arrivals.some((at) => now >= at + INSTANT_MS)
          ? { status: 'ACSP', lookAgainAt: now + DAY }
          : undefined;
      },
    });
    const slow: Db = {
      ...db,
      all: async (sql, params) => {
        const rows = await db.all<never>(sql, params);
        await step(true);
        return rows;
      },
      run: async (sql, params) => {
        await step(true);
        const count = await db.run(sql, params);
        await step(true);
        return count;
      },
      transaction: async (work) => {
        await step(true);
        return db.transaction(work);
      },
    };
    const node = (isFirst: boolean): Dispatcher =>
      new Dispatcher({
        db: isFirst ? slow : db,
        books: booksOf(isFirst),
        clock,
        bankTime: async () => now,
        log: createLog('silent', { stream: { write: () => undefined } }),
        patienceMs: 30 * SECOND,
        unresolvedAfterMs: DAY,
      });
    await db.run(RESET, [sentAt]);
    const second = node(false);
    const first = node(true);
    await first.drain();
    now += 30 * SECOND;
    await second.drain();
    await Promise.all([first.close(), second.close()]);
    return { arrived: arrivals.length, steps };
  };

  it.each([
    ['for the first time', null],
    ['once more', 1],
  ])('sends a payment %s, and it arrives once', async (_name, sentAt) => {
    let pauses = 0;
    const { steps } = await run(sentAt, 0, 0);
    for (const pauseMs of PAUSES)
      for (let at = 1; at <= steps; at += 1) {
        const { arrived } = await run(sentAt, at, pauseMs);
        expect({ at, pauseMs, arrived }).toEqual({ at, pauseMs, arrived: 1 });
        pauses += 1;
      }
    expect(pauses).toBeGreaterThanOrEqual(100);
  });
});

describe.runIf(hasPostgres)('a process that is stopped by a signal', () => {
  const PAYMENTS = 48;
  let database: TestDatabase;
  let db: Db;
  let core: CoreProcess;
  const nodes: PaymentNode[] = [];
  beforeAll(async () => {
    database = await createDatabase('postgres', 'disk');
    core = await CoreProcess.start(1, ['--defect', 'repetition-executed', '--defect', 'race-executed-twice']);
    for (const _ of [1, 2]) nodes.push(await PaymentNode.start(database.url, { TRAPEZA_CORE_URL: core.url }));
    db = await openDb(database.url, 4);
  }, STARTING_MS);
  afterAll(async () => {
    await cleanUp();
    await db?.close();
    await database?.drop();
  });

  it(
    'while it sends payments, for longer than its claims last: each is paid once',
    async () => {
      const random = randomOf(7);
      const [first = expect.unreachable()] = nodes;
      const queue = (await addApproved(db, PAYMENTS)).map((id, turn) => ({ id, turn }));
      const tally = { unanswered: 0, retried: 0 };
      const ids: string[] = [];
      const call = async (): Promise<void> => {
        for (let next = queue.shift(); next; next = queue.shift())
          ids.push(await submitUntilAnswered(nodes, next, tally));
      };
      const calls = Promise.all(Array.from({ length: 6 }, call));
      for (const seconds of [1, 17]) {
        await until(async () => ids.length > 3);
        await setTimeout(random() * 60);
        first.signal('SIGSTOP');
        await setTimeout(seconds * SECOND);
        first.signal('SIGCONT');
      }
      await calls;
      await until(async () => (await ordersIn(db)).every(({ status }) => status !== 'RCVD'));
      const executed = await core.executions();
      expect([...executed].filter(([id, times]) => times !== 1 || !ids.includes(id))).toEqual([]);
      expect(executed.size).toBe(PAYMENTS);
    },
    STARTING_MS,
  );
});
