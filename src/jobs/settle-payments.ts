/** Asks the bank about orders that are not final when it is time, so that their end needs no reader. */
import type { BooksInTransaction } from '../bank/payments.js';
import { type BankTime, SECOND } from '../lib/clock.js';
import { settleOrder } from '../payment/in-transaction.js';
import { dueOrders, oldestDue } from '../payment/orders.js';
import type { Db } from '../store/db.js';
import type { Job } from './jobs.js';
import { sumOfEach } from './slices.js';

const BATCH = 500;

export const settlePayments = (
  db: Db,
  books: BooksInTransaction,
  bankTime: () => Promise<BankTime>,
): Job => ({
  name: 'settle payments',
  endsNothing: true,
  everyMs: 2 * SECOND,
  async step() {
    const now = await bankTime();
    return sumOfEach(await dueOrders(db, now, BATCH), async (order) => {
      await settleOrder({ db, books }, order, now);
      return 1;
    });
  },
  async overdueMs() {
    return Math.max(0, (await bankTime()) - (await oldestDue(db)));
  },
});
