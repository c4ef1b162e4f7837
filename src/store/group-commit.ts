/**
 * Durable records of concurrent requests, committed together: one flush to disk serves all that arrived in the same turn
 * or while the last commit was under way. Each caller waits for the commit its own record is part of.
 */
import type { Db, Queries } from './db.js';
import { StoreUnavailable } from './db.js';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 200;

export class GroupCommit<Item, Result> {
  readonly #db: Db;
  readonly #write: (tx: Queries, item: Item) => Promise<Result>;
  readonly #writeAll: ((items: readonly Item[]) => Promise<readonly Result[]>) | undefined;
  readonly #keyOf: (item: Item) => string;
  #waiting: Waiting<Item, Result>[] = [];
  #isRunning = false;

  /** `writeAll` writes a batch as a single statement, all or nothing, where the engine gains from that; no key may be in it twice. */
  constructor(
    db: Db,
    write: (tx: Queries, item: Item) => Promise<Result>,
    writeAll?: (items: readonly Item[]) => Promise<readonly Result[]>,
    keyOf: (item: Item) => string = () => '',
  ) {
    this.#db = db;
    this.#write = write;
    this.#writeAll = writeAll;
    this.#keyOf = keyOf;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // After the requests that are readable now have been read: they join this commit.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, MAX_BATCH);
      try {
        await this.#commit(batch);
      } catch (error) {
        if (batch.length === 1 || error instanceof StoreUnavailable)
          for (const each of batch) each.reject(error);
        else await this.#commitEach(batch);
      }
    }
    this.#isRunning = false;
  }

  async #commit(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const results = await this.#writeBatch(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  }

  async #writeBatch(items: readonly Item[]): Promise<readonly Result[]> {
    const isOneStatement = this.#writeAll && new Set(items.map(this.#keyOf)).size === items.length;
    if (isOneStatement) return this.#writeAll(items);
    return this.#db.transaction(async (tx) => {
      const writes = items.map((item) => this.#write(tx, item));
      // All of them have ended before a failure is told: a straggler would write outside the rolled-back transaction.
      await Promise.allSettled(writes);
      return Promise.all(writes);
    });
  }

  /** One bad record must not take the others down with it. */
  async #commitEach(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    for (const each of batch) await this.#commit([each]).catch(each.reject);
  }
}
