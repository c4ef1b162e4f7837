/**
 * The connections of one process. A caller waits for a limited time; a connection that cannot be trusted is dropped and replaced
 * on demand, so a server that is back is used again at once.
 */
import { MINUTE, monotonicMs, SECOND } from '../../lib/clock.js';
import { StoreUnavailable } from '../db.js';
import { type Connection, NoAnswer } from './connection.js';

export interface PoolOptions {
  readonly size: number;
  readonly connectMs: number;
  readonly create: (onEnd: (cause: Error) => void) => Connection;
  /** Called for a connection that failed, was lost or given up. */
  readonly onError: () => void;
  /** Makes a new connection ready. Throws `StoreUnavailable` if what it leads to must not be used: every caller who waits then is refused. */
  readonly prepare: (connection: Connection) => Promise<void>;
}

interface Waiter {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (cause: Error) => void;
}

const IDLE_MS = 5 * MINUTE;
const GOODBYE_MS = SECOND;
/** Connections that reads have whatever commits wait for. */
const LEAST = 2;

export class Pool {
  readonly #options: PoolOptions;
  readonly #all = new Set<Connection>();
  /** The one that was used last is used first, so that those that are not needed grow old. */
  #idle: Connection[] = [];
  /** Closed by us, because they are idle. */
  readonly #leaving = new WeakSet<Connection>();
  readonly #waiting = new Set<Waiter>();
  #opening = 0;
  /** Given up without an answer, and perhaps still there at the server. */
  #abandoned = 0;
  #isClosed = false;
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), MINUTE).unref();
  }

  get inUse(): number {
    return Math.max(0, this.#all.size - this.#idle.length - this.#opening);
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  take(limitMs: number): Promise<Connection> {
    if (this.#isClosed) return Promise.reject(new Error('the store is closed'));
    const idle = this.#idle.pop();
    if (idle) return Promise.resolve(idle);
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#waiting.delete(waiter);
        clearTimeout(timer);
      };
      const waiter: Waiter = {
        resolve: (connection) => {
          end();
          resolve(connection);
        },
        reject: (cause) => {
          end();
          reject(cause);
        },
      };
      const timer = setTimeout(() => waiter.reject(new Error('no connection was free in time')), limitMs);
      this.#waiting.add(waiter);
      this.#openMore();
    });
  }

  give(connection: Connection): void {
    if (connection.isOver) return;
    const [waiter] = this.#waiting;
    if (waiter) waiter.resolve(connection);
    else if (this.#isClosed) void connection.close(GOODBYE_MS);
    else this.#idle.push(connection);
  }

  /** The server answers: it has ended them, or is about to. */
  forgetAbandoned(): void {
    this.#abandoned = 0;
    this.#openMore();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    for (const { reject } of this.#waiting) reject(new Error('the store is closed'));
    // Those in use have the same time to be given back.
    const last = setTimeout(() => {
      for (const each of this.#all) each.destroy(new Error('the store was closed'));
    }, GOODBYE_MS);
    await Promise.all(this.#idle.splice(0).map((each) => each.close(GOODBYE_MS)));
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
      this.#checkEmpty();
    });
    clearTimeout(last);
  }

  #onEmpty: () => void = () => undefined;
  #checkEmpty(): void {
    if (this.#all.size === 0) this.#onEmpty();
  }

  #openMore(): void {
    const { size } = this.#options;
    const most = Math.max(Math.min(size, LEAST), size - this.#abandoned);
    while (this.#all.size < most && this.#opening < this.#waiting.size) void this.#open();
  }

  async #open(): Promise<void> {
    const { create, prepare, connectMs } = this.#options;
    const connection = create((cause) => this.#onEnd(connection, cause));
    this.#all.add(connection);
    this.#opening += 1;
    try {
      await connection.open(connectMs);
      await prepare(connection).catch((error: Error) => {
        if (error instanceof StoreUnavailable) for (const { reject } of this.#waiting) reject(error);
        throw error;
      });
      this.#opening -= 1;
      this.give(connection);
    } catch (error) {
      this.#opening -= 1;
      connection.destroy(error as Error);
      const [waiter] = this.#waiting;
      waiter?.reject(error as Error);
      this.#openMore();
    }
  }

  #onEnd(connection: Connection, cause: Error): void {
    if (this.#all.delete(connection) && !this.#leaving.has(connection) && !this.#isClosed)
      this.#options.onError();
    this.#idle = this.#idle.filter((each) => each !== connection);
    if (cause instanceof NoAnswer) this.#abandoned += 1;
    // A server that went away without a word took the others along.
    if (cause instanceof NoAnswer)
      for (const each of this.#idle.filter(({ heardAt }) => heardAt < cause.since))
        each.destroy(new Error('another connection had no answer', { cause }));
    this.#checkEmpty();
    if (!this.#isClosed) this.#openMore();
  }

  #sweep(): void {
    const old = this.#idle.filter(({ heardAt }) => heardAt < monotonicMs() - IDLE_MS);
    this.#idle = this.#idle.filter((each) => !old.includes(each));
    for (const each of old) {
      this.#leaving.add(each);
      void each.close(GOODBYE_MS);
    }
  }
}
