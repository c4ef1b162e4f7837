/**
 * Runs real code in every order. Each process works with a database that waits before every statement and transaction, and again
 * before its answer, until the schedule lets it go on; a process that dies there never goes on.
 */
import type { Db, Queries } from '../../src/store/db.js';

class Over extends Error {}

interface Waiting {
  readonly what: string;
  readonly go: () => void;
  readonly end: () => void;
}

/** A process of a run. */
export class Process {
  /** Whatever it threw. */
  fault: unknown;
  /** How often it went on. */
  steps = 0;
  #isOver = false;
  #isDone = false;
  readonly #waiting: Waiting[] = [];
  #woken: (() => void) | undefined;

  /** Returns once the schedule has chosen this process. */
  async gate(what: string): Promise<void> {
    if (this.#isOver) throw new Over();
    await new Promise<void>((go, refuse) => {
      this.#waiting.push({ what, go, end: () => refuse(new Over()) });
      this.#woken?.();
    });
  }

  start(work: () => Promise<void>): void {
    const done = (): void => {
      this.#isDone = true;
      this.#woken?.();
    };
    work().then(done, (error: unknown) => {
      if (!(error instanceof Over)) this.fault = error;
      done();
    });
  }

  /** What it waits for, once it waits; undefined once it has ended. */
  async rest(): Promise<string | undefined> {
    while (!this.#isDone && this.#waiting.length === 0)
      await new Promise<void>((resolve) => {
        this.#woken = resolve;
      });
    return this.#waiting[0]?.what;
  }

  goOn(): void {
    this.steps += 1;
    this.#waiting.shift()?.go();
  }

  /** Ends whatever still waits, after the run. */
  stop(): void {
    this.#isOver = true;
    for (const { end } of this.#waiting.splice(0)) end();
  }

  db(real: Db): Db {
    // The accounts of a consent are read right after its row: nothing that happens in between changes what is decided.
    const gate = (sql: string): Promise<void> =>
      /from consent_accounts/.test(sql) ? Promise.resolve() : this.gate(sql);
    const waiting = (queries: Queries): Queries => ({
      all: (sql, params) => gate(sql).then(() => queries.all(sql, params)),
      one: (sql, params) => gate(sql).then(() => queries.one(sql, params)),
      run: (sql, params) => gate(sql).then(() => queries.run(sql, params)),
    });
    return {
      ...real,
      ...waiting(real),
      batchedReads: waiting({ ...real.batchedReads, run: real.run }),
      transaction: (work) => this.gate('transaction').then(() => real.transaction(work)),
    };
  }
}

/** One run: at each point it is asked which of several ways to go. */
export type Choose = (ways: number) => number;

/** Every run there is: the last choice that has another way is changed next. Returns how many. */
export const allRuns = async (run: (choose: Choose) => Promise<void>): Promise<number> => {
  let plan: number[] = [];
  for (let runs = 1; ; runs += 1) {
    const ways: number[] = [];
    const taken: number[] = [];
    await run((count) => {
      const way = plan[taken.length] ?? 0;
      ways.push(count);
      taken.push(way);
      return way;
    });
    let last = taken.length - 1;
    while (last >= 0 && (taken[last] ?? 0) + 1 >= (ways[last] ?? 0)) last -= 1;
    if (last < 0) return runs;
    plan = [...taken.slice(0, last), (taken[last] ?? 0) + 1];
  }
};

/** The store of a product with other SQL texts: for defects that must be found. */
export const withOtherSql = (real: Db, from: string, to: string): Db => {
  const other = (sql: string): string => sql.replace(from, to);
  const patched = (queries: Queries): Queries => ({
    all: (sql, params) => queries.all(other(sql), params),
    one: (sql, params) => queries.one(other(sql), params),
    run: (sql, params) => queries.run(other(sql), params),
  });
  return {
    ...real,
    ...patched(real),
    batchedReads: patched({ ...real.batchedReads, run: real.run }),
    transaction: (work) => real.transaction((tx) => work(patched(tx))),
  };
};
