/**
 * A core elsewhere that answers wrongly, late or not at all, and dies, while nodes die too. Each payment is carried out at most
 * once, none is lost, and those whose outcome stays unknown are listed and settled with the documented commands.
 * `npm run prove -- kill-core` is the long run; its SEED repeats the moments of one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../src/store/db.js';
import { openDb } from '../../../src/store/open.js';
import { cleanUp, jsonOf, runCommand } from '../../cli/program.js';
import { done, sandboxToken, send } from '../../support/client.js';
import { createDatabase, type TestDatabase } from '../../support/database.js';
import { bothEngines } from '../../support/engines.js';
import { FINANCE } from '../../support/operations.js';
import { testSecret } from '../../support/service.js';
import { until } from '../../support/until.js';
import {
  addApproved,
  COST,
  demoKey,
  PaymentNode,
  randomOf,
  STARTING_MS,
  submitUntilAnswered,
} from '../nodes.js';
import { orderPath } from '../support.js';
import { CoreProcess } from './core-process.js';

const PAYMENTS = Number(process.env.TEST_KILL_PAYMENTS ?? 12);
const PER_KILL = Number(process.env.TEST_KILL_EVERY ?? 30);
const SEED = Number(process.env.TEST_KILL_SEED ?? 1);
const CALLERS = 8;
const isLong = process.env.TEST_KILL_PAYMENTS !== undefined;
/** The short run has one process of each; the long one two nodes as well, on the store that is made for it. */
const wanted = process.env.TEST_KILL_ENGINE ?? (isLong ? undefined : 'sqlite');
const nodeCount = { sqlite: 1, postgres: 2 } as const;

const STATES = `
  select id, consent_id as "consentId", status, case when unresolved_at is null then 0 else 1 end as unresolved
  from payment_orders`;
const OPEN = `select count(*) as count from payment_orders where look_again_at is not null`;
/** Neither said to be something by the core nor given to people. */
const UNDECIDED = `select count(*) as count from payment_orders where status = 'RCVD' and unresolved_at is null`;
const STEPS_BY_HAND = `select count(*) as count from payment_order_history where changed_by is not null`;

const CANCELLED = `select client_id as "clientId" from events where payment_id = ? and status = 'CANC'`;
const WAITING = { timeout: 60_000, interval: 5 };

const cancelAt = async (url: string, consent: string): Promise<void> => {
  const headers = {
    'Ocp-Apim-Subscription-Key': demoKey,
    Authorization: `Bearer ${await sandboxToken(url)}`,
    'X-Request-ID': randomUUID(),
  };
  // The node dies before it answers.
  await fetch(`${url}${orderPath(consent)}`, { method: 'DELETE', headers }).catch(() => undefined);
};

interface State {
  readonly id: string;
  readonly consentId: string;
  readonly status: string;
  readonly unresolved: number;
}

const engines = bothEngines(
  'a killed node leaves claims and half a transaction, which each engine takes back in its own way',
);

