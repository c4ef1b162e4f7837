/** Files and folders that hold personal data or secrets: only the account that made them may read them. */
import { closeSync, fchmodSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';

const FOR_OWNER = 0o600;

/** A folder that exists keeps its mode: the operator may have chosen it. */
export const makePrivateFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
};

/** A file that exists keeps its mode and its content. */
export const makePrivateFile = (path: string): void => closeSync(openSync(path, 'a', FOR_OWNER));

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
