/**
 * Payment orders in the store. Reads are for a caller, like those of consents. Only `moveOrder` changes the status of an order:
 * compare-and-set, with one history row and an event, and with the end of the consent if the order is final.
 */

import type { PaymentProgress } from '../bank/payments.js';
import { moveConsent } from '../consent/move.js';
import type { StatusReason } from '../consent/record.js';
import { lockEventPosition, type NewEvent, writeEvent } from '../events/outbox.js';
import { type BankTime, DAY } from '../lib/clock.js';
import type { Caller } from '../model/caller.js';
import type { ConsentId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { overAt } from '../store/deadline.js';
import { isOver, mayFollow } from './lifecycle.js';
import type { OrderStatus, PaymentOrder, WatchedOrder } from './record.js';

const INSERT_ORDER = `
  insert into payment_orders (id, consent_id, client_id, psu_id, status, created_at, changed_at, look_again_at)
  values (?, ?, ?, ?, 'RCVD', ?, ?, ?)`;
const STEP = `
  insert into payment_order_history (order_id, position, from_status, to_status, reason_code, changed_at, changed_by)
  select cast(? as text), coalesce(max(position), -1) + 1, cast(? as text), cast(? as text), cast(? as text), cast(? as bigint),
         cast(? as text)
  from payment_order_history where order_id = ?`;
/** A reply about an order ends every doubt about it; a final order needs no instruction any more. */
const MOVE = `
  update payment_orders set status = ?, reason_code = ?, reason_text = ?, changed_at = ?, look_again_at = ?,
    instruction = case when cast(? as bigint) is null then null else instruction end,
    claimed_until = null, attempts = 0, fault = null, unknown_since = null, unresolved_at = null, retried_at = null
  where id = ? and status = ?`;
const LOOK_LATER = `
  update payment_orders set look_again_at = ?, reason_code = ?, reason_text = ?,
    claimed_until = null, attempts = 0, fault = null, unknown_since = null, unresolved_at = null, retried_at = null
  where id = ? and status = ?`;
/** The columns of a `PaymentOrder`. */
export const ORDER_COLUMNS = `
  id, consent_id as "consentId", client_id as "clientId", psu_id as "psuId", status, reason_code as "reasonCode",
  reason_text as "reasonText", created_at as "createdAt", changed_at as "changedAt", look_again_at as "lookAgainAt"`;
const FIND = `
  select ${ORDER_COLUMNS}
  from payment_orders where consent_id = ? and client_id = ? and psu_id = ?`;
const FIND_WATCHED = `
  select ${ORDER_COLUMNS},
    (select h.changed_by from payment_order_history h where h.order_id = payment_orders.id and h.to_status = 'CANC') as "cancelledBy"
  from payment_orders where consent_id = ? and client_id = ? and psu_id = ?`;
const DUE = `
  select * from (select ${ORDER_COLUMNS} from payment_orders where look_again_at <= ? order by look_again_at limit ?) past
  union all
  select * from (select ${ORDER_COLUMNS} from payment_orders where look_again_at > ? limit ?) far`;
/** The bank is asked about an open order at least so often, whatever it wishes. */
export const LOOK_AGAIN_MOST_MS = DAY;

const writeStep = async (
  tx: Queries,
  order: PaymentOrder,
  from: OrderStatus | null,
  { to, reasonCode, at, by }: { to: OrderStatus; reasonCode: string | null; at: BankTime; by: string | null },
): Promise<void> => {
  await tx.run(STEP, [order.id, from, to, reasonCode, at, by, order.id]);
};

/** A new order is RCVD. The store refuses a second one of the same consent. */
export const insertOrder = async (
  tx: Queries,
  { id, consentId, caller, at }: { id: string; consentId: ConsentId; caller: Caller; at: BankTime },
): Promise<PaymentOrder> => {
  const { clientId, psuId } = caller;
  await tx.run(INSERT_ORDER, [id, consentId, clientId, psuId, at, at, at]);
  const order: PaymentOrder = {
    id,
    consentId,
    clientId,
    psuId,
    status: 'RCVD',
    reasonCode: null,
    reasonText: null,
    createdAt: at,
    changedAt: at,
    lookAgainAt: at,
  };
  await writeStep(tx, order, null, { to: 'RCVD', reasonCode: null, at, by: null });
  return order;
};

const eventOf = ({ id, consentId, clientId }: PaymentOrder, status: OrderStatus, at: BankTime): NewEvent => ({
  clientId,
  kind: 'payment',
  consentId,
  consentKind: 'PaymentInitiation',
  paymentId: id,
  status,
  at,
});

const endReasons: Readonly<Partial<Record<OrderStatus, StatusReason>>> = {
  RJCT: 'payment-rejected',
  CANC: 'payment-cancelled',
};

/** Once its order is over, the consent has done its work. */
const endConsent = async (
  tx: Queries,
  order: PaymentOrder,
  status: OrderStatus,
  at: BankTime,
): Promise<void> => {
  const { consentId: id, psuId } = order;
  const reason = endReasons[status] ?? 'completed';
  const isMoved = await moveConsent(tx, { id, psuId, from: 'Valid', to: 'Expired', by: 'bank', reason, at });
  if (!isMoved) throw new Error('the consent of an open payment order was ended by somebody else');
};

/** Applies the bank's answer, or a settlement by hand; undefined if a concurrent change came first. */
export const moveOrder = async (
  tx: Queries,
  order: PaymentOrder,
  progress: PaymentProgress,
  at: BankTime,
  by: string | null = null,
): Promise<PaymentOrder | undefined> => {
  const { status: to } = progress;
  const lookAgainAt =
    'lookAgainAt' in progress ? Math.min(progress.lookAgainAt, at + LOOK_AGAIN_MOST_MS) : null;
  const reason = ('reason' in progress ? progress.reason : null) ?? null;
  const [reasonCode, reasonText] = [reason?.code ?? null, reason?.text ?? null];
  if (to === order.status) {
    const found = await tx.run(LOOK_LATER, [lookAgainAt, reasonCode, reasonText, order.id, to]);
    if (found === 0) return undefined;
    return { ...order, reasonCode, reasonText, lookAgainAt };
  }
  if (!mayFollow(order.status, to))
    throw new Error(`a payment order never goes from ${order.status} to ${to}`);
  await lockEventPosition(tx, order.clientId);
  const { id, status: from } = order;
  const moved = await tx.run(MOVE, [to, reasonCode, reasonText, at, lookAgainAt, lookAgainAt, id, from]);
  if (moved === 0) return undefined;
  await writeStep(tx, order, from, { to, reasonCode, at, by });
  await writeEvent(tx, eventOf(order, to, at));
  if (isOver(to)) await endConsent(tx, order, to, at);
  return { ...order, status: to, reasonCode, reasonText, changedAt: at, lookAgainAt };
};

/** In the transaction that has written the order, so that it is not visible to others yet. */
export const moveNewOrder = async (
  tx: Queries,
  order: PaymentOrder,
  progress: PaymentProgress,
  at: BankTime,
): Promise<PaymentOrder> => {
  const moved = await moveOrder(tx, order, progress, at);
  if (!moved) throw new Error('a new payment order was changed by somebody else');
  return moved;
};

/** The order of the caller's consent, if it was submitted. */
export const findOrder = (
  db: Queries,
  consentId: ConsentId,
  caller: Caller,
): Promise<PaymentOrder | undefined> =>
  db.one<PaymentOrder>(FIND, [consentId, caller.clientId, caller.psuId]);

/** The same with who cancelled it. */
export const findWatchedOrder = (
  db: Queries,
  consentId: ConsentId,
  caller: Caller,
): Promise<WatchedOrder | undefined> =>
  db.one<WatchedOrder>(FIND_WATCHED, [consentId, caller.clientId, caller.psuId]);

/** Orders that the bank is to be asked about. */
export const dueOrders = (db: Queries, bankNow: BankTime, limit: number): Promise<PaymentOrder[]> => {
  const [past, far] = overAt(bankNow, LOOK_AGAIN_MOST_MS);
  return db.all<PaymentOrder>(DUE, [past, limit, far, limit]);
};

const OLDEST_DUE = 'select min(look_again_at) as "at" from payment_orders where look_again_at is not null';

/** When the order that waits longest was to be looked at; infinity if none waits. */
export const oldestDue = async (db: Queries): Promise<number> =>
  (await db.one<{ at: BankTime | null }>(OLDEST_DUE))?.at ?? Number.POSITIVE_INFINITY;

const REMOVE_HISTORY =
  'delete from payment_order_history where order_id in (select id from payment_orders where consent_id = ?)';

export const removeOrderOfConsent = async (tx: Queries, consentId: ConsentId): Promise<void> => {
  await tx.run(REMOVE_HISTORY, [consentId]);
  await tx.run('delete from payment_orders where consent_id = ?', [consentId]);
};

export const clearOrders = async (tx: Queries): Promise<void> => {
  await tx.run('delete from payment_order_history');
  await tx.run('delete from payment_orders');
};
