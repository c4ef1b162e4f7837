/**
 * Where a store of a test lies. In memory, where a flush costs nothing, unless the test is about what outlives a kill: that is on the disk,
 * with a PostgreSQL that flushes as in production.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const places = ['memory', 'disk'] as const;
export type Place = (typeof places)[number];

/** vitest.config.ts keeps here what the machine's own temporary folder was. */
const rootOf = (place: Place): string => (place === 'disk' && process.env.TEST_DISK) || tmpdir();

export const newFolder = (name: string, place: Place = 'memory'): string =>
  mkdtempSync(join(rootOf(place), `trapeza-${name}-`));
