/** Reads a file that may be larger than it should be. */
import { open } from 'node:fs/promises';

const PART = 1024 * 1024;

/** Undefined if it has more bytes than this: counted while they are read, because a pipe or a device tells no size and a file may grow. */
export const readBounded = async (path: string, limit: number): Promise<Buffer | undefined> => {
  const file = await open(path);
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PART), 0, PART);
      if (bytesRead === 0) return Buffer.concat(parts, size);
      size += bytesRead;
      if (size > limit) return undefined;
      parts.push(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
};
