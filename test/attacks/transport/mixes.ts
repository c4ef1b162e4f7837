/** Messages of all kinds on one connection, with the ids that their answers must carry; cut anywhere, ended in any way. */
import { connect, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Random } from '../../journeys/fuzz/random.js';
import { ATMS, FUNDS, fundsBody } from '../../support/operations.js';

export interface Mix {
  readonly bytes: Buffer;
  /** Of the requests that are whole, in their order. */
  readonly ids: readonly string[];
}

type Ending = 'reset' | 'close' | 'half-close' | 'reset after an answer';

const tails = [
  '',
  '',
  'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\nGET /docs HTTP/1.1\r\nHost: x\r\n\r\n',
  '\x16\x03\x01\x02\x00garbage\r\n\r\n',
  `POST ${FUNDS} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  'GET /docs HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
] as const;

/** One good request; a funds question has an answer of its own by its amount. */
const requestOf = (random: Random, credentials: string, id: string): string => {
  const head = `Host: x\r\nX-Request-ID: ${id}\r\n`;
  const post = (path: string, type: string, body: string, more = ''): string =>
    `POST ${path} HTTP/1.1\r\n${head}${more}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\n${head}${more}\r\n`;
  return random.pick([
    () => post(FUNDS, 'application/json', JSON.stringify(fundsBody()), credentials),
    () => post(FUNDS, 'application/json', JSON.stringify(fundsBody())),
    () => get(ATMS, credentials),
    () => get(ATMS, `${credentials}Connection: Upgrade\r\nUpgrade: websocket\r\n`),
    () => get('/docs'),
    () => get('/nowhere'),
    () => get('/oauth/jwks'),
    () => get('/oauth/authorize?client_id=nobody'),
    () => post('/oauth/token', 'application/x-www-form-urlencoded', 'grant_type=client_credentials'),
    () => post('/dashboard/login', 'application/x-www-form-urlencoded', 'username=nobody&password=x'),
  ])();
};

/** Up to three requests and what may follow them, cut at any byte. */
export const mixOf = (random: Random, credentials: string): Mix => {
  const requests = Array.from({ length: random.int(4) }, () => {
    const id = random.uuid();
    return { id, text: requestOf(random, credentials, id) };
  });
  const all = Buffer.from([...requests.map(({ text }) => text), random.pick(tails)].join(''), 'latin1');
  const bytes = random.chance(0.2) ? all : all.subarray(0, random.int(all.length + 1));
  let end = 0;
  const ids: string[] = [];
  for (const { id, text } of requests) {
    end += text.length;
    if (end <= bytes.length) ids.push(id);
  }
  return { bytes, ids };
};

/** What may be asked of the management listener, cut at any byte. */
export const questionOf = (random: Random): Mix => {
  const paths = Array.from({ length: random.int(4) }, () =>
    random.pick(['/health/live', '/health/ready', '/metrics', '/nowhere']),
  );
  const text = `${paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')}${random.pick(tails)}`;
  return { bytes: Buffer.from(text, 'latin1').subarray(0, random.int(text.length + 1)), ids: [] };
};

const open = (url: string): { socket: Socket; wire: Socket } => {
  const { hostname: host, port, protocol } = new URL(url);
  const wire = connect(Number(port), host);
  wire.on('error', () => undefined);
  if (protocol === 'http:') return { socket: wire, wire };
  return { socket: connectTls({ socket: wire, rejectUnauthorized: false }), wire };
};

/** Sends the bytes, in one piece or two, and ends the connection. What was answered until then. */
export const attack = (url: string, { bytes }: Mix, random: Random): Promise<Buffer> => {
  const ending = random.pick<Ending>(['reset', 'close', 'half-close', 'reset after an answer']);
  const [cut, turns] = [random.int(bytes.length + 1), random.int(30)];
  return new Promise((resolve) => {
    const { socket, wire } = open(url);
    const heard: Buffer[] = [];
    const end = (): void => {
      if (ending === 'close') socket.destroy();
      else wire.resetAndDestroy();
    };
    const wait = (left: number): void => {
      if (left > 0) setImmediate(wait, left - 1);
      else if (ending === 'half-close') socket.end();
      else if (ending !== 'reset after an answer' || heard.length > 0) end();
      // Nothing may ever come: then the connection is left at once.
      else setTimeout(end, 20);
    };
    socket.on('data', (chunk: Buffer) => {
      heard.push(chunk);
      if (ending === 'reset after an answer') end();
    });
    socket.on('error', () => undefined);
    wire.on('close', () => resolve(Buffer.concat(heard)));
    socket.once(socket instanceof Socket && socket === wire ? 'connect' : 'secureConnect', () => {
      socket.write(bytes.subarray(0, cut));
      socket.write(bytes.subarray(cut), () => wait(turns));
    });
  });
};

const LAST_CHUNK = '\r\n0\r\n\r\n';

/** The whole answers in these bytes: status and id. The last one may be cut. */
export const answersIn = (bytes: Buffer): readonly { readonly status: number; readonly id: string }[] => {
  const answers: { status: number; id: string }[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return answers;
    const head = rest.subarray(0, end).toString('latin1');
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? [];
    if (status === undefined) throw new Error(`no answer: ${head.slice(0, 200)}`);
    const bodyEnd = /^transfer-encoding: chunked/im.test(head)
      ? rest.indexOf(LAST_CHUNK, end + 2) + LAST_CHUNK.length
      : end + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (bodyEnd < end + 4 || rest.length < bodyEnd) return answers;
    answers.push({ status: Number(status), id: /^x-request-id: (\S+)/im.exec(head)?.[1] ?? '' });
    rest = rest.subarray(bodyEnd);
  }
};
