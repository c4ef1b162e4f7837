/** The uploads of the console: which reader reads them, and what their pages get from it. */
import type { PageRequest } from '../http/pages.js';
import { UploadThread } from '../http/upload.js';
import type { uploadReaders } from './upload-readers.js';

type Readers = typeof uploadReaders;
export type Uploads = UploadThread<Readers>;

export const openUploads = (): Uploads => new UploadThread('operator/upload-thread.js');

/** A longer list of ATMs is imported by the command line. */
export const uploads = {
  atms: { reader: 'atms', bytes: 4 * 1024 * 1024 },
} as const;

export const uploadedIn = <Name extends keyof typeof uploads>(
  { uploaded }: PageRequest,
  _name: Name,
): ReturnType<Readers[Name]> => uploaded as ReturnType<Readers[Name]>;
