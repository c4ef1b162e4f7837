/** Payments with an unknown outcome, for operators: retry, settle by hand. */

import { Gone } from '../../acts/refusal.js';
import type { PaymentProgress } from '../../bank/payments.js';
import { lockEventPosition } from '../../events/outbox.js';
import type { Queries } from '../../store/db.js';
import { overAt } from '../../store/deadline.js';
import { isOver, mayFollow } from '../lifecycle.js';
import { moveOrder } from '../orders.js';
import type { PaymentOrder } from '../record.js';
import { CLAIM_MS, type Moment, UNCLAIMED } from './outbox.js';

const READ = `
  select id, consent_id as "consentId", client_id as "clientId", psu_id as "psuId", status, reason_code as "reasonCode",
         reason_text as "reasonText", created_at as "createdAt", changed_at as "changedAt", look_again_at as "lookAgainAt",
         unresolved_at as "unresolvedAt", resent_at as "resentAt"
  from payment_orders where id = ?`;
/** It stays unresolved: a question that was asked is no answer. */
const RETRY = `
  update payment_orders set look_again_at = ?, attempts = 0, retried_at = ?
  where id = ? and unresolved_at is not null and ${UNCLAIMED}`;
const RETRY_ALL = `
  update payment_orders set look_again_at = ?, attempts = 0, retried_at = ?
  where unresolved_at is not null and ${UNCLAIMED}`;
const END_RETRY = 'update payment_orders set retried_at = null, resent_at = null where id = ?';
/** A settlement by hand claims the order, as a node does for a call. */
const CLAIM = `
  update payment_orders set claimed_until = ?
  where id = ? and status = ? and ${UNCLAIMED}
    and (unresolved_at is not null or cast(? as bigint) = 1)`;

/** Why an operator's wish is not fulfilled. */
export class NotSettled extends Gone {
  override readonly done = 'notSettled';
}

interface DoubtedOrder extends PaymentOrder {
  readonly unresolvedAt: number | null;
  readonly resentAt: number | null;
}

const openOrder = async (db: Queries, id: string): Promise<DoubtedOrder> => {
  const order = await db.one<DoubtedOrder>(READ, [id]);
  if (!order) throw new NotSettled(`there is no payment order ${id}`);
  if (isOver(order.status)) throw new NotSettled(`the payment order ${id} is over already: ${order.status}`);
  return order;
};

const busy = (id: string): NotSettled =>
  new NotSettled(`a node is asking the core about ${id} at this moment: try again in a few seconds`);

/** Queries the core now, and sends the payment again if the core never received it. */
export const retryUnresolved = async (db: Queries, id: string, { bankNow, now }: Moment): Promise<void> => {
  if ((await db.run(RETRY, [bankNow, now, id, ...overAt(now, CLAIM_MS)])) === 1) return;
  const { unresolvedAt } = await openOrder(db, id);
  if (unresolvedAt === null) throw new NotSettled(`the payment order ${id} is not unresolved`);
  throw busy(id);
};

/** As `retryUnresolved`, for all. Returns how many. */
export const retryAllUnresolved = (db: Queries, { bankNow, now }: Moment): Promise<number> =>
  db.run(RETRY_ALL, [bankNow, now, ...overAt(now, CLAIM_MS)]);

export type ByHand = { readonly status: 'ACSC' } | Extract<PaymentProgress, { status: 'RJCT' }>;

export interface Settlement {
  readonly outcome: ByHand;
  /** The operator, for the history of the order. */
  readonly by: string;
  /** Also one that is not unresolved yet. */
  readonly isForced: boolean;
}

/**
 * Call within a transaction. False: a retry has sent the payment again, perhaps after people looked into the books of the core. It is not
 * tried any more from here on, so that they can look again.
 */
export const settleByHand = async (
  tx: Queries,
  id: string,
  { outcome, by, isForced }: Settlement,
  { bankNow, now }: Moment,
): Promise<boolean> => {
  const order = await openOrder(tx, id);
  if (order.unresolvedAt === null && !isForced)
    throw new NotSettled(
      `the payment order ${id} is not unresolved, the core is still being asked; --force settles it all the same`,
    );
  if (!mayFollow(order.status, outcome.status))
    throw new NotSettled(`a payment order that is ${order.status} cannot become ${outcome.status}`);
  await lockEventPosition(tx, order.clientId);
  if ((await tx.run(CLAIM, [now, id, order.status, ...overAt(now, CLAIM_MS), isForced ? 1 : 0])) === 0)
    throw busy(id);
  if (order.resentAt !== null && outcome.status === 'RJCT' && !isForced) {
    await tx.run(END_RETRY, [id]);
    return false;
  }
  if (!(await moveOrder(tx, order, outcome, bankNow, by))) throw busy(id);
  return true;
};

export const sentAgain = (id: string): NotSettled =>
  new NotSettled(
    `the payment order ${id} was sent to the core again after somebody asked for a retry. It is not sent any more: look it up in the books of the core once more, then repeat this`,
  );
