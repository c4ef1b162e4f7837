/** What the run builds: its modules one by one before the first test, and the program as users have it when a test needs it. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { root } from './source.js';

/** Names the file that is there as soon as the program is. */
export const BUILT = 'TEST_BUILT';
/** The file that asks for it. */
export const wantedOf = (mark: string): string => `${mark}-wanted`;

const LOOK_MS = 20;
const LOOKS = 6000;

/** Whether it is there; asks for it if not. */
const isBuilt = (): boolean => {
  const mark = process.env[BUILT];
  if (mark === undefined || existsSync(mark)) return true;
  writeFileSync(wantedOf(mark), '');
  return false;
};

/** Who needs the program cannot go on without it. */
const waitForProgram = (): void => {
  const bell = new Int32Array(new SharedArrayBuffer(4));
  for (let looks = 0; !isBuilt(); looks += 1) {
    if (looks === LOOKS) throw new Error('the program is not built: npm run build');
    Atomics.wait(bell, 0, 0, LOOK_MS);
  }
};

/** For who can do something else meanwhile. */
export const programIsBuilt = (): Promise<void> => until(isBuilt);

/** Of the program. */
export const builtFile = (path: string): string => {
  waitForProgram();
  return join(root, 'dist', path);
};

/** Of `src/`, or of a package such as `packages/sandbox`. */
export const unbundledFile = (path: string, folder = '.'): string => join(root, folder, '.unbundled', path);
