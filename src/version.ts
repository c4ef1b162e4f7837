/** The version of this package, from its package.json. */
import { readFileSync } from 'node:fs';
import { ownFile } from './lib/own-file.js';

const manifest = JSON.parse(readFileSync(ownFile('package.json'), 'utf8')) as {
  version: string;
};

export const { version } = manifest;
