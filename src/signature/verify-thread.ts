/** Verifies signatures in a thread of its own: the arithmetic takes as long as all the rest of a request. */
import type { KeyObject } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { algorithmOf } from './algorithms.js';
import type { Scheme } from './claim.js';

export interface SignatureQuestion {
  readonly key: number;
  readonly scheme: Scheme;
  readonly algorithm: string | undefined;
  /** With one character for each byte: texts cross to another thread for less than buffers. */
  readonly text: string;
  /** In base64. */
  readonly signature: string;
}

export interface SignatureQuestions {
  /** The numbers of all keys so far are given anew. */
  readonly isFresh: boolean;
  /** Those that come for the first time. */
  readonly keys: ReadonlyMap<number, KeyObject>;
  readonly questions: readonly SignatureQuestion[];
}

/** So many are answered together: the event loop continues with them while the next ones are verified. */
const AT_ONCE = 8;

const known = new Map<number, KeyObject>();

const isSigned = ({ key, scheme, algorithm, text, signature }: SignatureQuestion): boolean => {
  const publicKey = known.get(key);
  if (!publicKey) throw new Error('a key that was never sent');
  const [data, bytes] = [Buffer.from(text, 'latin1'), Buffer.from(signature, 'base64')];
  try {
    return algorithmOf(scheme, algorithm, publicKey)?.verify(data, publicKey, bytes) ?? false;
  } catch {
    // OpenSSL refuses some signatures by an error of its own.
    return false;
  }
};

parentPort?.on('message', ({ isFresh, keys, questions }: SignatureQuestions) => {
  if (isFresh) known.clear();
  for (const [number, key] of keys) known.set(number, key);
  for (let at = 0; at < questions.length; at += AT_ONCE)
    parentPort?.postMessage(questions.slice(at, at + AT_ONCE).map(isSigned));
});
