/** Reads a request body up to the limit. What is larger is refused without being kept. */
import { IncomingMessage } from 'node:http';
import { Problem } from '../problem.js';

const none = Buffer.alloc(0);

/** So much is kept of a body that nobody reads yet, as a stream would. */
const KEPT = 16_384;

/**
 * A request whose body is kept as it arrives, without the queue and the events of a stream: nearly always it is whole when it is read,
 * or there is none. As soon as it is not, or is read in another way, it is the stream that it always was.
 */
export class Arriving extends IncomingMessage {
  #kept: Buffer[] | undefined;
  #size = 0;
  #isWhole = false;

  /** To be said before anything of the body has arrived. */
  keep(): void {
    this.#kept = [];
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get sizeKept(): number {
    return this.#size;
  }

  override push(chunk: Buffer | null): boolean {
    if (!this.#kept) return super.push(chunk);
    if (this.readableFlowing || this.#size > KEPT) {
      this.#release();
      return super.push(chunk);
    }
    if (chunk) {
      this.#kept.push(chunk);
      this.#size += chunk.length;
      return true;
    }
    this.#isWhole = true;
    // There is nothing left that Node would have to take off the wire.
    (this as { _consuming?: boolean })._consuming = true;
    return false;
  }

  /** The body, where it has arrived. */
  wholeBody(): Buffer | undefined {
    const kept = this.#kept;
    if (kept && this.#isWhole) return kept.length === 1 ? kept[0] : Buffer.concat(kept);
    this.#release();
    return undefined;
  }

  #release(): void {
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    this.#size = 0;
    for (const chunk of kept) super.push(chunk);
  }
}

/** Node asks for it when it has answered, and then lets the request go. */
Object.defineProperty(Arriving.prototype, 'readableEnded', {
  get(this: Arriving) {
    return this.isWhole || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
  },
});

export const hasBody = (request: IncomingMessage): boolean => {
  const length = request.headers['content-length'];
  return request.headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
};

const lengthOf = (request: IncomingMessage): number => {
  const arrived = request.readableLength + (request instanceof Arriving ? request.sizeKept : 0);
  return Math.max(Number(request.headers['content-length'] ?? 0), arrived);
};

/** Whether the body, or the rest of it, is small enough to be skipped so that the connection can be used again. */
export const isSmall = (request: IncomingMessage, limit: number): boolean =>
  lengthOf(request) <= limit &&
  (request.complete || !hasBody(request) || request.headers['transfer-encoding'] === undefined);

const tooLarge = (limit: number): Problem =>
  new Problem('message-too-large', { detail: `The body is larger than ${limit} bytes.` });

/** At once where it has arrived, as a small one has; else when it does. */
export const readBody = (request: IncomingMessage, limit: number): Buffer | Promise<Buffer> => {
  if (!hasBody(request)) return none;
  if (lengthOf(request) > limit) throw tooLarge(limit);
  const whole = request instanceof Arriving ? request.wholeBody() : undefined;
  if (whole) return whole;
  if (request.complete && request.readableLength > 0) return (request.read() as Buffer | null) ?? none;
  return arrival(request, limit);
};

const arrival = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners('data');
        request.resume();
        reject(tooLarge(limit));
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? none) : Buffer.concat(chunks, size)));
    const cut = (): void => {
      if (!request.readableEnded) reject(new Problem('request-incomplete'));
    };
    request.on('error', cut);
    request.on('close', cut);
  });
