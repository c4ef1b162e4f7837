/** What the machine gives: cores to pin to, and what a process has used so far. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export const cores = availableParallelism();

const has = (command: string): boolean => spawnSync('which', [command]).status === 0;

export const hasWrk = has('wrk');
/** Load, databases and this program on the first cores; the servers under test alone on the last ones. */
export const canPin = process.platform === 'linux' && cores >= 2 && has('taskset');

export const serverCores = (count: number): string =>
  count === 1 ? String(cores - 1) : `${cores - count}-${cores - 1}`;

/** Everything that is started from now on inherits this, unless it is pinned itself. */
export const pinSelf = (): void => {
  if (canPin) execFileSync('taskset', ['-cp', cores === 2 ? '0' : `0-${cores - 2}`, String(process.pid)]);
};

export interface Usage {
  readonly rssMb: number;
  /** User and system time. */
  readonly cpuSeconds: number;
}

const TICKS = 100;

const fieldsOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');

/** Of a process; zeros where the system does not tell. */
export const usageOf = (pid: number): Usage => {
  try {
    const fields = fieldsOf(pid);
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / TICKS;
    const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return { rssMb: Number(rss) / 1024, cpuSeconds };
  } catch {
    return { rssMb: 0, cpuSeconds: 0 };
  }
};

/** The children of a process, for a service with several workers. */
export const childrenOf = (pid: number): number[] => {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
};
