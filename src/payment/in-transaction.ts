/** Books in our own store: the booking is part of the submission; readers of an open order query its progress. */

import type { BooksInTransaction } from '../bank/payments.js';
import { lockEventPosition } from '../events/outbox.js';
import type { BankTime } from '../lib/clock.js';
import type { Db } from '../store/db.js';
import { cancelledOrThrow, NotCancelled } from './cancel.js';
import { isDue, type OrderBooks } from './order-books.js';
import { findOrder, moveNewOrder, moveOrder } from './orders.js';
import type { PaymentOrder } from './record.js';

export interface SettleParts {
  readonly db: Db;
  readonly books: BooksInTransaction;
}

/** The order as it is now. Readers and the job do the same; one of them wins. */
export const settleOrder = async (
  { db, books }: SettleParts,
  order: PaymentOrder,
  bankNow: BankTime,
): Promise<PaymentOrder> => {
  if (!isDue(order, bankNow)) return order;
  const moved = await db.transaction(async (tx) => {
    // Before the books lock accounts, as a submission does; else the two could wait for each other.
    await lockEventPosition(tx, order.clientId);
    return moveOrder(tx, order, await books.progress(tx, order.id, bankNow), bankNow);
  });
  return moved ?? (await findOrder(db, order.consentId, order)) ?? order;
};

export const inTransaction = (parts: SettleParts): OrderBooks => ({
  enter: async (tx, order, instruction) =>
    moveNewOrder(tx, order, await parts.books.book(tx, instruction), instruction.at),
  entered: () => undefined,
  read: (order, bankNow) => settleOrder(parts, order, bankNow),
  async cancel(order, bankNow, by) {
    const { books } = parts;
    if (!books.cancel) throw new NotCancelled(order);
    return async (tx) => {
      await lockEventPosition(tx, order.clientId);
      const progress = await books.cancel?.(tx, order.id, bankNow);
      return moveOrder(tx, order, cancelledOrThrow(progress, order, by), bankNow, by);
    };
  },
});
