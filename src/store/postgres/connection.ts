/**
 * One connection to PostgreSQL. A query on it ends with an answer, with an error of the server, or with the connection: callers
 * never depend on the driver alone to be notified.
 */
import { Socket } from 'node:net';
import pg from 'pg';
import { monotonicMs } from '../../lib/clock.js';
import { StoreUnavailable, type StoreWatch } from '../db.js';

/** The server has not answered in time. It may be gone, and with it every connection without an answer since `since`. */
export class NoAnswer extends Error {
  readonly since: number;

  constructor(since: number) {
    super('no answer of PostgreSQL in time');
    this.name = 'NoAnswer';
    this.since = since;
  }
}

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Statements with a name are parsed once per connection. */
  readonly name?: string | undefined;
  /** It may have an effect. */
  readonly isWrite?: boolean;
}

export interface Answer {
  readonly rows: unknown[];
  /** Rows that a write has changed. */
  readonly changes: number;
  /** The first word of what was done; `ROLLBACK` answers the commit of a transaction that has failed. */
  readonly command: string;
}

const noAnswer = (since: number): Error => new NoAnswer(since);
/** Says nothing about connections that were made before. */
const noConnection = (): Error => new Error('no connection to PostgreSQL in time');

type Reject = (cause: Error) => void;

const isFatal = (error: Error): boolean =>
  error instanceof pg.DatabaseError && /^(FATAL|PANIC)$/.test(error.severity ?? '');

/** Seconds, not the two hours of the operating system. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5000 };

export class Connection {
  readonly #socket = new Socket();
  readonly #client: pg.Client;
  /** No set: one that empties and fills again is made anew each time, where only long collections of the heap look. */
  readonly #pending: Reject[] = [];
  readonly #onEnd: (cause: Error) => void;
  readonly #watch: StoreWatch | undefined;
  #end: Error | undefined;
  /** When the server last answered, by `monotonicMs`. */
  heardAt = monotonicMs();

  constructor(config: pg.ClientConfig, onEnd: (cause: Error) => void, watch?: StoreWatch) {
    this.#onEnd = onEnd;
    this.#watch = watch;
    this.#client = new pg.Client({ ...config, ...KEEP_ALIVE, pipeline: true, stream: () => this.#socket });
    this.#client.on('error', (error) => this.destroy(error));
    this.#client.on('end', () => this.destroy(new Error('PostgreSQL has closed the connection')));
  }

  get isOver(): boolean {
    return this.#end !== undefined;
  }

  open(limitMs: number): Promise<void> {
    return this.#limited(limitMs, noConnection, (settle) =>
      this.#client.connect((error: Error | null) => settle(error ?? undefined)),
    );
  }

  send({ text, name, values }: Statement, limitMs?: number): Promise<Answer> {
    return this.#limited(limitMs, noAnswer, (settle) =>
      this.#client.query({ text, name, values } as pg.QueryConfig, (error, result) => {
        if (error) settle(error);
        // An answer that ends without the word of what was done has not come from the server.
        else if (!result.command) settle(new Error('an answer of PostgreSQL without its end'));
        else settle(undefined, { rows: result.rows, changes: result.rowCount ?? 0, command: result.command });
      }),
    );
  }

  /** Several statements in one text, without parameters: migrations, and the settings of a new session. */
  script(text: string, limitMs?: number): Promise<void> {
    return this.#limited(limitMs, noConnection, (settle) =>
      this.#client.query(text, (error: Error | null) => settle(error ?? undefined)),
    );
  }

  /** What is sent until the end of the turn leaves in one piece. */
  cork(): void {
    this.#socket.cork();
    process.nextTick(() => this.#socket.uncork());
  }

  /** Rejects when the connection ends, for callers that wait for something else meanwhile. */
  ended(): { readonly promise: Promise<never>; readonly forget: () => void } {
    let reject: Reject = () => undefined;
    const promise = new Promise<never>((_, fail) => {
      reject = (cause) => fail(new StoreUnavailable(cause));
    });
    promise.catch(() => undefined);
    if (this.#end) reject(this.#end);
    else this.#pending.push(reject);
    return { promise, forget: () => this.#forget(reject) };
  }

  /** Says goodbye, but does not wait for longer than this. */
  async close(limitMs: number): Promise<void> {
    const timer = setTimeout(() => this.destroy(new Error('the connection was closed')), limitMs);
    await this.#client.end().catch(() => undefined);
    clearTimeout(timer);
  }

  /** Tells everybody who waits. The server is not asked. */
  destroy(cause: Error): void {
    if (this.#end) return;
    this.#end = cause;
    this.#socket.destroy();
    for (const reject of this.#pending.splice(0)) reject(cause);
    this.#onEnd(cause);
  }

  /** False if it has been called. */
  #forget(reject: Reject): boolean {
    const at = this.#pending.indexOf(reject);
    if (at >= 0) this.#pending.splice(at, 1);
    return at >= 0;
  }

  #limited<T>(
    limitMs: number | undefined,
    late: (startedAt: number) => Error,
    start: (settle: (error: Error | undefined, result?: T) => void) => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#end) {
        reject(this.#end);
        return;
      }
      const startedAt = monotonicMs();
      // In four parts: if this process stood still meanwhile, what has arrived is read before the limit is judged.
      let parts = 4;
      const timer =
        limitMs === undefined
          ? undefined
          : setTimeout(() => {
              parts -= 1;
              if (parts > 0) timer?.refresh();
              else this.destroy(late(startedAt));
            }, limitMs / parts);
      const fail: Reject = (cause) => {
        clearTimeout(timer);
        reject(cause);
      };
      this.#pending.push(fail);
      start((error, result) => {
        if (!this.#forget(fail)) return;
        clearTimeout(timer);
        if (error) {
          reject(error);
          if (!(error instanceof pg.DatabaseError) || isFatal(error)) this.destroy(error);
          else this.heardAt = monotonicMs();
          return;
        }
        this.heardAt = monotonicMs();
        this.#watch?.statement(this.heardAt - startedAt);
        resolve(result as T);
      });
    });
  }
}
