/** Reads and verifies trusted lists in a thread of its own. It alone loads the XML libraries. */
import { parentPort } from 'node:worker_threads';
import type { ListQuestion, ListReply } from './list-reader.js';
import { claimedKind, readList } from './read-list.js';
import { ListRefusal } from './trusted-list.js';

const answer = ({ bytes, allowed, nowMs }: ListQuestion): ListReply => {
  const list = Buffer.from(bytes);
  try {
    return allowed ? { list: readList(list, new Set(allowed), nowMs) } : { kind: claimedKind(list) };
  } catch (error) {
    // Classes do not cross to another thread; any other error ends this thread, which reports the error.
    if (error instanceof ListRefusal) return { refused: error.message };
    throw error;
  }
};

parentPort?.on('message', (question: ListQuestion) => parentPort?.postMessage(answer(question)));
