/** The write-ahead log of the embedded engine: flushed and copied by other threads, so that the event loop goes on meanwhile. */
import { once } from 'node:events';
import { closeSync, fdatasync, openSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread.js';
import { StoreUnavailable } from '../db.js';

const THREAD = 'store/sqlite/checkpoint-thread.js';
/** About as many pages: before the engine's own limit, which stops the event loop. */
const WRITES_PER_CHECKPOINT = 6000;

const flushed = (file: number): Promise<void> =>
  new Promise((resolve, reject) => fdatasync(file, (error) => (error ? reject(error) : resolve())));

export class WriteAheadLog {
  readonly #path: string;
  #file: number | undefined;
  #thread: Worker | undefined;
  #writes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** After a commit that was not flushed: returns when it is durable. */
  async flush(writes: number): Promise<void> {
    this.#writes += writes;
    try {
      // At once, because two batches may be the first.
      this.#file ??= openSync(`${this.#path}-wal`, 'r+');
      await flushed(this.#file);
    } catch (error) {
      throw new StoreUnavailable(error, true);
    }
    if (this.#writes < WRITES_PER_CHECKPOINT) return;
    this.#writes = 0;
    this.#thread ??= this.#start();
    this.#thread.postMessage(false);
  }

  async close(): Promise<void> {
    if (this.#file !== undefined) closeSync(this.#file);
    if (!this.#thread) return;
    // Else the process may end before the store is closed.
    this.#thread.ref();
    this.#thread.postMessage(true);
    await once(this.#thread, 'exit').catch(() => undefined);
  }

  #start(): Worker {
    const thread = startThread(THREAD, { workerData: this.#path });
    thread.unref();
    // Until the next time the engine copies by itself.
    thread.on('error', () => {
      this.#thread = undefined;
    });
    return thread;
  }
}
