/**
 * Where the stores of most tests lie: in memory, if the machine has a folder there with room in which programs may run.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const ENOUGH = 3 * 1024 ** 3;
const NAME = /^trapeza-test-(\d+)$/;

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH;
  } catch {
    return false;
  }
};

const runsPrograms = (folder: string): boolean => {
  const program = join(folder, 'try');
  try {
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  }
};

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** What a run that was killed has left. */
const sweep = (): void => {
  for (const name of readdirSync(MEMORY)) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid);
    if (!isRunning(pid)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
};

/** The folder of this run, which is removed with it. */
export const memoryFolder = (): string => {
  if (!hasRoom()) return tmpdir();
  sweep();
  const folder = join(MEMORY, `trapeza-test-${process.pid}`);
  // PostgreSQL runs as another account below it.
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return runsPrograms(folder) ? folder : tmpdir();
};
