/** Uncaught errors. They belong to the process, not to one service in it. */
import { Counter, type Registry } from 'prom-client';

let count = 0;

export const countUnhandled = (): void => {
  count += 1;
};

export const registerUnhandled = (registry: Registry): void => {
  new Counter({
    name: 'trapeza_unhandled_errors_total',
    help: 'Errors that nobody caught; each of them ends its process',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(count);
    },
  });
};
