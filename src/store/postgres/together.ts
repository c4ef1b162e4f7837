/**
 * Reads of PostgreSQL that many requests make at once: those that come together travel as one statement, which runs the
 * given one for each of their parameters. Most of a small read is the cost of sending and receiving it.
 */
import { eachTick, InTurn } from '../../lib/turn.js';
import type { Reads, StoreWatch, Value } from '../db.js';

/** Sends a statement: with its own parameters, or with lists that have one value for each asker. */
export type SendRead = (
  sql: string,
  params: readonly (Value | readonly Value[])[],
) => Promise<Record<string, unknown>[]>;

interface Asker {
  readonly lane: Lane;
  readonly params: readonly Value[];
  readonly resolve: (rows: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH = 32;

/** Those who ask the same statement. Who asks while one is on its way joins the next. */
interface Lane {
  readonly sql: string;
  readonly waiting: Asker[];
  readonly turns: InTurn;
}

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
  readonly #send: SendRead;
  readonly #watch: Pick<StoreWatch, 'batch'> | undefined;
  readonly #join = eachTick<Asker>((askers) => this.#askEach(askers));
  readonly #lanes = new Map<string, Lane>();
  readonly #texts = new Map<string, string>();

  constructor(send: SendRead, watch?: Pick<StoreWatch, 'batch'>) {
    this.#send = send;
    this.#watch = watch;
  }

  all<T>(sql: string, params: readonly Value[] = []): Promise<T[]> {
    const lane = this.#lane(sql);
    return new Promise((resolve, reject) =>
      this.#join({ lane, params, resolve: resolve as Asker['resolve'], reject }),
    );
  }

  async one<T>(sql: string, params: readonly Value[] = []): Promise<T | undefined> {
    const [row] = await this.all<T>(sql, params);
    return row;
  }

  #lane(sql: string): Lane {
    const known = this.#lanes.get(sql);
    if (known) return known;
    const made: Lane = { sql, waiting: [], turns: new InTurn(() => this.#askNext(made)) };
    this.#lanes.set(sql, made);
    return made;
  }

  #askEach(all: readonly Asker[]): void {
    for (const asker of all) asker.lane.waiting.push(asker);
    for (const lane of this.#lanes.values()) lane.turns.goOn();
  }

  #askNext(lane: Lane): Promise<void> | undefined {
    return lane.waiting.length === 0 ? undefined : this.#ask(lane.sql, lane.waiting.splice(0, MAX_BATCH));
  }

  async #ask(sql: string, askers: readonly Asker[]): Promise<void> {
    try {
      const answers = await this.#answers(sql, askers);
      for (const [index, { resolve }] of askers.entries()) resolve(answers[index] ?? []);
    } catch (error) {
      for (const { reject } of askers) reject(error);
    }
  }

  async #answers(sql: string, askers: readonly Asker[]): Promise<unknown[][]> {
    this.#watch?.batch(askers.length);
    const params = askers[0]?.params ?? [];
    // A statement without parameters has the same answer for everybody.
    if (askers.length === 1 || params.length === 0) {
      const rows = await this.#send(sql, params);
      return askers.map(() => rows);
    }
    const lists = params.map((_each, index) => askers.map((asker) => asker.params[index] ?? null));
    const rows = await this.#send(this.#text(sql, lists), lists);
    const answers: unknown[][] = askers.map(() => []);
    // The number stays in the row, where nobody looks for it: taking it out would cost more than the rest.
    for (const row of rows) answers[Number(row['asker#']) - 1]?.push(row);
    // What the driver has answered with lives on with its query until the whole heap is looked through; the rows need not.
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
