/** Reads the uploads of the console in a thread of its own. */
import { answerUploads } from '../http/upload-work.js';
import { uploadReaders } from './upload-readers.js';

answerUploads(uploadReaders);
