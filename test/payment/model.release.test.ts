/**
 * The status of an order against its model: the table itself, the store under whatever a bank may answer, several at once, and
 * the demo bank through the front door. Statuses never go back, a final one stays, and the consent follows.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentProgress } from '../../src/bank/payments.js';
import { newId } from '../../src/lib/id.js';
import { isOver, mayFollow } from '../../src/payment/lifecycle.js';
import { findOrder, insertOrder, moveOrder } from '../../src/payment/orders.js';
import { type OrderStatus, orderStatuses, type PaymentOrder } from '../../src/payment/record.js';
import type { Db } from '../../src/store/db.js';
import { bothEngines } from '../support/engines.js';
import { FINANCE, moveBankClock, psuId } from '../support/operations.js';
import type { Service } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { approved, cancel, consentStatus, decide, OTHER_BANK, orderPath, submit } from './support.js';

/** How far each status is from the beginning. */
const rank: Readonly<Record<OrderStatus, number>> = {
  RCVD: 0,
  PDNG: 1,
  ACTC: 2,
  ACSP: 3,
  ACSC: 4,
  RJCT: 4,
  CANC: 4,
};
const caller = { clientId: FINANCE, psuId: psuId('eleni') };

describe('the table of an order', () => {
  it('has no way back, and none out of a final status', () => {
    for (const from of orderStatuses)
      for (const to of orderStatuses)
        if (mayFollow(from, to)) {
          expect(rank[to]).toBeGreaterThan(rank[from]);
          expect(isOver(from)).toBe(false);
        }
  });

  it('leads from everywhere to an end; what is open can be cancelled', () => {
    for (const from of orderStatuses) {
      expect(isOver(from) || orderStatuses.some((to) => mayFollow(from, to) && isOver(to))).toBe(true);
      expect(mayFollow(from, 'CANC')).toBe(!isOver(from));
    }
  });
});

const progressOf = (status: Exclude<OrderStatus, 'RCVD'>): PaymentProgress => {
  if (status === 'RJCT') return { status, reason: { code: 'AM04', text: 'no funds' } };
  return status === 'ACSC' || status === 'CANC' ? { status } : { status, lookAgainAt: 1 };
};
const said = fc.constantFrom(...orderStatuses.filter((status) => status !== 'RCVD'));

interface Step {
  readonly from_status: OrderStatus | null;
  readonly to_status: OrderStatus;
}
const stepsOf = (db: Db, id: string): Promise<Step[]> =>
  db.all<Step>(
    `select h.from_status, h.to_status from payment_order_history h join payment_orders o on o.id = h.order_id
     where o.consent_id = ? order by h.position`,
    [id],
  );

const checkSteps = (steps: readonly Step[]): void => {
  steps.forEach(({ from_status: from, to_status: to }, index) => {
    expect(from).toBe(steps[index - 1]?.to_status ?? null);
    if (from !== null) expect(mayFollow(from, to), `${from} → ${to}`).toBe(true);
  });
};

/** What an order is, and what the bank says of it. */
const tell = (db: Db, order: PaymentOrder, status: Exclude<OrderStatus, 'RCVD'>): Promise<unknown> =>
  db
    .transaction((tx) => moveOrder(tx, order, progressOf(status), order.createdAt + 1))
    .catch((error: Error) => {
      if (!error.message.startsWith('a payment order never goes')) throw error;
    });

/** An order of an approved consent, as if a bank had only received it. */
const received = async (service: Service, db: Db): Promise<string> => {
  const id = await approved(service);
  const at = service.clock.now();
  await db.transaction(async (tx) => {
    await tx.run('update consents set submitted_at = ?, expires_at = null where id = ?', [at, id]);
    await insertOrder(tx, { id: newId(), consentId: id, caller, at });
  });
  return id;
};

const engines = bothEngines(
  'several steps of one order at once: PostgreSQL decides by the row, SQLite by the order of its writers',
);

describe.each(engines)('an order on %s', (engine) => {
  const use = useService({ engine });

  it('takes only legal steps, whatever a bank answers and how many tell it at once', async () => {
    await withStore(use(), (db) =>
      fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(said, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
          async (rounds) => {
            const id = await received(use(), db);
            let model: OrderStatus = 'RCVD';
            for (const round of rounds) {
              const seen = await findOrder(db, id, caller);
              if (!seen) throw new Error('the order is gone');
              await Promise.all(round.map((status) => tell(db, seen, status)));
              const now = await findOrder(db, id, caller);
              const possible = round.filter((status) => mayFollow(model, status));
              expect(possible.length > 0 ? possible : [model]).toContain(now?.status);
              expect(rank[now?.status ?? 'RCVD']).toBeGreaterThanOrEqual(rank[model]);
              model = now?.status ?? model;
              expect(await consentStatus(use(), id)).toBe(isOver(model) ? 'Expired' : 'Valid');
            }
            checkSteps(await stepsOf(db, id));
          },
        ),
        { numRuns: Number(process.env.TEST_ORDER_MODEL ?? 15) },
      ),
    );
  });

  const acts = ['submit', 'delete', 'cancel', 'revoke', 'read', 'wait'] as const;
  type Act = (typeof acts)[number];
  const act = async (id: string, what: Act): Promise<unknown> => {
    if (what === 'submit') return submit(use(), id);
    if (what === 'delete') return use().call({ method: 'DELETE', path: `/pis/psd2/v1/${id}` });
    if (what === 'cancel') return cancel(use(), id);
    if (what === 'revoke') return decide(use(), id, 'revoke');
    if (what === 'wait') return moveBankClock(use(), 'PT6S');
    return use().call({ path: orderPath(id) });
  };

  it('and its consent agree, whatever third party, account holder and time do at once', async () => {
    const step = fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 4 });
    await withStore(use(), (db) =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
          const id = await approved(use(), { body: { creditAccount: { iban: OTHER_BANK } } });
          let before: OrderStatus | undefined;
          for (const together of steps) {
            await Promise.all(together.map((each) => act(id, each)));
            const order = await findOrder(db, id, caller);
            const consent = await consentStatus(use(), id);
            if (order) expect(consent).toBe(isOver(order.status) ? 'Expired' : 'Valid');
            else expect(['Valid', 'TerminatedByTpp', 'RevokedByPsu']).toContain(consent);
            if (before) expect(rank[order?.status ?? 'RCVD']).toBeGreaterThanOrEqual(rank[before]);
            before = order?.status ?? before;
          }
          const history = await stepsOf(db, id);
          checkSteps(history);
          const booked = await db.all(
            'select id from demo_payments where id in (select id from payment_orders where consent_id = ?)',
            [id],
          );
          expect(booked.length).toBe(history.length > 0 ? 1 : 0);
        }),
        { numRuns: Number(process.env.TEST_ORDER_MODEL ?? 15) },
      ),
    );
  });
});
