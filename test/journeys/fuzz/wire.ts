/** A connection that sends any bytes and reads one answer at a time; opened anew whenever the server has closed it. */
import { connect, type Socket } from 'node:net';

export interface Heard {
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

/** The first whole answer in the bytes; undefined while there is none. */
const firstIn = (bytes: Buffer, isHead: boolean): { heard: Heard; length: number } | undefined => {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = headersOf(lines);
  const status = Number(statusLine.split(' ')[1]);
  const hasBody = !isHead && status !== 304 && status >= 200;
  const length = end + HEAD_END.length + (hasBody ? Number(headers['content-length'] ?? 0) : 0);
  if (bytes.length < length) return undefined;
  return { heard: { status, headers, body: bytes.subarray(end + HEAD_END.length, length) }, length };
};

export class Wire {
  readonly #port: number;
  #socket: Socket | undefined;
  #chunks: Buffer[] = [];
  #isHead = false;
  #settle: ((heard: Heard | undefined) => void) | undefined;

  constructor(url: string) {
    this.#port = Number(new URL(url).port);
  }

  /** The answer, or undefined where the server closed without one. */
  exchange(bytes: Buffer, isHead: boolean): Promise<Heard | undefined> {
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
    socket.on('data', (chunk) => this.#hear(socket, chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#finish(undefined);
    });
    this.#socket = socket;
    return socket;
  }

  #hear(socket: Socket, chunk: Buffer): void {
    if (this.#socket !== socket) return;
    this.#chunks.push(chunk);
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const found = firstIn(bytes, this.#isHead);
    if (!found) return;
    if (found.heard.status === 100) {
      this.#chunks = [bytes.subarray(found.length)];
      return;
    }
    if (found.heard.headers.connection === 'close') this.close();
    this.#finish(found.heard);
  }

  #finish(heard: Heard | undefined): void {
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(heard);
  }
}
