/** What operators do about a store that has forgotten something. */
import { skipPositions } from '../events/outbox.js';
import type { Vault } from '../lib/vault.js';
import { acceptStore, type Loss } from '../store/continuity/pulse.js';
import type { SealedKind } from '../store/sealed-rows.js';
import { type ActParts, Acts } from './act-methods.js';
import { type Reconciled, type ReconcileParts, reconcile } from './reconcile.js';
import { noteReseal, resealStore } from './secret.js';

export class StoreActs extends Acts {
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

  /** Seals everything under the first version of the secret. How many rows of each kind. */
  async resealStore(vault: Vault, kinds: readonly SealedKind[]): Promise<Readonly<Record<string, number>>> {
    const { db, clock } = this.#parts;
    const resealed = await resealStore({ db, vault, kinds, now: clock.now() });
    await this.change(['secret.reseal', { version: vault.fingerprints[0], resealed }], 'secret', (tx, now) =>
      noteReseal(tx, vault, now),
    );
    return resealed;
  }

  /** Takes up again what the core knows; each payment and each end is an act of its own. */
  async reconcile(bank: ReconcileParts['bank']): Promise<Reconciled> {
    const { db, bankTime } = this.#parts;
    const write: ReconcileParts['write'] = (act, subject, work) =>
      this.make(act, work, (isDone) => (isDone ? subject : undefined));
    return reconcile({ db, bank, bankTime, write });
  }
}
