/**
 * A small file that outlives the process and the store: how far a node has seen the store get. Beside the file of the embedded engine; with
 * PostgreSQL in the data folder, if there is one. It is written often and never flushed: an older one notices less, and says nothing wrong.
 */
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../lib/hash.js';
import { jsonColumn, members, text, whole } from '../json-column.js';
import { writePrivately } from '../private-files.js';
import type { Seen } from './pulse.js';

const column = jsonColumn<Seen>('the marker', members({ node: text, number: whole, accepted: whole }));

/** Beside the file of the embedded engine. */
export const MARKER = '.pulse';

/** Which database, without who asks for it and with which password. */
const nameOf = (url: string): string => {
  const { host, pathname, searchParams } = new URL(url);
  return sha256([host, pathname, searchParams.get('options') ?? ''].join(' ')).slice(0, 12);
};

/** Undefined if there is no place for one. */
export const markerPathOf = (databaseUrl: string, dataFolder: string): string | undefined => {
  if (!databaseUrl.startsWith('sqlite:'))
    return existsSync(dataFolder) ? join(dataFolder, `store-${nameOf(databaseUrl)}${MARKER}`) : undefined;
  const path = databaseUrl.slice('sqlite:'.length);
  return path === ':memory:' ? undefined : `${path}${MARKER}`;
};

/** Undefined if there is none, or only what a power failure has left of one. */
export const readMarker = (path: string): Seen | undefined => {
  try {
    return column.read(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

export const writeMarker = (path: string, seen: Seen): void => {
  const partial = `${path}.partial`;
  writePrivately(partial, column.write(seen));
  renameSync(partial, path);
};
