/** Claims on payments to a bank elsewhere: who holds one may tell the bank, and nobody else. */
import { describe, expect, it } from 'vitest';
import { Deliverer } from '../../../src/events/delivery/deliverer.js';
import { unreportedConsents } from '../../../src/events/for-bank.js';
import { Leases } from '../../../src/jobs/leases.js';
import { DAY, MINUTE, SECOND } from '../../../src/lib/clock.js';
import { createLog } from '../../../src/observe/log.js';
import { dueOrders } from '../../../src/payment/orders.js';
import { Dispatcher } from '../../../src/payment/remote/dispatcher.js';
import {
  CLAIM_MS,
  claimOrder,
  dueRemoteOrders,
  type RemoteOrder,
  renewClaim,
} from '../../../src/payment/remote/outbox.js';
import { remoteOrderBooks } from '../../../src/payment/remote/remote-books.js';
import type { Db } from '../../../src/store/db.js';
import { hasPostgres, racingEngines } from '../../support/engines.js';
import { useService, useTwoNodes, withStore } from '../../support/use-service.js';
import { approved, orderIn, readOrder, submit } from '../support.js';
import { TestCore } from './core.js';

const engines = racingEngines(
  'a claim is a compare-and-set between nodes: PostgreSQL checks the row again after its wait, SQLite never waits',
);

/** Columns that say until when, or from when. */
const deadlineColumns = async (db: Db): Promise<readonly string[]> => {
  const rows = await db.all<{ name: string }>(
    db.engine === 'sqlite'
      ? `select distinct m.name || '.' || c.name as name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`
      : `select table_name || '.' || column_name as name from information_schema.columns where table_schema = current_schema()`,
  );
  return rows
    .flatMap(({ name }) => (/(_until|\bdue_at|_due_at|_again_at)$/.test(name) ? [name] : []))
    .toSorted();
};

