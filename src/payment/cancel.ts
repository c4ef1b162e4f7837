/**
 * Cancellation of a submitted payment. It competes with the sender and with settlement: one guarded update, or the bank's own word,
 * decides whether the payment is cancelled or carried out.
 */
import type { PaymentProgress, RejectReason } from '../bank/payments.js';
import type { BankTime } from '../lib/clock.js';
import type { Queries } from '../store/db.js';
import { isOver } from './lifecycle.js';
import type { OrderBooks } from './order-books.js';
import type { Canceller, OrderStatus, PaymentOrder } from './record.js';

const reasons: Readonly<Record<Canceller, RejectReason>> = {
  tpp: { code: 'CUST', text: 'Cancelled by the third party.' },
  psu: { code: 'CUST', text: 'Cancelled by the account holder.' },
};

/** With the bank's reason, if it has one of its own. */
export const cancelledBy = (by: Canceller, reason: RejectReason = reasons[by]): PaymentProgress => ({
  status: 'CANC',
  reason,
});

/** The payment goes on, or is over. */
export class NotCancelled extends Error {
  readonly order: PaymentOrder;
  /** As the bank says, if it says more than the order. */
  readonly status: OrderStatus;

  constructor(order: PaymentOrder, status = order.status) {
    super(`a payment order that is ${status} is not cancelled`);
    this.order = order;
    this.status = status;
  }
}

/** What the bank has answered, if it has called the payment back. */
export const cancelledOrThrow = (
  progress: PaymentProgress | undefined,
  order: PaymentOrder,
  by: Canceller,
): PaymentProgress => {
  if (progress?.status !== 'CANC') throw new NotCancelled(order, progress?.status);
  return cancelledBy(by, progress.reason ?? undefined);
};

class Overtaken extends Error {}

export interface Cancelling<T> {
  readonly books: OrderBooks;
  readonly bankTime: () => Promise<BankTime>;
  /** The order as it is now. */
  readonly find: () => Promise<PaymentOrder>;
  readonly by: Canceller;
  /** Runs the last step in a transaction, with what belongs to it. */
  readonly commit: (cancel: (tx: Queries) => Promise<void>) => Promise<T>;
}

/** Throws unless the order is cancelled in the end. If a concurrent change comes first, that one counts and is looked at anew. */
export const cancelPayment = async <T>(cancelling: Cancelling<T>): Promise<T> => {
  const { books, bankTime, find, by, commit } = cancelling;
  for (;;) {
    const order = await find();
    if (order.status === 'CANC') return commit(async () => undefined);
    if (isOver(order.status)) throw new NotCancelled(order);
    const move = await books.cancel(order, await bankTime(), by);
    try {
      return await commit(async (tx) => {
        if (!(await move(tx))) throw new Overtaken();
      });
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
};
