/**
 * One question to the core over HTTP: connections that are kept, limits of time and size, no redirects. Whatever is not an
 * answer comes out as a CoreFault.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Pool } from 'undici';
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
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: ArrayBuffer;
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
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: ClientOptions) {
    const { url, token, connections, responseLimit } = options;
    const { origin, pathname } = new URL(url);
    this.#prefix = pathname.replace(/\/+$/, '');
    this.#headers = { accept: 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    this.#pool = new Pool(origin, {
      connections,
      connect: connectOptions(options),
      maxResponseSize: responseLimit,
    });
  }

  async #exchange(request: RawRequest, limit: number, signal: AbortSignal): Promise<RawAnswer> {
    const { method, path, headers, body } = request;
    const answer = await this.#pool.request({
      method,
      path: `${this.#prefix}${path}`,
      headers: {
        ...this.#headers,
        ...headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      headersTimeout: limit,
      bodyTimeout: limit,
      signal,
    });
    return { status: answer.statusCode, headers: answer.headers, bytes: await answer.body.arrayBuffer() };
  }

  /** Throws a CoreFault; after `ms` at the latest. */
  async send(request: RawRequest, ms: number): Promise<RawAnswer> {
    const attempt = new AbortController();
    const limit = Math.max(1, Math.ceil(ms));
    let timer: NodeJS.Timeout | undefined;
    // The pool looks at its clocks once a second, and a request without a connection does not hear the signal: this one is exact.
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const fault = new CoreFault('late');
        reject(fault);
        attempt.abort(fault);
      }, limit);
    });
    try {
      return await Promise.race([this.#exchange(request, limit, attempt.signal), late]);
    } catch (error) {
      throw connectionFault(error);
    } finally {
      clearTimeout(timer);
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