describe.each(engines)('a payment to a bank elsewhere, on %s', (engine) => {
  const core = new TestCore();
  const use = useService({ engine, bank: core.bank });

  /** Works with an order as it was before anybody claimed it; the service itself waits for its core meanwhile. */
  const withNewOrder = async (
    work: (db: Db, order: RemoteOrder, moment: { bankNow: number; now: number }) => Promise<void>,
  ): Promise<void> => {
    core.play('hangs');
    const answer = await submit(use(), await approved(use()));
    await expect.poll(() => core.hanging).toBe(1);
    const now = use().clock.now();
    await withStore(use(), async (db) => {
      const { paymentId } = orderIn(answer);
      await db.run('update payment_orders set claimed_until = null, sent_at = null where id = ?', [
        paymentId,
      ]);
      const moment = { bankNow: now + SECOND, now };
      const order = (await dueRemoteOrders(db, moment, 100)).find(({ id }) => id === paymentId);
      if (!order) throw new Error('the order is not due');
      await work(db, order, moment);
    });
    core.release();
    await use().app.runJobs();
  };

  it('does not claim on an old view: what another node may have told is asked for first', () =>
    withNewOrder(async (db, order, moment) => {
      const until = moment.now + CLAIM_MS;
      expect(await claimOrder(db, order, moment, until)).toBe(true);
      // The claim of the first one has run out.
      const later = { ...moment, now: until + 1 };
      expect(await claimOrder(db, order, later, later.now + CLAIM_MS)).toBe(false);
      const [seen] = await dueRemoteOrders(db, later, 1);
      expect(seen?.sentAt).toBe(moment.bankNow);
      expect(seen && (await claimOrder(db, seen, later, later.now + CLAIM_MS))).toBe(true);
      expect(seen && (await claimOrder(db, seen, later, later.now + CLAIM_MS))).toBe(false);
    }));

  it('is not told again once people have to settle it, nor by a node that lost it', () =>
    withNewOrder(async (db, order, moment) => {
      const until = moment.now + CLAIM_MS;
      await claimOrder(db, order, moment, until);
      const renew = (from: number) => renewClaim(db, order, moment.bankNow, { from, to: until + 1 });
      expect(await renew(until - 1)).toBe(false);
      await db.run('update payment_orders set unresolved_at = ? where id = ?', [moment.bankNow, order.id]);
      expect(await renew(until)).toBe(false);
      await db.run('update payment_orders set unresolved_at = null where id = ?', [order.id]);
      expect(await renew(until)).toBe(true);
    }));

  it.each(['the claim', 'the cancellation'])('is cancelled or claimed, whoever comes first: %s', (first) =>
    withNewOrder(async (db, order, moment) => {
      const books = remoteOrderBooks({
        ...{ db, books: core.books, patienceMs: 0 },
        dispatcher: { wake: () => undefined },
      });
      const cancel = await books.cancel(order, moment.bankNow, 'tpp');
      const claim = (): Promise<boolean> => claimOrder(db, order, moment, moment.now + CLAIM_MS);
      if (first === 'the claim') {
        expect(await claim()).toBe(true);
        expect(await db.transaction(cancel)).toBeUndefined();
      } else {
        expect(await db.transaction(cancel)).toMatchObject({ status: 'CANC' });
        expect(await claim()).toBe(false);
      }
    }),
  );

  it('is claimed, asked about and reported although a clock that was far ahead has said when', () =>
    withNewOrder(async (db, order, { bankNow, now }) => {
      const far = now + 400 * DAY;
      const job = { name: 'count', everyMs: MINUTE };
      const jobs = new Leases(db, { now: () => now, elapsed: () => now });
      const addJob = (dueAt: number, until: number) =>
        db.run('insert into jobs (name, due_at, leased_until) values (?, ?, ?)', [job.name, dueAt, until]);
      const setOrder = (column: 'look_again_at' | 'claimed_until') =>
        db.run(`update payment_orders set ${column} = ? where id = ?`, [far, order.id]);
      const isDue = async (): Promise<boolean> =>
        (await dueRemoteOrders(db, { bankNow, now }, 100)).some(({ id }) => id === order.id);
      const sent: string[] = [];
      const deliverer = new Deliverer({
        db,
        clock: { now: () => now, elapsed: () => now, isRight: () => true, mayEnd: () => true },
        sender: {
          send: async (target) => {
            sent.push(target);
            return { isDelivered: true, outcome: 'status 204', cause: 'status 204' };
          },
          abort: () => undefined,
        },
        key: async () => ({ keyid: 'k', sign: async (data) => data }),
        log: createLog('silent', { stream: { write: () => undefined } }),
        count: () => undefined,
      });
      /** Each writes one moment, and says whether it counts as over. */
      const deadlines: Readonly<Record<string, () => Promise<boolean>>> = {
        'jobs.due_at': async () => {
          await addJob(far, 0);
          return (
            (await jobs.take(job)) && (await db.run('delete from jobs where name = ?', [job.name])) === 1
          );
        },
        'jobs.leased_until': async () => {
          await addJob(0, far);
          return (
            (await jobs.take(job)) && (await db.run('delete from jobs where name = ?', [job.name])) === 1
          );
        },
        'payment_orders.look_again_at': async () => {
          await setOrder('look_again_at');
          const due = await dueOrders(db, bankNow, 100);
          return (await isDue()) && due.some(({ id }) => id === order.id);
        },
        'payment_orders.claimed_until': async () => {
          await setOrder('claimed_until');
          const [seen] = await dueRemoteOrders(db, { bankNow, now }, 100);
          return seen !== undefined && (await claimOrder(db, seen, { bankNow, now }, now + CLAIM_MS));
        },
        'deliveries.due_at': async () => {
          const target = 'http://127.0.0.1:1/far';
          await db.run(
            `insert into deliveries (event_id, target, client_id, position, attempts, due_at)
             select id, ?, client_id, position, 0, cast(? as bigint) from events where client_id = ? limit 1`,
            [target, far, order.clientId],
          );
          await deliverer.drain();
          await deliverer.close();
          return sent.includes(target);
        },
        'events.bank_due_at': async () => {
          const mine = 'where consent_id = ? and kind = ?';
          await db.run(`update events set bank_due_at = ? ${mine}`, [far, order.consentId, 'consent']);
          const due = await unreportedConsents(db, now, 1000);
          return due.some(({ consentId }) => consentId === order.consentId);
        },
      };
      for (const [name, isOver] of Object.entries(deadlines)) expect(await isOver(), name).toBe(true);
      // Whoever adds a deadline adds it here, or says why any moment can be meant.
      const chosenByPeople = [
        'tpps.suspended_until',
        'operators.enrol_until',
        'applications.last_secret_until',
        'demo_psus.blocked_until',
      ];
      expect(await deadlineColumns(db)).toEqual([...Object.keys(deadlines), ...chosenByPeople].toSorted());
    }));

  it('tells nothing once the claim has run out before the call', () =>
    withNewOrder(async (db, _order, { bankNow, now }) => {
      const told = core.told.length;
      let paused = 0;
      let closing: Promise<void> | undefined;
      /** The process stands still while its claim is written, and is stopped then. */
      const slow: Db = {
        ...db,
        all: (sql, params) => db.all(sql, params),
        one: (sql, params) => db.one(sql, params),
        transaction: (work) => db.transaction(work),
        run: async (sql, params) => {
          const changed = await db.run(sql, params);
          paused += CLAIM_MS;
          closing ??= node.close();
          return changed;
        },
      };
      const node = new Dispatcher({
        db: slow,
        books: core.books,
        clock: { now: () => now + paused, elapsed: () => paused, isRight: () => true, mayEnd: () => true },
        bankTime: async () => bankNow,
        log: createLog('silent', { stream: { write: () => undefined } }),
        patienceMs: 30 * SECOND,
        unresolvedAfterMs: 60 * SECOND,
      });
      await node.drain();
      await closing;
      expect(paused).toBeGreaterThan(0);
      expect(core.told.length).toBe(told);
    }));
});

// The embedded store is for one process at a time.
describe.runIf(hasPostgres)('payments to a bank elsewhere', () => {
  const core = new TestCore();
  const nodes = useTwoNodes(() => ({ bank: core.bank }));

  it('are each told by one of two nodes at once', async () => {
    // No more than may wait for a decision at once.
    const made = await Promise.all(
      Array.from({ length: 18 }, async (_, turn) => {
        const node = nodes[turn % 2] ?? expect.unreachable();
        const consent = await approved(node);
        return { node, consent, order: orderIn(await submit(node, consent)).paymentId };
      }),
    );
    await Promise.all(nodes.map(({ app }) => app.runJobs()));
    expect(made.map(({ order }) => core.executed.get(order))).toEqual(made.map(() => 1));
    expect(core.calls.filter((call) => call === 'execute')).toHaveLength(18);
    for (const { node, consent } of made)
      expect((await readOrder(node, consent)).transactionStatus).toBe('ACSC');
  });
});
