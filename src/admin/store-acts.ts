/** What operators do about a store that has forgotten something. */
import { skipPositions } from '../events/outbox.js';
import { acceptStore, type Loss } from '../store/continuity/pulse.js';
import { AccessActs } from './access-acts.js';
import type { ActParts } from './acts.js';
import { type Reconciled, type ReconcileParts, reconcile } from './reconcile.js';

export class StoreActs extends AccessActs {
  readonly #parts: ActParts;

  constructor(parts: ActParts) {
    super(parts);
    this.#parts = parts;
  }

  /** Goes on with it as it is. What was recorded of the loss. */
  acceptStore(): Promise<Loss | undefined> {
    return this.change('store.accept', 'store', async (tx, now) => {
      await skipPositions(tx);
      return acceptStore(tx, now);
    });
  }

  /** Takes up again what the core knows; each payment and each end is an act of its own. */
  async reconcile(bank: ReconcileParts['bank']): Promise<Reconciled> {
    const { db, bankTime } = this.#parts;
    const write: ReconcileParts['write'] = (act, subject, work) =>
      this.make(act, work, (isDone) => (isDone ? subject : undefined));
    return reconcile({ db, bank, bankTime, write });
  }
}
