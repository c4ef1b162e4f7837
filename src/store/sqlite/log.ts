/** The write-ahead log of the embedded engine, copied into the database by another thread, so that the event loop goes on meanwhile. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread.js';

const THREAD = 'store/sqlite/checkpoint-thread.js';
/**
 * A commit waits for the disk behind what is being copied, so a little is copied at a time. Under full load, which large commits show, much at
 * once costs less, because pages that are written again and again are copied once; but less than the engine's own limit, which stops the
 * event loop.
 */
const WRITES_AT_EASE = 250;
const WRITES_UNDER_LOAD = 16_000;
const LARGE_COMMIT = 40;

export class WriteAheadLog {
  readonly #path: string;
  #thread: Worker | undefined;
  #isCopying = false;
  #writes = 0;
  #commits = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** By a commit of so many writes, whose result it returns. */
  grew<T>(result: T, writes: number): T {
    this.#copyIfDue(writes);
    return result;
  }

  #copyIfDue(writes: number): void {
    this.#writes += writes;
    this.#commits += 1;
    const isAtEase = this.#writes < this.#commits * LARGE_COMMIT;
    if (this.#isCopying || this.#writes < (isAtEase ? WRITES_AT_EASE : WRITES_UNDER_LOAD)) return;
    this.#writes = 0;
    this.#commits = 0;
    this.#isCopying = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage(false);
  }

  async close(): Promise<void> {
    if (!this.#thread) return;
    // Else the process may end before the store is closed.
    this.#thread.ref();
    this.#thread.postMessage(true);
    await once(this.#thread, 'exit').catch(() => undefined);
  }

  #start(): Worker {
    const thread = startThread(THREAD, { workerData: this.#path });
    thread.unref();
    thread.on('message', () => {
      this.#isCopying = false;
    });
    // Until the next time the engine copies by itself.
    thread.on('error', () => {
      this.#thread = undefined;
      this.#isCopying = false;
    });
    return thread;
  }
}
