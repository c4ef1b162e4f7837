/** What the run has built before its first test: the program as users have it, and its modules one by one. */
import { join } from 'node:path';
import { root } from './source.js';

export const builtFile = (path: string): string => join(root, 'dist', path);

/** Of `src/`, or of a package such as `packages/sandbox`. */
export const unbundledFile = (path: string, folder = '.'): string => join(root, folder, '.unbundled', path);
