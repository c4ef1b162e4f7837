/** The version of this package, from its package.json, which is beside both `src` and `dist`. */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const { version } = manifest;
