/**
 * Stands between a good bank and the receivers of its notifications, as its proxy for connections to the outside, and alters what it sends
 * in one way. What was altered is signed again, with a key that is published beside those of the bank.
 */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Alter, type Members, passOn, read } from './proxy.js';

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Of one attempt: `forward` brings a message to the receiver and gives its status; what is returned, the bank takes for it. */
export interface Attempt {
  readonly sent: Sent;
  /** From 1, of this event. */
  readonly count: number;
  readonly forward: (sent: Sent) => Promise<number>;
  /** As the bank would have sent it, with another content or another signature. */
  readonly signed: (change: Change) => Sent;
}

export interface Change {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Members;
  readonly covered?: readonly string[];
  /** By how many seconds it is younger than it was. */
  readonly laterS?: number;
}

export type AlterSending = (attempt: Attempt) => Promise<number>;

export const unaltered: AlterSending = ({ sent, forward }) => forward(sent);

const KEYS = '/events/psd2/v1/keys';
const COVERED = ['@method', '@target-uri', 'content-digest', 'content-type', 'event-id'];

export class SendingProxy {
  alter: AlterSending = unaltered;
  /** The bank will try again. */
  onRefused: () => void = () => undefined;
  readonly #server = createServer();
  readonly #inside: Server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  readonly #counts = new Map<string, number>();
  readonly #kid = randomUUID();
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  /** Puts the key of the altered messages beside those of the bank. */
  readonly publish: Alter = ({ json }, { path }) => {
    if (path === KEYS && Array.isArray(json?.keys))
      json.keys.push({ ...this.#keys.publicKey.export({ format: 'jwk' }), kid: this.#kid });
  };

  async up(): Promise<string> {
    this.#server.on('connect', (_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      this.#inside.emit('connection', socket);
    });
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async down(): Promise<void> {
    this.#inside.closeAllConnections();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await read(incoming);
    const { method = '', headers } = incoming;
    const url = `http://${headers.host}${incoming.url}`;
    // Such as questions about certificates.
    if (headers['event-id'] === undefined) {
      const { status, bytes, headers: given } = await passOn(url, { method, headers }, body);
      outgoing.writeHead(status, given).end(bytes);
      return;
    }
    const status = await this.#send(url, { headers: headers as Sent['headers'], body: body.toString() });
    outgoing.writeHead(status).end();
    if (status >= 500) this.onRefused();
  }

  #send(url: string, sent: Sent): Promise<number> {
    const id = sent.headers['event-id'] ?? '';
    const count = (this.#counts.get(id) ?? 0) + 1;
    this.#counts.set(id, count);
    return this.alter({
      sent,
      count,
      forward: async ({ headers, body }) => (await passOn(url, { method: 'POST', headers }, body)).status,
      signed: (change) => this.#signed(url, sent, change),
    });
  }

  #signed(url: string, { headers, body }: Sent, change: Change): Sent {
    const text = change.body ? JSON.stringify({ ...(JSON.parse(body) as Members), ...change.body }) : body;
    const digest = `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
    const all: Record<string, string> = {
      ...headers,
      'content-digest': digest,
      'content-length': String(Buffer.byteLength(text)),
      ...change.headers,
    };
    const covered = change.covered ?? COVERED;
    const created =
      Number(/created=(\d+)/.exec(headers['signature-input'] ?? '')?.[1]) + (change.laterS ?? 0);
    const input = `(${covered.map((name) => `"${name}"`).join(' ')});created=${created};keyid="${this.#kid}";alg="ecdsa-p256-sha256"`;
    const values: Record<string, string> = { ...all, '@method': 'POST', '@target-uri': url };
    const base = [...covered.map((name) => `"${name}": ${values[name]}`), `"@signature-params": ${input}`];
    const key = { key: this.#keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const signature = sign('sha256', Buffer.from(base.join('\n')), key).toString('base64');
    return {
      headers: { ...all, 'signature-input': `sig1=${input}`, signature: `sig1=:${signature}:` },
      body: text,
    };
  }
}
