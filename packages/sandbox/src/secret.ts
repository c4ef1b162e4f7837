/** The sandbox's own secret, beside its data. Of several processes that start at once, one makes it and all use it. */
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, newId, newSecret } from 'trapeza/base';

const nameOf = (folder: string): string => join(folder, 'sandbox-secret');

/** It appears whole or not at all: a file that is still being written would be read as another secret. */
const make = (folder: string): void => {
  const draft = `${nameOf(folder)}-${newId()}`;
  writeFileSync(draft, newSecret(48), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, nameOf(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
};

export const sandboxSecret = (folder: string): string => {
  makePrivateFolder(folder);
  try {
    return readFileSync(nameOf(folder), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  make(folder);
  return readFileSync(nameOf(folder), 'utf8');
};
