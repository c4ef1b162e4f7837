/** What the machine gives: cores to pin to, and what a process has used so far. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';

export const cores = availableParallelism();

const has = (command: string): boolean => spawnSync('which', [command]).status === 0;

export const processor = cpus()[0]?.model.trim() ?? 'unknown';
/** Load, databases and this program on the first cores; the servers under test alone on the last ones. */
export const canPin = process.platform === 'linux' && cores >= 2 && has('taskset');

export const serverCores = (count: number): string =>
  count === 1 ? String(cores - 1) : `${Math.max(0, cores - count)}-${cores - 1}`;

/** Cores that are left for the load while so many are the servers'. */
export const loadCores = (serverCount: number): number => Math.max(1, cores - serverCount);

/** Everything that is started from now on inherits this, unless it is pinned itself. */
export const pinSelf = (serverCount: number): void => {
  if (!canPin) return;
  const last = loadCores(serverCount) - 1;
  const args = ['-cp', last === 0 ? '0' : `0-${last}`, String(process.pid)];
  execFileSync('taskset', args, { stdio: 'ignore' });
};

interface Usage {
  readonly rssMb: number;
  /** User and system time. */
  readonly cpuSeconds: number;
}

const TICKS = 100;

const fieldsOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');

/** Zeros where the system does not tell. */
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
