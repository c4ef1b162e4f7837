/** The order books of a remote core: the submission stores the instruction, and the dispatcher sends it after the commit. */
import { isDue, type OrderBooks } from '../order-books.js';
import type { Dispatcher } from './dispatcher.js';
import { storeInstruction } from './outbox.js';

export const remoteOrderBooks = (dispatcher: Pick<Dispatcher, 'wake'>): OrderBooks => ({
  async enter(tx, order, instruction) {
    await storeInstruction(tx, instruction);
    return order;
  },
  entered: () => dispatcher.wake(),
  async read(order, bankNow) {
    if (isDue(order, bankNow)) dispatcher.wake();
    return order;
  },
});
