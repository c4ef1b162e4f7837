/**
 * Batches concurrent reads of PostgreSQL: equal statements of one event loop turn are sent as one, which runs the statement for
 * each set of parameters. Most of the cost of a small read is the round trip.
 */
import { eachTick, InTurn } from '../../lib/turn.js';
import type { Reads, StoreWatch, Value } from '../db.js';

/** Sends a statement with its own parameters, or with lists that hold one value for each pending read. */
export type SendRead = (
  sql: string,
  params: readonly (Value | readonly Value[])[],
) => Promise<Record<string, unknown>[]>;

interface PendingRead {
  readonly queue: ReadQueue;
  readonly params: readonly Value[];
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 32;

/** Pending reads of one statement. Reads that arrive while a batch is in flight join the next batch. */
interface ReadQueue {
  readonly sql: string;
  readonly waiting: PendingRead[];
  readonly turns: InTurn;
}

/** The type of a list of parameters, taken from its values. The type of a list of nulls does not matter. */
const typeOf = (list: readonly Value[]): 'bigint' | 'text' =>
  list.some((value) => typeof value === 'number') ? 'bigint' : 'text';

/** Replaces each `?` by the value of the pending read; every row returns the number of its read. */
const wrapped = (sql: string, types: readonly string[]): string => {
  let count = 0;
  const inner = sql.replace(/\?/g, () => {
    count += 1;
    return `pending.p${count}`;
  });
  const lists = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const names = types.map((_type, index) => `p${index + 1}`).join(', ');
  return `select pending.number as "read#", answer.* from unnest(${lists}) with ordinality as pending (${names}, number)
    cross join lateral (${inner}) answer`;
};

export class ReadBatcher implements Reads {
  readonly #send: SendRead;
  readonly #watch: Pick<StoreWatch, 'batch'> | undefined;
  readonly #join = eachTick<PendingRead>((reads) => this.#enqueue(reads));
  readonly #queues = new Map<string, ReadQueue>();
  readonly #texts = new Map<string, string>();

  constructor(send: SendRead, watch?: Pick<StoreWatch, 'batch'>) {
    this.#send = send;
    this.#watch = watch;
  }

  all<T>(sql: string, params: readonly Value[] = []): Promise<T[]> {
    const queue = this.#queue(sql);
    return new Promise((resolve, reject) =>
      this.#join({ queue, params, resolve: resolve as PendingRead['resolve'], reject }),
    );
  }

  async one<T>(sql: string, params: readonly Value[] = []): Promise<T | undefined> {
    const [row] = await this.all<T>(sql, params);
    return row;
  }

  #queue(sql: string): ReadQueue {
    const known = this.#queues.get(sql);
    if (known) return known;
    const made: ReadQueue = { sql, waiting: [], turns: new InTurn(() => this.#sendNext(made)) };
    this.#queues.set(sql, made);
    return made;
  }

  #enqueue(all: readonly PendingRead[]): void {
    for (const read of all) read.queue.waiting.push(read);
    for (const queue of this.#queues.values()) queue.turns.goOn();
  }

  #sendNext(queue: ReadQueue): Promise<void> | undefined {
    return queue.waiting.length === 0
      ? undefined
      : this.#sendBatch(queue.sql, queue.waiting.splice(0, MAX_BATCH));
  }

  async #sendBatch(sql: string, reads: readonly PendingRead[]): Promise<void> {
    try {
      const answers = await this.#rowsOf(sql, reads);
      for (const [index, { resolve }] of reads.entries()) resolve(answers[index] ?? []);
    } catch (error) {
      for (const { reject } of reads) reject(error);
    }
  }

  async #rowsOf(sql: string, reads: readonly PendingRead[]): Promise<unknown[][]> {
    this.#watch?.batch(reads.length);
    const params = reads[0]?.params ?? [];
    // A statement without parameters has the same result for every read.
    if (reads.length === 1 || params.length === 0) {
      const rows = await this.#send(sql, params);
      return reads.map(() => rows);
    }
    const lists = params.map((_each, index) => reads.map((read) => read.params[index] ?? null));
    const rows = await this.#send(this.#text(sql, lists), lists);
    const answers: unknown[][] = reads.map(() => []);
    // The number stays in the row: removing it would cost more than the rest.
    for (const row of rows) answers[Number(row['read#']) - 1]?.push(row);
    // The driver keeps its result until a full garbage collection; the rows need not live that long.
    rows.length = 0;
    return answers;
  }

  #text(sql: string, lists: readonly (readonly Value[])[]): string {
    const types = lists.map(typeOf);
    const key = `${types.join()} ${sql}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const made = wrapped(sql, types);
    this.#texts.set(key, made);
    return made;
  }
}
