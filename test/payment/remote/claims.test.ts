/** Claims on payments to a bank elsewhere: who holds one may tell the bank, and nobody else. */
import { describe, expect, it } from 'vitest';
import { SECOND } from '../../../src/lib/clock.js';
import { createLog } from '../../../src/observe/log.js';
import { Dispatcher } from '../../../src/payment/remote/dispatcher.js';
import {
  claimOrder,
  dueRemoteOrders,
  type RemoteOrder,
  renewClaim,
} from '../../../src/payment/remote/outbox.js';
import { remoteOrderBooks } from '../../../src/payment/remote/remote-books.js';
import type { Db } from '../../../src/store/db.js';
import { bothEngines, hasPostgres } from '../../support/engines.js';
import { useService, useTwoNodes, withStore } from '../../support/use-service.js';
import { approved, orderIn, readOrder, submit } from '../support.js';
import { TestCore } from './core.js';

const CLAIM_MS = 7 * SECOND;

const engines = bothEngines(
  'a claim is a compare-and-set between nodes: PostgreSQL checks the row again after its wait, SQLite never waits',
);

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
        clock: { now: () => now + paused, elapsed: () => paused },
        bankTime: async () => bankNow,
        log: createLog('silent', { write: () => undefined }),
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
