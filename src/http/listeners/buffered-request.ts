/**
 * The one place that uses what Node does not document: how a request takes its body (`push`), and how Node asks after the answer whether
 * anything of it is left on the wire (`_consuming`, `readableEnded`). It saves a seventh of a consent status.
 * `requestClass` tries it at the start and falls back to Node's own class.
 */
import { createServer, IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { SECOND } from '../../lib/clock.js';

/** Buffered bytes of a body that is not being read yet; the same as the high-water mark of a stream. */
const KEPT = 16_384;

/**
 * Buffers the body as it arrives, without the queue and the events of a stream: nearly always the body is complete when it is read,
 * or empty. If it is not, or is read in another way, the request behaves as the stream it is.
 */
export class BufferedRequest extends IncomingMessage {
  #kept: Buffer[] | undefined;
  #size = 0;
  #isWhole = false;
  #hasBegun = false;

  /** Without effect once some of the body has arrived. */
  keep(): void {
    if (!this.#hasBegun) this.#kept ??= [];
  }

  get isWhole(): boolean {
    return this.#isWhole;
  }

  get sizeKept(): number {
    return this.#size;
  }

  override push(chunk: Buffer | null): boolean {
    this.#hasBegun = true;
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

  /** The body, if all of it has arrived. */
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
Object.defineProperty(BufferedRequest.prototype, 'readableEnded', {
  get(this: BufferedRequest) {
    return this.isWhole || Reflect.get(IncomingMessage.prototype, 'readableEnded', this);
  },
});

const TRIAL =
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc' +
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

/** Two requests in memory: their bodies are whole when they are read, and both are answered. */
const isFit = (candidate: typeof BufferedRequest): Promise<boolean> =>
  new Promise((resolve) => {
    const bodies: string[] = [];
    let answers = '';
    const server = createServer({ IncomingMessage: candidate }, (request, response) => {
      request.keep();
      setImmediate(() => {
        bodies.push(String(request.wholeBody()));
        response.end();
      });
    });
    const wire = new Duplex({
      read: () => undefined,
      write: (chunk, _encoding, done) => {
        answers += chunk;
        done();
      },
    });
    const conclude = (): void => {
      clearTimeout(giveUp);
      wire.destroy();
      resolve(bodies.join() === 'abc,' && answers.split('HTTP/1.1 200 OK').length === 3);
    };
    const giveUp = setTimeout(conclude, SECOND);
    wire.on('error', () => undefined);
    wire.on('finish', conclude);
    server.emit('connection', wire);
    wire.push(TRIAL);
  });

/** The request class of a server: ours if this version of Node treats it as expected, else Node's own. */
export const requestClass = async (candidate = BufferedRequest): Promise<typeof IncomingMessage> =>
  (await isFit(candidate)) ? candidate : IncomingMessage;
