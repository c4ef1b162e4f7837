/** Books elsewhere: the submission keeps what the bank is to be told, and the dispatcher tells it once that is committed. */
import { isDue, type OrderBooks } from '../order-books.js';
import type { Dispatcher } from './dispatcher.js';
import { keepInstruction } from './outbox.js';

export const elsewhere = (dispatcher: Pick<Dispatcher, 'wake'>): OrderBooks => ({
  async enter(tx, order, instruction) {
    await keepInstruction(tx, instruction);
    return order;
  },
  entered: () => dispatcher.wake(),
  async read(order, bankNow) {
    if (isDue(order, bankNow)) dispatcher.wake();
    return order;
  },
});
