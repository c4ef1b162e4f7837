/** Which files a tier runs. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesIn, root } from '../../../build/packages.js';

/** Imports that make a file say more, or something else, before a release. */
const SAYS_MORE =
  /import \{[^}]*\b(?:engines|racingEngines|inTier|isRelease)\b[^}]*\} from '[./\w-]+\/support\/(?:engines|tier)\.js'/;

const testFiles = (): string[] =>
  filesIn(join(root, 'test')).filter((path) => /^(?!.*\/node_modules\/).*\.test\.ts$/.test(path));

const isRelease = (path: string): boolean => path.endsWith('.release.test.ts');

export const filesOfTier = (tier: string | undefined): string[] =>
  testFiles()
    .filter((path) => {
      if (tier === 'all') return true;
      if (tier === 'release') return isRelease(path) || SAYS_MORE.test(readFileSync(path, 'utf8'));
      return !isRelease(path);
    })
    .map((path) => relative(root, path));
