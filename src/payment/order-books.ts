/**
 * How an order enters the bank's books, for submission and readers. Books in our own store are written in the transaction of the
 * order; a remote core gets the order after the commit.
 */

import type { PaymentInstruction } from '../bank/payments.js';
import type { BankTime } from '../lib/clock.js';
import type { Queries } from '../store/db.js';
import { isOver } from '../store/deadline.js';
import { LOOK_AGAIN_MOST_MS } from './orders.js';
import type { Canceller, PaymentOrder } from './record.js';

export interface OrderBooks {
  /** In the transaction of the submission: the order as it is answered. */
  enter(tx: Queries, order: PaymentOrder, instruction: PaymentInstruction): Promise<PaymentOrder>;
  /** After that transaction was committed. */
  entered(): void;
  /** The order for a reader. A remote core keeps no reader waiting. */
  read(order: PaymentOrder, bankNow: BankTime): Promise<PaymentOrder>;
  /**
   * Calls an open order back as far as that is done outside of a transaction: a remote core is asked. What it returns makes the order
   * CANC in a transaction; undefined if a concurrent change came first. Throws if it cannot be cancelled.
   */
  cancel(
    order: PaymentOrder,
    bankNow: BankTime,
    by: Canceller,
  ): Promise<(tx: Queries) => Promise<PaymentOrder | undefined>>;
}

export const isDue = ({ lookAgainAt }: PaymentOrder, bankNow: BankTime): boolean =>
  lookAgainAt !== null && isOver(lookAgainAt, bankNow, LOOK_AGAIN_MOST_MS);
