/** The order books of a remote core: the submission stores the instruction, and the dispatcher sends it after the commit. */

import type { RemoteBooks } from '../../bank/payments.js';
import { lockEventPosition } from '../../events/outbox.js';
import { SECOND } from '../../lib/clock.js';
import type { Db } from '../../store/db.js';
import { cancelledBy, cancelledOrThrow, NotCancelled } from '../cancel.js';
import { isDue, type OrderBooks } from '../order-books.js';
import { moveOrder } from '../orders.js';
import type { Dispatcher } from './dispatcher.js';
import { askOrderNow, isUnsent, storeInstruction, takeUnsent } from './outbox.js';

/** After a cancellation whose answer is lost: the core has ended it by then, and its status tells. */
const LOOK_AGAIN_MS = 10 * SECOND;

export interface RemoteParts {
  readonly db: Db;
  readonly books: RemoteBooks;
  readonly dispatcher: Pick<Dispatcher, 'wake'>;
}

export const remoteOrderBooks = ({ db, books, dispatcher }: RemoteParts): OrderBooks => ({
  async enter(tx, order, instruction) {
    await storeInstruction(tx, instruction);
    return order;
  },
  entered: () => dispatcher.wake(),
  async read(order, bankNow) {
    if (isDue(order, bankNow)) dispatcher.wake();
    return order;
  },
  async cancel(order, bankNow, by) {
    if (await isUnsent(db, order.id))
      return async (tx) => {
        await lockEventPosition(tx, order.clientId);
        return (await takeUnsent(tx, order.id))
          ? moveOrder(tx, order, cancelledBy(by), bankNow, by)
          : undefined;
      };
    if (!books.cancel) throw new NotCancelled(order);
    await askOrderNow(db, order.id, bankNow + LOOK_AGAIN_MS);
    const progress = cancelledOrThrow(await books.cancel(order.id), order, by);
    return (tx) => moveOrder(tx, order, progress, bankNow, by);
  },
});
