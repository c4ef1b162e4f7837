/**
 * One question to the core over HTTP: connections that are kept, limits of time and size, no redirects. Whatever is not an
 * answer comes out as a CoreFault.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
import { joinTurn } from '../../lib/turn.js';
import { CoreFault, connectionFault } from './fault.js';

export interface CoreTls {
  /** PEM, as the files have it. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
  readonly ca?: string | undefined;
}

export interface ClientOptions {
  /** May have a path; those of the contract come after it. */
  readonly url: string;
  readonly token?: string | undefined;
  readonly tls?: CoreTls | undefined;
  /** For one attempt, from the wish to connect to the last byte. */
  readonly timeoutMs: number;
  readonly connections: number;
  /** Bytes of one answer. */
  readonly responseLimit: number;
}

export interface RawRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Asked when the connection is there, immediately before the first byte. */
  readonly mayStart?: (() => boolean) | undefined;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** Of a reply that came with others: it is read already. */
  readonly json?: unknown;
}

const connectOptions = ({ tls, timeoutMs }: ClientOptions) => ({
  timeout: timeoutMs,
  ...(tls?.certificate ? { cert: tls.certificate } : {}),
  ...(tls?.key ? { key: tls.key } : {}),
  ...(tls?.ca ? { ca: tls.ca } : {}),
});

export class CoreClient {
  readonly #pool: Pool;
  readonly #prefix: string;
  readonly #credentials: Readonly<Record<string, string>>;

  constructor(options: ClientOptions) {
    const { url, token, connections, responseLimit } = options;
    const { origin, pathname } = new URL(url);
    this.#prefix = pathname.replace(/\/+$/, '');
    this.#credentials = token ? { authorization: `Bearer ${token}` } : {};
    this.#pool = new Pool(origin, {
      connections,
      connect: connectOptions(options),
      maxResponseSize: responseLimit,
    });
  }

  /**
   * Throws a CoreFault; after `ms` at the latest. The answer is collected as it comes: a stream and a signal for each would cost as much
   * as the exchange itself.
   */
  send({ method, path, headers, body, mayStart }: RawRequest, ms: number): Promise<RawAnswer> {
    const limit = Math.max(1, Math.ceil(ms));
    const question = {
      method,
      path: `${this.#prefix}${path}`,
      headers: {
        accept: 'application/json',
        ...this.#credentials,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      headersTimeout: limit,
      bodyTimeout: limit,
    };
    const answer = new Promise<RawAnswer>((resolve, reject) => {
      const chunks: Buffer[] = [];
      let head: Pick<RawAnswer, 'status' | 'headers'> = { status: 0, headers: {} };
      let abort: ((fault: CoreFault) => void) | undefined;
      let late: CoreFault | undefined;
      // The pool looks at its clocks once a second, and what has no connection yet cannot be aborted: this one is exact.
      const timer = setTimeout(() => {
        late = new CoreFault('late');
        reject(late);
        abort?.(late);
      }, limit);
      this.#pool.dispatch(question, {
        onRequestStart: (controller) => {
          abort = (fault) => controller.abort(fault);
          if (late) abort(late);
          else if (mayStart?.() === false) abort(new CoreFault('too-late'));
        },
        // An interim answer is followed by the final one.
        onResponseStart: (_controller, status, responseHeaders) => {
          head = { status, headers: responseHeaders };
        },
        onResponseData: (_controller, chunk) => {
          chunks.push(chunk);
        },
        onResponseEnd: () => {
          clearTimeout(timer);
          resolve({ bytes: Buffer.concat(chunks), ...head });
        },
        onResponseError: (_controller, error) => {
          clearTimeout(timer);
          reject(connectionFault(error));
        },
      });
    });
    // Answers of one turn continue together, so that their records share a commit.
    return joinTurn(answer);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
