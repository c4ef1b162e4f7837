/** What the run builds: the program as users have it, beside its first tests, and before them its modules one by one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source.js';

/** Names the file that is there as soon as the program is. */
export const BUILT = 'TEST_BUILT';

const LOOK_MS = 20;
const LOOKS = 6000;

/** Who needs the program cannot go on without it. */
const waitForProgram = (): void => {
  const mark = process.env[BUILT];
  const bell = new Int32Array(new SharedArrayBuffer(4));
  for (let looks = 0; mark !== undefined && !existsSync(mark); looks += 1) {
    if (looks === LOOKS) throw new Error('the program is not built: npm run build');
    Atomics.wait(bell, 0, 0, LOOK_MS);
  }
};

/** Of the program. */
export const builtFile = (path: string): string => {
  waitForProgram();
  return join(root, 'dist', path);
};

/** Of `src/`, or of a package such as `packages/sandbox`. */
export const unbundledFile = (path: string, folder = '.'): string => join(root, folder, '.unbundled', path);
