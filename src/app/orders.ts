/** How this service carries out payments: in the books of its own store, or at a remote core; undefined if it does not. */
import { INSTANT_MS } from '../bank/payments.js';
import type { Job } from '../jobs/jobs.js';
import { settlePayments } from '../jobs/settle-payments.js';
import { SECOND } from '../lib/clock.js';
import { inTransaction } from '../payment/in-transaction.js';
import type { OrderBooks } from '../payment/order-books.js';
import { Dispatcher } from '../payment/remote/dispatcher.js';
import { createPaymentGauges } from '../payment/remote/metrics.js';
import { remoteOrderBooks } from '../payment/remote/remote-books.js';
import type { Foundation } from './foundation.js';
import type { Closers } from './options.js';

export interface Orders {
  readonly books: OrderBooks;
  readonly jobs: readonly Job[];
  /** Does what is due now. */
  drain(): Promise<void>;
}

export const openOrders = (base: Foundation, closers: Closers): Orders | undefined => {
  const { db, bank, bankTime, storeClock, log, metrics, config } = base;
  const { payments } = bank;
  if (!payments) return undefined;
  if (payments.kind === 'in-transaction')
    return {
      books: inTransaction({ db, books: payments }),
      jobs: [settlePayments(db, payments, bankTime)],
      drain: async () => undefined,
    };
  const dispatcher = new Dispatcher({
    db,
    books: payments,
    clock: storeClock,
    bankTime,
    log,
    patienceMs: Math.max(config.deadlineMs, INSTANT_MS) + 5 * SECOND,
    unresolvedAfterMs: config.paymentUnresolvedMs,
  });
  closers.add(dispatcher, (each) => each.close());
  createPaymentGauges(metrics.registry, db, bankTime);
  return {
    // The rest of the deadline is for the cancellation itself.
    books: remoteOrderBooks({ db, books: payments, dispatcher, patienceMs: config.deadlineMs / 2 }),
    jobs: [],
    drain: () => dispatcher.drain(),
  };
};
