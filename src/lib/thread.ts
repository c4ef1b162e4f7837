/** Threads of our own, for work that would stop the event loop. */
import { createRequire } from 'node:module';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** `file` is a module of the built product. The thread sees no setting. */
export const startThread = (file: string, options: WorkerOptions = {}): Worker =>
  new Worker(createRequire(import.meta.url).resolve(`#trapeza/${file}`), { env: {}, ...options });