describe.each(engines.filter((engine) => wanted === undefined || engine === wanted))(
  'a core and nodes that are killed, on %s',
  (engine) => {
    let database: TestDatabase;
    let db: Db;
    let core: CoreProcess;
    const nodes: PaymentNode[] = [];
    beforeAll(async () => {
      database = await createDatabase(engine, 'disk');
      core = await CoreProcess.start(SEED);
      for (let count = 0; count < nodeCount[engine]; count += 1)
        nodes.push(
          await PaymentNode.start(database.url, {
            TRAPEZA_CORE_URL: core.url,
            TRAPEZA_CORE_TIMEOUT_MS: '400',
            TRAPEZA_DEADLINE_MS: '2000',
            TRAPEZA_PAYMENT_UNRESOLVED_MS: '2500',
          }),
        );
      db = await openDb(database.url, 4);
    }, STARTING_MS);
    afterAll(async () => {
      await cleanUp();
      await db?.close();
      await database?.drop();
    });

    const tally = {
      nodeKills: 0,
      coreKills: 0,
      unanswered: 0,
      retried: 0,
      unresolved: 0,
      byHand: 0,
      again: 0,
    };

    /** Kills one of the processes at a random moment, again and again, until all payments are submitted. */
    const killWhile = async (isRunning: () => boolean, submitted: () => number): Promise<void> => {
      const random = randomOf(SEED);
      let due = Math.ceil(random() * (PER_KILL / 6));
      let kills = 0;
      while (isRunning()) {
        if (submitted() >= due && submitted() < PAYMENTS) {
          await setTimeout(random() * 40);
          // Both kinds die even in a short run.
          const isCore = kills < 2 ? kills === 0 : random() < 0.5;
          const victim = isCore ? core : nodes[Math.floor(random() * nodes.length)];
          await victim?.kill();
          tally[isCore ? 'coreKills' : 'nodeKills'] += 1;
          await setTimeout(random() * 200);
          await victim?.start();
          kills += 1;
          due = submitted() + (kills < 2 ? 1 : Math.ceil(random() * 2 * PER_KILL));
        }
        await setTimeout(5);
      }
    };

    const submitAll = async (): Promise<Map<string, string>> => {
      const queue = (await addApproved(db, PAYMENTS)).map((id, turn) => ({ id, turn }));
      const acknowledged = new Map<string, string>();
      let isOver = false;
      const call = async (): Promise<void> => {
        for (let next = queue.shift(); next; next = queue.shift())
          acknowledged.set(next.id, await submitUntilAnswered(nodes, next, tally));
      };
      const callers = Promise.all(Array.from({ length: CALLERS }, call)).finally(() => {
        isOver = true;
      });
      await Promise.all([
        callers,
        killWhile(
          () => !isOver,
          () => acknowledged.size,
        ),
      ]);
      return acknowledged;
    };

    const untilNone = (sql: string): Promise<void> =>
      until(async () => Number((await db.one<{ count: number }>(sql))?.count) === 0);
    const command = (...args: string[]) =>
      runCommand(['payments', ...args], { env: { DATABASE_URL: database.url, TRAPEZA_SECRET: testSecret } });

    /** As docs/operating.md says: what the core has carried out is settled; of the rest, every second one is tried once more. */
    const settleUnresolved = async (): Promise<void> => {
      const executed = await core.executions();
      const listed = jsonOf<{ id: string }[]>(await command('unresolved', '--json'));
      tally.unresolved = listed.length;
      for (const [index, { id }] of listed.entries()) {
        const isDone = (executed.get(id) ?? 0) > 0;
        if (!isDone && index % 2 === 0) continue;
        const outcome = isDone ? ['--settled'] : ['--rejected', '--reason', 'MS03'];
        const { code, stderr } = await command('settle', id, ...outcome, '--by', 'operator 7');
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        tally.byHand += 1;
      }
      tally.again = listed.length - tally.byHand;
      expect((await command('retry', '--all')).code).toBe(0);
    };

    it(
      `${PAYMENTS} payments: each carried out at most once, none lost, the rest settled by hand`,
      async () => {
        const before = await core.payerMinor();
        const acknowledged = await submitAll();
        await untilNone(UNDECIDED);
        await core.behave();
        await settleUnresolved();
        // What left the bank is settled a little later; the core follows the bank's time.
        await untilNone(UNDECIDED);
        const body = { advance: 'PT10M' };
        const moved = done(await send(nodes[0]?.url ?? '', { method: 'PUT', path: '/sandbox/clock', body }));
        await untilNone(OPEN);
        await core.bookDue(acknowledged.values(), (moved.json as { now: string }).now);

        const orders = await db.all<State>(STATES);
        expect(new Map(orders.map(({ consentId, id }) => [consentId, id]))).toEqual(acknowledged);
        expect(acknowledged.size).toBe(PAYMENTS);
        const executed = await core.executions();
        const ours = new Set(acknowledged.values());
        expect([...executed].filter(([id, times]) => times > 1 || !ours.has(id))).toEqual([]);
        const wrong = orders.filter(
          ({ id, status }) => (executed.get(id) ?? 0) !== (status === 'ACSC' ? 1 : 0),
        );
        expect(wrong).toEqual([]);
        const paid = orders.filter(({ status }) => status === 'ACSC').length;
        const rejected = orders.filter(({ status }) => status === 'RJCT').length;
        expect(paid + rejected).toBe(PAYMENTS);
        expect(await core.payerMinor()).toBe(before - paid * COST);
        expect(jsonOf(await command('unresolved', '--json'))).toEqual([]);
        const byHand = await db.one<{ count: number }>(STEPS_BY_HAND);
        expect(Number(byHand?.count)).toBe(tally.byHand);
        expect([tally.nodeKills, tally.coreKills].every((kills) => kills > 0)).toBe(true);
        if (isLong) console.log(engine, `seed ${SEED}`, { ...tally, paid, rejected });
      },
      Math.max(180_000, PAYMENTS * 900),
    );

    it(
      'a node that dies after the core has called a payment back: CANC after its restart, with the event',
      async () => {
        await core.behave({ kind: 'late', operation: 'cancelPayment' });
        const [node = expect.unreachable()] = nodes;
        const [, consent = ''] = await addApproved(db, 2);
        const order = await submitUntilAnswered(nodes, { id: consent, turn: 0 }, tally);
        const statusHere = async () =>
          (await db.one<{ status: string }>('select status from payment_orders where id = ?', [order]))
            ?.status;
        await expect.poll(statusHere, WAITING).toBe('ACSP');
        const ended = cancelAt(node.url, consent);
        await expect.poll(() => core.statusOf(order), WAITING).toBe('CANC');
        await node.kill();
        await ended;
        expect(await statusHere()).toBe('ACSP');
        await node.start();
        await core.behave();
        const body = { advance: 'PT11S' };
        done(await send(node.url, { method: 'PUT', path: '/sandbox/clock', body }));
        await expect.poll(statusHere, WAITING).toBe('CANC');
        expect(await db.all(CANCELLED, [order])).toEqual([{ clientId: FINANCE }]);
      },
      STARTING_MS,
    );
  },
);
