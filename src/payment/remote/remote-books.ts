/** The order books of a remote core: the submission stores the instruction, and the dispatcher sends it after the commit. */

import { setTimeout as pause } from 'node:timers/promises';
import type { RemoteBooks } from '../../bank/payments.js';
import { lockEventPosition } from '../../events/outbox.js';
import { type BankTime, monotonicMs, SECOND } from '../../lib/clock.js';
import { Problem } from '../../problem/problem.js';
import type { Db } from '../../store/db.js';
import { cancelledBy, cancelledOrThrow, NotCancelled } from '../cancel.js';
import { isDue, type OrderBooks } from '../order-books.js';
import { moveOrder } from '../orders.js';
import type { PaymentOrder } from '../record.js';
import type { Dispatcher } from './dispatcher.js';
import { askOrderNow, isUnanswered, isUnsent, storeInstruction, takeUnsent } from './outbox.js';

/** After a cancellation whose answer is lost: the core has ended it by then, and its status tells. */
const LOOK_AGAIN_MS = 10 * SECOND;

export interface RemoteParts {
  readonly db: Db;
  readonly books: RemoteBooks;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
  /** How long a cancellation waits for the answer to the payment itself. */
  readonly patienceMs: number;
}

/** Between two looks for an answer that another node may get. */
const PAUSE_MS = 50;

/** Before it has answered, the core may not have the payment yet, and would say so of one that it then carries out. */
const waitForAnswer = async (
  { db, dispatcher, patienceMs }: RemoteParts,
  { id }: PaymentOrder,
  bankNow: BankTime,
): Promise<void> => {
  const until = monotonicMs() + patienceMs;
  await askOrderNow(db, id, bankNow);
  dispatcher.wake();
  while (await isUnanswered(db, id, bankNow)) {
    if (monotonicMs() >= until) throw unknownOutcome();
    await pause(PAUSE_MS);
  }
};

const unknownOutcome = (): Problem =>
  new Problem('outcome-unknown', {
    detail: 'The core of the bank has not said yet what it does with this payment.',
  });

export const remoteOrderBooks = (parts: RemoteParts): OrderBooks => ({
  async enter(tx, order, instruction) {
    await storeInstruction(tx, instruction);
    return order;
  },
  entered: () => parts.dispatcher.wake(),
  async read(order, bankNow) {
    if (isDue(order, bankNow)) parts.dispatcher.wake();
    return order;
  },
  async cancel(order, bankNow, by) {
    const { db, books } = parts;
    if (await isUnsent(db, order.id))
      return async (tx) => {
        await lockEventPosition(tx, order.clientId);
        return (await takeUnsent(tx, order.id))
          ? moveOrder(tx, order, cancelledBy(by), bankNow, by)
          : undefined;
      };
    if (!books.cancel) throw new NotCancelled(order);
    if (await isUnanswered(db, order.id, bankNow)) {
      await waitForAnswer(parts, order, bankNow);
      // The order has changed meanwhile.
      return async () => undefined;
    }
    await askOrderNow(db, order.id, bankNow + LOOK_AGAIN_MS);
    const reply = await books.cancel(order.id);
    if (reply === undefined) throw unknownOutcome();
    const progress = cancelledOrThrow(reply === 'not-offered' ? undefined : reply, order, by);
    return (tx) => moveOrder(tx, order, progress, bankNow, by);
  },
});
