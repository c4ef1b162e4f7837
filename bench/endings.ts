/**
 * Everything that a run leaves behind if nobody cares: folders and processes. All of it ends with the run, however it ends; the last
 * sweep is synchronous, because another part may end the process before anything asynchronous is done.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders = new Set<string>();
const endings: (() => Promise<unknown>)[] = [];
const lastResorts: (() => void)[] = [];

export const tempFolder = (name: string): string => {
  const folder = mkdtempSync(join(tmpdir(), `trapeza-${name}-`));
  folders.add(folder);
  return folder;
};

/** Called at the end of the run, in this order: programs, then what they need. */
export const atEnd = (ending: () => Promise<unknown>): void => {
  endings.push(ending);
};

export const asLastResort = (resort: () => void): void => {
  lastResorts.push(resort);
};

export const endAll = async (): Promise<void> => {
  for (let ending = endings.shift(); ending; ending = endings.shift()) await ending();
};

let isEnding = false;

/** What a signal has broken off needs no message, and the signal decides how the process ends. */
export const unlessStopped = <Value>(value: Value): Value | Promise<never> =>
  isEnding ? new Promise<never>(() => undefined) : value;

const MAX_ENDING_MS = 30_000;

export const endOnSignals = (): void => {
  process.once('exit', () => {
    for (const resort of lastResorts) resort();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const stop = (): void => {
    if (isEnding) process.exit(130);
    isEnding = true;
    setTimeout(() => process.exit(130), MAX_ENDING_MS).unref();
    void endAll().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
};
