/** Sends exactly what it is given, over plain or mutual TLS, and follows no redirect. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { Failure } from '../verdict.js';

export interface Wanted {
  readonly method?: string;
  /** Below the address of the bank, or a whole address. */
  readonly path: string;
  /** A header that is null is left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** Text as it is; anything else as JSON. */
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
  /** Undefined if it is no JSON. */
  readonly json: unknown;
}

export interface Tls {
  readonly cert?: string;
  readonly key?: string;
  readonly ca?: string;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const headersOf = (headers: NonNullable<Wanted['headers']>, payload: string | undefined) => ({
  ...Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  ),
  ...(payload === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(payload)) }),
});

const MOST_BYTES = 64 * 1024 * 1024;

export class Http {
  readonly baseUrl: string;
  /** Calls without an answer since the last one with it. */
  unansweredInRow = 0;
  /** What the present case has sent. */
  readonly sent: Sent[] = [];
  readonly #timeoutMs: number;
  readonly #plain = new Agent({ keepAlive: true });
  readonly #tls: TlsAgent;

  constructor(baseUrl: string, timeoutMs: number, tls: Tls = {}) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
    this.#timeoutMs = timeoutMs;
    this.#tls = new TlsAgent({ keepAlive: true, ...tls });
  }

  urlOf(path: string): URL {
    return new URL(/^https?:/.test(path) ? path : `${this.baseUrl}${path}`);
  }

  async send(wanted: Wanted): Promise<Answer> {
    const { method = 'GET', path, headers = {}, body } = wanted;
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.#exchange(method, this.urlOf(path), headersOf(headers, payload), payload);
    this.sent.push({ method, path: this.urlOf(path).pathname, status: answer.status });
    return answer;
  }

  close(): void {
    this.#plain.destroy();
    this.#tls.destroy();
  }

  #exchange(method: string, url: URL, headers: Record<string, string>, payload?: string): Promise<Answer> {
    const isTls = url.protocol === 'https:';
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        clearTimeout(timer);
        this.unansweredInRow += 1;
        reject(new Failure('an answer', `none to ${method} ${url.pathname}: ${error.message}`));
      };
      const options = { method, headers, agent: isTls ? this.#tls : this.#plain };
      const outgoing = (isTls ? tlsRequest : request)(url, options, (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          size += chunk.length;
          if (size > MOST_BYTES) outgoing.destroy(new Error(`more than ${MOST_BYTES} bytes`));
        });
        response.on('error', fail);
        response.on('end', () => {
          clearTimeout(timer);
          this.unansweredInRow = 0;
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text,
            json: jsonOf(text),
          });
        });
      });
      const late = new Error(`not within ${this.#timeoutMs} ms`);
      const timer = setTimeout(() => outgoing.destroy(late), this.#timeoutMs);
      outgoing.on('error', fail);
      outgoing.end(payload);
    });
  }
}
