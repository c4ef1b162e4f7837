/** Files and folders that hold personal data or secrets: only the account that made them may read them. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const FOR_OWNER = 0o600;

/** A folder that exists keeps its mode: the operator may have chosen it. */
export const makePrivateFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
};

/** A file that exists is not even opened: closing it would end the locks that SQLite holds on it in this process. */
export const makePrivateFile = (path: string): void => {
  try {
    closeSync(openSync(path, 'ax', FOR_OWNER));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
};

/** An empty file to write to; readers of an earlier file at this path cannot read the new one. */
export const openPrivately = (path: string): number => {
  const file = openSync(path, 'w', FOR_OWNER);
  fchmodSync(file, FOR_OWNER);
  return file;
};

export const writePrivately = (path: string, text: string): void => {
  const file = openPrivately(path);
  writeFileSync(file, text);
  closeSync(file);
};

/** The mode as `chmod` takes it, if others than the owner may do something; undefined too if there is no such file. */
export const modeForOthers = (path: string): string | undefined => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  // Windows has rights of another kind, and Node makes up a mode there.
  if (mode === undefined || process.platform === 'win32' || (mode & 0o077) === 0) return undefined;
  return (mode & 0o777).toString(8);
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
};

/** Where a file is written before it gets its name. Removes what a process left that was killed meanwhile. */
export const partialOf = (path: string): string => {
  const folder = dirname(path);
  const start = `${basename(path)}.partial-`;
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const pid = name.startsWith(start) ? Number.parseInt(name.slice(start.length), 10) : 0;
    if (pid > 0 && !isAlive(pid)) rmSync(join(folder, name), { force: true });
  }
  return `${path}.partial-${process.pid}`;
};

const sync = (path: string): void => {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
};

const WITHOUT_LINKS: readonly unknown[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** Gives a written file its name, after all of it is on the disk. Throws EEXIST if the name is taken. */
export const publish = (partial: string, path: string): void => {
  sync(partial);
  try {
    linkSync(partial, path);
    rmSync(partial);
  } catch (error) {
    // A file system without hard links has no rename that refuses to replace.
    if (!WITHOUT_LINKS.includes((error as NodeJS.ErrnoException).code) || existsSync(path)) throw error;
    renameSync(partial, path);
  }
  sync(dirname(path));
};
