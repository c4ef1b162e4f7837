/**
 * How a process of the service ends: by a signal, by an order of the first process, or by an uncaught error. After such an error
 * the state of the process is unknown: it finishes what runs and ends, and its supervisor starts another one.
 */
import cluster from 'node:cluster';
import type { Config } from '../config/config.js';
import { SECOND } from '../lib/clock.js';
import { errorFields, type Log } from '../observe/log.js';
import { countUnhandled } from '../observe/unhandled.js';

/** Ends the service after it has gone on for so long. */
export type Close = (delayMs: number) => Promise<void>;

const STOP = 'trapeza:stop';
const isStop = (message: unknown): message is { readonly delayMs: number } =>
  (message as { type?: unknown } | null)?.type === STOP;
export const stopMessage = (delayMs: number) => ({ type: STOP, delayMs });

/** For what is closed after the last request. */
const MARGIN_MS = 3 * SECOND;

/** So long a worker has to end by itself. */
export const longestEndMs = (delayMs: number, { drainMs }: Config): number => delayMs + drainMs + MARGIN_MS;

export class Ending {
  readonly #log: Log;
  readonly #config: Config;
  #close: Close | undefined;
  #isEnding = false;
  #code = 0;

  constructor(log: Log, config: Config) {
    this.#log = log;
    this.#config = config;
    // Hears of rejected promises too.
    process.on('uncaughtException', (error, origin) => this.#fail(error, origin));
  }

  /** From now on a signal ends the service. */
  of(close: Close): void {
    this.#close = close;
    const { drainDelayMs } = this.#config;
    // Ctrl-C reaches all processes of a terminal; workers wait for the word of the first one.
    process.on('SIGINT', cluster.isWorker ? () => undefined : () => this.#signal(0));
    process.on('SIGTERM', () => this.#signal(drainDelayMs));
    if (cluster.isWorker)
      process.on('message', (message) => {
        if (isStop(message)) this.#end(message.delayMs);
      });
  }

  /** A second signal ends the process at once, but only the first process, which ends the workers. */
  #signal(delayMs: number): void {
    if (this.#isEnding && !cluster.isWorker) process.exit(1);
    this.#end(delayMs);
  }

  #fail(error: unknown, origin: string): void {
    countUnhandled();
    this.#code = 1;
    this.#log.fatal({ origin, ...errorFields(error) }, 'an error that nobody caught: the process ends');
    if (!this.#close) {
      this.#log.flush();
      process.exit(1);
    }
    this.#end(this.#config.drainDelayMs);
  }

  #end(delayMs: number): void {
    if (this.#isEnding || !this.#close) return;
    this.#isEnding = true;
    // Later than the first process kills its workers, so that it sees them end.
    setTimeout(() => process.exit(1), longestEndMs(delayMs, this.#config) + MARGIN_MS).unref();
    this.#close(delayMs).then(
      () => process.exit(this.#code),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  }
}
