/** The write-ahead log of the embedded engine, copied into the database by another thread, so that the event loop goes on meanwhile. */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../lib/thread.js';

const THREAD = 'store/sqlite/checkpoint-thread.js';
/** About as many pages: before the engine's own limit, which stops the event loop. */
const WRITES_PER_CHECKPOINT = 6000;

export class WriteAheadLog {
  readonly #path: string;
  #thread: Worker | undefined;
  #writes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  grew(writes: number): void {
    this.#writes += writes;
    if (this.#writes < WRITES_PER_CHECKPOINT) return;
    this.#writes = 0;
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
    // Until the next time the engine copies by itself.
    thread.on('error', () => {
      this.#thread = undefined;
    });
    return thread;
  }
}
