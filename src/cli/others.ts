/** What Node, libraries and a module of the bank print becomes lines of the log, so that its readers find nothing else. */
import { format, stripVTControlCharacters } from 'node:util';
import { type Log, scrub } from '../observe/log.js';

const LONGEST = 2000;

const printed = (parts: readonly unknown[]): string =>
  scrub(stripVTControlCharacters(format(...parts))).slice(0, LONGEST);

/** A command that `speaks` to people goes on doing so by `log` and `error`. Returns what takes it all back. */
export const logOthers = (log: Log, speaks: boolean): (() => void) => {
  const { console } = globalThis;
  const before = { ...console };
  const warn = (...parts: unknown[]): void =>
    log.warn({ stream: 'stderr', reason: printed(parts) }, 'console');
  const info = (...parts: unknown[]): void =>
    log.info({ stream: 'stdout', reason: printed(parts) }, 'console');
  Object.assign(console, { debug: info, info, warn, trace: warn });
  if (!speaks) Object.assign(console, { log: info, error: warn });
  // Those of Node write to standard error.
  const listeners = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message, code }: NodeJS.ErrnoException) =>
    log.warn({ warning: name, code, reason: scrub(message) }, 'process warning'),
  );
  return () => {
    Object.assign(console, before);
    process.removeAllListeners('warning');
    for (const each of listeners) process.on('warning', each);
  };
};
