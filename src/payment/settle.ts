/** Asks the bank what has become of an open order, and writes it down. Readers and the job do the same; one of them wins. */
import type { BooksInTransaction } from '../bank/payments.js';
import type { Db } from '../store/db.js';
import { findOrder, moveOrder } from './orders.js';
import type { PaymentOrder } from './record.js';

export interface SettleParts {
  readonly db: Db;
  readonly books: BooksInTransaction;
}

export const isDue = ({ lookAgainAt }: PaymentOrder, bankNow: number): boolean =>
  lookAgainAt !== null && lookAgainAt <= bankNow;

/** The order as it is now. */
export const settleOrder = async (
  { db, books }: SettleParts,
  order: PaymentOrder,
  bankNow: number,
): Promise<PaymentOrder> => {
  if (!isDue(order, bankNow)) return order;
  const moved = await db.transaction(async (tx) =>
    moveOrder(tx, order, await books.progress(tx, order.id, bankNow), bankNow),
  );
  return moved ?? (await findOrder(db, order.consentId, order)) ?? order;
};
