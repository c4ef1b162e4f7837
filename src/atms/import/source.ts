/** The bytes of a feed: where they come from, how large they may be, and their text. */
import { readFile, stat } from 'node:fs/promises';
import { ImportError } from './result.js';

export const MAX_FILE_BYTES = 256 * 1024 * 1024;

const assertSize = (bytes: number): void => {
  if (bytes > MAX_FILE_BYTES) {
    throw new ImportError(`the file has ${Math.ceil(bytes / 1024 / 1024)} MiB; at most 256 MiB are read`);
  }
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
};

export const readAtmFile = async (path: string): Promise<Uint8Array> => {
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new ImportError(`${path} is a folder, not a file`);
    // Before reading, so that a file of the wrong kind does not fill the memory first.
    assertSize(info.size);
    return await readFile(path);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    const code = error instanceof Error ? String((error as NodeJS.ErrnoException).code) : '';
    throw new ImportError(`${path} cannot be read: ${reasons[code] ?? code}`, error);
  }
};

/** Strict, because a silently replaced character would be published as part of a name. A byte order mark is skipped. */
export const decodeFeed = (bytes: Uint8Array): string => {
  assertSize(bytes.byteLength);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new ImportError('the file is UTF-16, not UTF-8; save it as UTF-8');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ImportError(
      'the file is not UTF-8; save it as UTF-8 (in a spreadsheet: "CSV UTF-8"), since older Greek encodings cannot be told apart safely',
      error,
    );
  }
};
