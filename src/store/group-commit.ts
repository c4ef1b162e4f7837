/**
 * Durable records of concurrent requests, committed together: one flush to disk serves all that come together or while the
 * last commit is under way. Each caller waits for the commit its own record is part of.
 */
import { InTurn } from '../lib/turn.js';
import { type Db, StoreUnavailable, type StoreWatch, type Write } from './db.js';

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes records, all or nothing. */
export type WriteAll<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

/** As one transaction. The result of a record comes from how many rows each of its writes changed. */
export const inTransaction =
  <Item, Result>(
    db: Pick<Db, 'writeBatch'>,
    writesOf: (item: Item) => readonly Write[],
    resultOf: (changes: readonly number[]) => Result,
  ): WriteAll<Item, Result> =>
  async (items) => {
    const writes = items.map(writesOf);
    const changes = await db.writeBatch(writes.flat());
    let at = 0;
    return writes.map(({ length }) => {
      at += length;
      return resultOf(changes.slice(at - length, at));
    });
  };

const MAX_BATCH = 200;

export interface GroupOptions<Item> {
  /** No key is in a batch twice. */
  readonly keyOf?: (item: Item) => string;
  readonly watch?: Pick<StoreWatch, 'commit'> | undefined;
}

export class GroupCommit<Item, Result> {
  readonly #writeAll: WriteAll<Item, Result>;
  readonly #options: GroupOptions<Item>;
  readonly #turns = new InTurn(() => this.#commitNext());
  #waiting: Waiting<Item, Result>[] = [];

  constructor(writeAll: WriteAll<Item, Result>, options: GroupOptions<Item> = {}) {
    this.#writeAll = writeAll;
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ item, resolve, reject }) === 1) process.nextTick(() => this.#turns.goOn());
    });
  }

  #commitNext(): Promise<void> | undefined {
    if (this.#waiting.length === 0) return undefined;
    const batch = this.#waiting.splice(0, this.#batchSize());
    return this.#commit(batch).catch((error: unknown) => this.#fail(batch, error));
  }

  async #fail(batch: readonly Waiting<Item, Result>[], error: unknown): Promise<void> {
    if (batch.length === 1 || error instanceof StoreUnavailable) for (const each of batch) each.reject(error);
    else await this.#commitEach(batch);
  }

  #batchSize(): number {
    const { keyOf } = this.#options;
    if (!keyOf) return MAX_BATCH;
    const keys = new Set<string>();
    const isAgain = ({ item }: Waiting<Item, Result>): boolean => keys.size === keys.add(keyOf(item)).size;
    const again = this.#waiting.slice(0, MAX_BATCH).findIndex(isAgain);
    return again < 0 ? MAX_BATCH : again;
  }

  async #commit(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    this.#options.watch?.commit(batch.length);
    const results = await this.#writeAll(batch.map(({ item }) => item));
    for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
  }

  /** One bad record must not take the others down with it. */
  async #commitEach(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    for (const each of batch) await this.#commit([each]).catch(each.reject);
  }
}
