/** The write-ahead log of the embedded engine: flushed and copied by other threads, so that the event loop goes on meanwhile. */
import { once } from 'node:events';
import { close, fdatasync, open } from 'node:fs';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from '../db.js';

const THREAD = '#trapeza/store/sqlite/checkpoint-thread.js';
/** About as many pages: before the engine's own limit, which stops the event loop. */
const WRITES_PER_CHECKPOINT = 6000;

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
      this.#file ??= await promisify(open)(`${this.#path}-wal`, 'r+');
      await promisify(fdatasync)(this.#file);
    } catch (error) {
      throw new StoreUnavailable(error, true);
    }
    if (this.#writes < WRITES_PER_CHECKPOINT) return;
    this.#writes = 0;
    this.#thread ??= this.#start();
    this.#thread.postMessage(false);
  }

  async close(): Promise<void> {
    if (this.#file !== undefined) await promisify(close)(this.#file);
    if (!this.#thread) return;
    // Else the process may end before the store is closed.
    this.#thread.ref();
    this.#thread.postMessage(true);
    await once(this.#thread, 'exit').catch(() => undefined);
  }

  #start(): Worker {
    const thread = new Worker(createRequire(import.meta.url).resolve(THREAD), {
      env: {},
      workerData: this.#path,
    });
    thread.unref();
    // Until the next time the engine copies by itself.
    thread.on('error', () => {
      this.#thread = undefined;
    });
    return thread;
  }
}
