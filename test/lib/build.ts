/** The built program, for tests that start it. An old build would prove nothing about the sources. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { foldersUnder, root, sourceFolders } from './source.js';

const changedAt = (path: string): number => statSync(join(root, path)).mtimeMs;

/** A folder's own time is that of its last added or removed file. */
const lastChange = (): number =>
  Math.max(
    ...sourceFolders
      .flatMap(foldersUnder)
      .flatMap(({ path, entries }) => [path, ...entries.map((entry) => join(path, entry))].map(changedAt)),
  );

/** The build ends with a copy of the stylesheets. */
const LAST_BUILT = 'dist/web/assets/styles/tokens.css';

let isFresh = false;

/** The path of a file of the build, which must be younger than every source. */
export const builtFile = (path: string): string => {
  const builtAt = existsSync(join(root, LAST_BUILT)) ? changedAt(LAST_BUILT) : 0;
  isFresh ||= builtAt >= lastChange();
  if (!isFresh)
    throw new Error('dist/ is missing or older than src/, so this test would try old code: npm run build');
  return join(root, 'dist', path);
};
