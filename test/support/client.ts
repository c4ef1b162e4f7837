/** A plain HTTP client that sends exactly what it is told, repeated headers included, and checks every answer's contract. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { checkContract } from './contract.js';

/** A certificate, with those that lead to its issuer, and its key; in PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Wanted {
  readonly method?: string;
  readonly path: string;
  /** Pairs, so that a header can be repeated. Undefined values are left out. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: string | Buffer | object;
  /** The certificate of the client on an https address. */
  readonly identity?: Identity;
  /** For pages, which are not part of the interface. */
  readonly outsideContract?: boolean;
}

export interface Answer {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: unknown;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const anonymous = new TlsAgent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false });
const agents = new WeakMap<Identity, TlsAgent>();

/** Who the server is, is not what these tests are about. */
const tlsAgentOf = (identity: Identity | undefined): TlsAgent => {
  if (!identity) return anonymous;
  const known =
    agents.get(identity) ?? new TlsAgent({ keepAlive: true, rejectUnauthorized: false, ...identity });
  agents.set(identity, known);
  return known;
};

const payloadOf = (body: Wanted['body']): string | Buffer | undefined =>
  body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);

const decode = (bytes: Buffer, coding: string | undefined): string => {
  // The answer to HEAD has the headers only.
  if (bytes.length === 0) return '';
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  if (coding === 'gzip') return gunzipSync(bytes).toString();
  return bytes.toString();
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const send = (baseUrl: string, wanted: Wanted): Promise<Answer> => {
  const { method = 'GET', path } = wanted;
  const url = new URL(baseUrl);
  const payload = payloadOf(wanted.body);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(wanted.headers ?? {})) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : [...value];
  }
  if (
    payload !== undefined &&
    !Object.keys(headers).some((name) => /^(content-length|transfer-encoding)$/i.test(name))
  ) {
    headers['Content-Length'] = String(Buffer.byteLength(payload));
  }
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:';
    const outgoing = (isTls ? tlsRequest : request)(
      {
        ...{ host: url.hostname, port: url.port, method, path, headers },
        agent: isTls ? tlsAgentOf(wanted.identity) : agent,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = decode(Buffer.concat(chunks), response.headers['content-encoding']);
          const answer: Answer = {
            method,
            path: path.split('?')[0] ?? path,
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: parse(text),
          };
          try {
            if (!wanted.outsideContract)
              checkContract(answer, { isRehearsed: 'Sandbox-Scenario' in headers });
            resolve(answer);
          } catch (error) {
            reject(error);
          }
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
};

/** For helpers: what they ask for must have worked, else the test would fail somewhere else for no visible reason. */
export const done = (answer: Answer): Answer => {
  const { method, path, status, text } = answer;
  if (status < 200 || status > 299) throw new Error(`${method} ${path} was answered ${status}: ${text}`);
  return answer;
};

/** A token of the sandbox for the first application and account holder, or those named. */
export const sandboxToken = async (baseUrl: string, as: object = {}): Promise<string> => {
  const answer = done(await send(baseUrl, { method: 'POST', path: '/sandbox/tokens', body: as }));
  return (answer.json as { access_token: string }).access_token;
};

/** Raw bytes in, raw text out: for what no HTTP client would send. Ends when the server closes or after `until` is seen. */
export const sendRaw = (baseUrl: string, bytes: string | Buffer, until?: RegExp): Promise<string> => {
  const url = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(url.port), url.hostname, () => socket.write(bytes));
    // A letter of two bytes may come in two pieces.
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (until?.test(text)) socket.destroy();
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(text) : reject(error),
    );
    socket.on('close', () => resolve(text));
  });
};

/** The problem body at the end of a raw answer. */
export const rawProblem = (text: string): { status: number; slug: string; body: Record<string, unknown> } => {
  const [head = '', payload = ''] = text.split('\r\n\r\n');
  const body = JSON.parse(payload) as Record<string, unknown>;
  return { status: Number(head.split(' ')[1]), slug: String(body.type).split('/').at(-1) ?? '', body };
};

export const slugOf = (answer: Answer): string =>
  String((answer.json as { type?: unknown } | undefined)?.type)
    .split('/')
    .at(-1) ?? '';
