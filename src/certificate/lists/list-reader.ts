/**
 * Has trusted lists read in another thread: a large one takes seconds, in which requests must be answered. The thread is started for the
 * first list and ends with `close`; it has limits of memory and time, and a list that needs more is refused.
 */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { MINUTE, type RealTime } from '../../lib/clock.js';
import { startThread } from '../../lib/thread.js';
import { type ClaimedKind, ListRefusal, type TrustedList } from './trusted-list.js';

export interface ListQuestion {
  readonly bytes: Uint8Array;
  /** Fingerprints of those who may sign it; without them it is not verified, and only its kind is read. */
  readonly allowed: readonly string[] | undefined;
  readonly nowMs: RealTime;
}

export type ListReply =
  | { readonly kind: ClaimedKind }
  | { readonly list: TrustedList }
  | { readonly refused: string };

const TIMEOUT_MS = 2 * MINUTE;
const MAX_MEGABYTES = 1024;
const THREAD = 'certificate/lists/list-thread.js';

const start = (): Worker =>
  startThread(THREAD, { resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES } });

export class ListReader {
  #thread: Worker | undefined;

  async #ask(question: ListQuestion): Promise<ListReply> {
    this.#thread ??= start();
    const thread = this.#thread;
    const reply = once(thread, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    thread.postMessage(question);
    try {
      return ((await reply) as [ListReply])[0];
    } catch (error) {
      await this.close();
      const { name, code } = error as NodeJS.ErrnoException;
      if (name === 'AbortError') throw new ListRefusal('it takes longer than two minutes to read');
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') throw new ListRefusal('it takes more than 1 GiB to read');
      throw error;
    }
  }

  async claimedKind(bytes: Buffer, nowMs: RealTime): Promise<ClaimedKind> {
    const reply = await this.#ask({ bytes, allowed: undefined, nowMs });
    if ('kind' in reply) return reply.kind;
    throw new ListRefusal('refused' in reply ? reply.refused : 'it was not read');
  }

  /** Reads and verifies a list. */
  async read(bytes: Buffer, allowed: readonly string[], nowMs: RealTime): Promise<TrustedList> {
    const reply = await this.#ask({ bytes, allowed, nowMs });
    if ('list' in reply) return reply.list;
    throw new ListRefusal('refused' in reply ? reply.refused : 'it was not read');
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }
}
