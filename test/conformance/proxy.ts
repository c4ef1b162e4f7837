/** Stands between the kit and a good bank and alters its answers in one way: a bank with one defect. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export type Members = Record<string, unknown>;

export interface Asked {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Members;
}

/** An alteration changes it in place. */
export interface Altered {
  status: number;
  headers: OutgoingHttpHeaders;
  /** Undefined if it is no JSON; written instead of the text if it is there. */
  json: Members | undefined;
}

export type Alter = (answer: Altered, asked: Asked) => void;

const parsed = (text: string): Members | undefined => {
  try {
    return JSON.parse(text) as Members;
  } catch {
    return undefined;
  }
};

export const read = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Sends a request as it is to another place. */
export const passOn = (
  url: string | URL,
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  body: string | Buffer,
): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const options = { method, headers: { ...headers, connection: 'close' }, agent: false };
    const forwarded = request(url, options, (response) => {
      read(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
        reject,
      );
    });
    forwarded.on('error', reject);
    forwarded.end(body);
  });

export class AlteringProxy {
  /** None: it passes on what it gets. */
  alter: Alter = () => undefined;
  target = '';
  url = '';
  readonly #server: Server;

  constructor() {
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  }

  async up(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async down(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await read(incoming);
    const text = body.toString();
    const { method = 'GET', url: path = '/', headers } = incoming;
    const asked: Asked = { method, path, headers, text, json: parsed(text) ?? {} };
    const { status, headers: given, bytes } = await passOn(new URL(path, this.target), asked, body);
    const answer: Altered = { status, headers: { ...given }, json: parsed(bytes.toString()) };
    this.alter(answer, asked);
    const altered = answer.json === undefined ? bytes : Buffer.from(JSON.stringify(answer.json));
    delete answer.headers['content-length'];
    delete answer.headers['transfer-encoding'];
    outgoing.writeHead(answer.status, answer.headers);
    outgoing.end(answer.status === 304 || answer.status === 204 ? undefined : altered);
  }
}
