/** Tells the deliverer of this process that a transaction with events was committed, so that it need not wait for its next look. */
import type { Db, Queries } from '../store/db.js';
import { wroteEvent } from './outbox.js';

export class Announcer {
  readonly #listeners = new Set<() => void>();

  listen(listener: () => void): void {
    this.#listeners.add(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The same store; its transactions are announced when they have written an event. */
export const announcing = (db: Db, announcer: Announcer): Db => ({
  ...db,
  async transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T> {
    let last: Queries | undefined;
    const result = await db.transaction((tx) => {
      last = tx;
      return work(tx);
    });
    if (last && wroteEvent(last)) announcer.notify();
    return result;
  },
});
