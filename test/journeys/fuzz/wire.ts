/** A connection that sends any bytes and reads one answer at a time; opened anew whenever the server has closed it. */
import { connect, type Socket } from 'node:net';

export interface WireAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const HEAD_END = '\r\n\r\n';

const headersOf = (lines: readonly string[]): Record<string, string> => {
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const at = line.indexOf(':');
    headers[line.slice(0, at).toLowerCase()] = line.slice(at + 1).trim();
  }
  return headers;
};

/** Where a chunked body ends, and its content; undefined while it is not whole. */
const chunksIn = (bytes: Buffer, from: number): { body: Buffer; end: number } | undefined => {
  const parts: Buffer[] = [];
  for (let at = from; ; ) {
    const line = bytes.indexOf('\r\n', at);
    const size = line < 0 ? Number.NaN : Number.parseInt(bytes.subarray(at, line).toString(), 16);
    const end = line + 2 + size + 2;
    if (Number.isNaN(size) || bytes.length < end) return undefined;
    if (size === 0) return { body: Buffer.concat(parts), end };
    parts.push(bytes.subarray(line + 2, end - 2));
    at = end;
  }
};

/** The first whole answer in the bytes; undefined while there is none. */
const firstIn = (bytes: Buffer, isHead: boolean): { answer: WireAnswer; length: number } | undefined => {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = headersOf(lines);
  const status = Number(statusLine.split(' ')[1]);
  const hasBody = !isHead && status !== 304 && status !== 204 && status >= 200;
  const start = end + HEAD_END.length;
  if (hasBody && headers['transfer-encoding'] === 'chunked') {
    const chunked = chunksIn(bytes, start);
    return chunked && { answer: { status, headers, body: chunked.body }, length: chunked.end };
  }
  const length = start + (hasBody ? Number(headers['content-length'] ?? 0) : 0);
  if (bytes.length < length) return undefined;
  return { answer: { status, headers, body: bytes.subarray(start, length) }, length };
};

export class Wire {
  readonly #port: number;
  #socket: Socket | undefined;
  #chunks: Buffer[] = [];
  #isHead = false;
  #settle: ((answer: WireAnswer | undefined) => void) | undefined;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  /** The answer, or undefined where the server closed without one. */
  exchange(bytes: Buffer, isHead: boolean): Promise<WireAnswer | undefined> {
    this.#isHead = isHead;
    this.#chunks = [];
    const socket = this.#socket ?? this.#open();
    return new Promise((resolve) => {
      this.#settle = resolve;
      socket.write(bytes);
    });
  }

  /** Ends the connection, so that whatever is left on it is nobody's. */
  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    const socket = connect(this.#port, '127.0.0.1');
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#receive(socket, chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#finish(undefined);
    });
    this.#socket = socket;
    return socket;
  }

  #receive(socket: Socket, chunk: Buffer): void {
    if (this.#socket !== socket) return;
    this.#chunks.push(chunk);
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const found = firstIn(bytes, this.#isHead);
    if (!found) return;
    if (found.answer.status === 100) {
      this.#chunks = [bytes.subarray(found.length)];
      return;
    }
    if (found.answer.headers.connection === 'close') this.close();
    this.#finish(found.answer);
  }

  #finish(answer: WireAnswer | undefined): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(answer);
  }
}
