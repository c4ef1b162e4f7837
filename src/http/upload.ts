/**
 * What people upload is read in a thread, one after the other: 4 MiB of small fields take about a second, in which the calls of
 * third parties must be answered. A page names the reader of its upload and gets what the reader made of it, never the bytes.
 */
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { MINUTE } from '../lib/clock.js';
import { startThread } from '../lib/thread.js';
import { Problem } from '../problem/problem.js';
import type { Params } from './exchange.js';

type Fields = Params;

/** A form as a reader gets it: the fields, and the files by their fields. */
export interface SentForm {
  readonly fields: Fields;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** The functions of the thread. Those for pages take a form. */
export type UploadReaders = Readonly<Record<string, (input: never) => unknown>>;

/** A form as it arrived. One without files has been read already. */
export type ArrivedForm =
  | { readonly type: string; readonly body: Uint8Array<ArrayBuffer> }
  | { readonly fields: Fields };

export type UploadQuestion = { readonly reader: string } & (
  | { readonly form: ArrivedForm }
  | { readonly input: unknown }
);

/** Undefined: it is not a form. */
export type UploadReply = { readonly fields: Fields; readonly content: unknown } | undefined;

/** The fields of a form, and what the reader of its page made of it. */
export class Upload {
  readonly fields: Fields;
  readonly content: unknown;

  constructor({ fields, content }: NonNullable<UploadReply>) {
    this.fields = fields;
    this.content = content;
  }
}

const TIMEOUT_MS = MINUTE;
const MAX_MEGABYTES = 256;
/** Uploads in hand: the one that is read, and those that wait for it. */
const MOST = 4;

export const refusedUpload = (statusCode: number): Error =>
  Object.assign(new Error('upload'), { statusCode });

export class UploadThread<Readers extends UploadReaders = UploadReaders> {
  readonly #file: string;
  #thread: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #inHand = 0;

  /** A module of the built product that calls `answerUploads`. */
  constructor(file: string) {
    this.#file = file;
  }

  async read(reader: string, form: ArrivedForm): Promise<Upload> {
    const read = await this.#inTurn({ reader, form });
    if (!read) throw refusedUpload(400);
    return new Upload(read);
  }

  /** Has something else read, that was uploaded before. */
  async run<Name extends keyof Readers & string>(
    reader: Name,
    input: Parameters<Readers[Name]>[0],
  ): Promise<ReturnType<Readers[Name]>> {
    const read = await this.#inTurn({ reader, input });
    if (!read) throw new Error(`the thread that reads uploads has failed: ${reader}`);
    return read.content as ReturnType<Readers[Name]>;
  }

  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  /** Refuses at once if too many wait. */
  async #inTurn(question: UploadQuestion): Promise<UploadReply> {
    if (this.#inHand >= MOST) throw new Problem('overloaded');
    this.#inHand += 1;
    const reply = this.#last.then(() => this.#ask(question));
    this.#last = reply;
    try {
      return await reply;
    } finally {
      this.#inHand -= 1;
    }
  }

  async #ask(question: UploadQuestion): Promise<UploadReply> {
    this.#thread ??= startThread(this.#file, { resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES } });
    const reply = once(this.#thread, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const isWhole = 'form' in question && 'body' in question.form;
    this.#thread.postMessage(question, isWhole ? [question.form.body.buffer] : []);
    try {
      return ((await reply) as [UploadReply])[0];
    } catch {
      // It takes too long or too much memory: no form of ours does.
      await this.close();
      return undefined;
    }
  }
}
