/**
 * Reads of PostgreSQL that many requests make at once: those that come together travel as one statement, which runs the
 * given one for each of their parameters. Most of a small read is the cost of sending and receiving it.
 */
import { eachTick } from '../lib/turn.js';
import type { Reads, Value } from './db.js';

/** Sends a statement whose parameters are lists, one value for each asker. */
export type SendLists = (
  sql: string,
  lists: readonly (readonly Value[])[],
) => Promise<Record<string, unknown>[]>;

interface Asker {
  readonly sql: string;
  readonly params: readonly Value[];
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Two at a time are on their way where many ask: the service goes on with the first while the database works on the second. */
const MAX_BATCH = 32;

/** The type of a parameter's list, seen from its values. What is null for everybody takes part in no comparison. */
const typeOf = (list: readonly Value[]): 'bigint' | 'text' =>
  list.some((value) => typeof value === 'number') ? 'bigint' : 'text';

/** `?` becomes the asker's own value. The number of the asker comes back with each row. */
const wrapped = (sql: string, types: readonly string[]): string => {
  let count = 0;
  const inner = sql.replace(/\?/g, () => {
    count += 1;
    return `asker.p${count}`;
  });
  const lists = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const names = types.map((_type, index) => `p${index + 1}`).join(', ');
  return `select asker.number as "asker#", answer.* from unnest(${lists}) with ordinality as asker (${names}, number)
    cross join lateral (${inner}) answer`;
};

export class Together implements Reads {
  readonly #send: SendLists;
  readonly #alone: Reads;
  readonly #join = eachTick<Asker>((askers) => this.#askEach(askers));
  readonly #texts = new Map<string, string>();

  constructor(send: SendLists, alone: Reads) {
    this.#send = send;
    this.#alone = alone;
  }

  all<T>(sql: string, params: readonly Value[] = []): Promise<T[]> {
    return new Promise((resolve, reject) =>
      this.#join({ sql, params, resolve: resolve as Asker['resolve'], reject }),
    );
  }

  async one<T>(sql: string, params: readonly Value[] = []): Promise<T | undefined> {
    const [row] = await this.all<T>(sql, params);
    return row;
  }

  #askEach(all: readonly Asker[]): void {
    const bySql = new Map<string, Asker[]>();
    for (const asker of all) {
      const askers = bySql.get(asker.sql);
      if (askers) askers.push(asker);
      else bySql.set(asker.sql, [asker]);
    }
    for (const [sql, askers] of bySql)
      for (let from = 0; from < askers.length; from += MAX_BATCH)
        this.#ask(sql, askers.slice(from, from + MAX_BATCH));
  }

  #ask(sql: string, askers: readonly Asker[]): void {
    const [first] = askers;
    // A statement without parameters has the same answer for everybody.
    if (askers.length === 1 || first?.params.length === 0) {
      const fail = (error: unknown): void => {
        for (const { reject } of askers) reject(error);
      };
      this.#alone.all(sql, first?.params).then((rows) => {
        for (const { resolve } of askers) resolve(rows);
      }, fail);
      return;
    }
    void this.#askAll(sql, askers);
  }

  async #askAll(sql: string, askers: readonly Asker[]): Promise<void> {
    const lists = (askers[0]?.params ?? []).map((_each, index) =>
      askers.map(({ params }) => params[index] ?? null),
    );
    try {
      const rows = await this.#send(this.#text(sql, lists), lists);
      const answers: unknown[][] = askers.map(() => []);
      // The number stays in the row, where nobody looks for it: taking it out would cost more than the rest.
      for (const row of rows) answers[Number(row['asker#']) - 1]?.push(row);
      // What the driver has answered with lives on with its query until the whole heap is looked through; the rows need not.
      rows.length = 0;
      for (const [index, { resolve }] of askers.entries()) resolve(answers[index] ?? []);
    } catch (error) {
      for (const { reject } of askers) reject(error);
    }
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
