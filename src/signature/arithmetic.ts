/** Has signatures verified in another thread: all that come within one turn together, each key sent once. */
import type { KeyObject } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../lib/thread.js';
import { eachTick } from '../lib/turn.js';
import type { Claim } from './claim.js';
import type { SignatureQuestion, SignatureQuestions } from './verify-thread.js';

const THREAD = 'signature/verify-thread.js';
/** Then all are forgotten, on both sides. */
const MOST_KEYS = 2000;

interface Waiting {
  readonly claim: Claim;
  readonly text: string;
  readonly key: KeyObject;
  readonly resolve: (isGood: boolean) => void;
  readonly reject: (error: Error) => void;
}

/** The thread is started for the first signature. It does not keep the process alive. */
export class Arithmetic {
  #thread: Worker | undefined;
  #numbers = new Map<KeyObject, number>();
  #isFresh = true;
  /** In the order of the answers. */
  #asked: Waiting[] = [];
  readonly #ask = eachTick<Waiting>((all) => this.#send(all));

  /** Rejects only if the thread is lost. */
  isSigned(claim: Claim, text: string, key: KeyObject): Promise<boolean> {
    return new Promise((resolve, reject) => this.#ask({ claim, text, key, resolve, reject }));
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
  }

  #send(all: readonly Waiting[]): void {
    this.#thread ??= this.#start();
    if (this.#numbers.size >= MOST_KEYS) this.#forget();
    const keys = new Map<number, KeyObject>();
    const questions = all.map(({ claim: { scheme, algorithm, signature }, text, key }): SignatureQuestion => {
      const number = this.#numbers.get(key) ?? this.#numbers.size;
      if (number === this.#numbers.size) {
        this.#numbers.set(key, number);
        keys.set(number, key);
      }
      return { key: number, scheme, algorithm, text, signature };
    });
    const message: SignatureQuestions = { isFresh: this.#isFresh, keys, questions };
    this.#isFresh = false;
    this.#asked.push(...all);
    this.#thread.postMessage(message);
  }

  #forget(): void {
    this.#numbers = new Map();
    this.#isFresh = true;
  }

  #start(): Worker {
    const thread = startThread(THREAD);
    thread.unref();
    thread.on('message', (answers: readonly boolean[]) => {
      for (const [index, { resolve }] of this.#asked.splice(0, answers.length).entries())
        resolve(answers[index] ?? false);
    });
    thread.on('error', (error) => this.#lose(error));
    thread.on('exit', () => this.#lose(new Error('the thread that verifies signatures has ended')));
    return thread;
  }

  /** The next signature starts another. */
  #lose(error: Error): void {
    this.#thread = undefined;
    this.#forget();
    const lost = this.#asked;
    this.#asked = [];
    for (const { reject } of lost) reject(error);
  }
}
