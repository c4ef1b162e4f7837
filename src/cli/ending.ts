/**
 * How the service ends: by a signal or by an uncaught error. After such an error the state of the process is unknown: it
 * finishes what runs and ends, and its supervisor starts another one.
 */
import type { Config } from '../config/config.js';
import { SECOND } from '../lib/clock.js';
import { errorFields, type Log } from '../observe/log.js';
import { countUnhandled } from '../observe/unhandled.js';

/** Ends the service after it has gone on for so long. */
export type Close = (delayMs: number) => Promise<void>;

/** For what is closed after the last request. */
const MARGIN_MS = 6 * SECOND;

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
    const isFirst = this.#close === undefined;
    this.#close = close;
    if (!isFirst) return;
    const { drainDelayMs } = this.#config;
    process.on('SIGINT', () => this.#signal(0));
    process.on('SIGTERM', () => this.#signal(drainDelayMs));
  }

  /** A second signal ends the process at once. */
  #signal(delayMs: number): void {
    if (this.#isEnding) process.exit(1);
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
    setTimeout(() => process.exit(1), delayMs + this.#config.drainMs + MARGIN_MS).unref();
    this.#close(delayMs).then(
      () => process.exit(this.#code),
      (error: unknown) => {
        this.#log.fatal(errorFields(error), 'the end of the service failed');
        this.#log.flush();
        process.exit(1);
      },
    );
  }
}
