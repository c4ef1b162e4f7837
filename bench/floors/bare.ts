/**
 * The floors: what Node's HTTP can do on this machine with nothing behind it. `get` answers constant bytes, `post` parses the
 * same JSON first. Whatever the service reaches is told as a part of these.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const [kind = 'get', size = '18', certificates] = process.argv.slice(2);
const bytes = Buffer.alloc(Number(size), 0x20);
const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': bytes.length };
const answer = JSON.stringify({ fundsAvailable: true });
const answerHeaders = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(answer),
};

const get = (_request: IncomingMessage, response: ServerResponse): void => {
  response.writeHead(200, headers);
  response.end(bytes);
};

const post = (request: IncomingMessage, response: ServerResponse): void => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { instructedAmount?: unknown };
    if (body.instructedAmount === undefined) response.writeHead(400).end();
    else response.writeHead(200, answerHeaders).end(answer);
  });
};

const listeners = { get, post };
const listener = listeners[kind as keyof typeof listeners];
const options = { keepAliveTimeout: 65_000 };
const tls = (folder: string) => ({
  key: readFileSync(join(folder, 'tls.key')),
  cert: readFileSync(join(folder, 'tls.pem')),
});
const server = certificates
  ? createTlsServer({ ...options, ...tls(certificates) }, listener)
  : createServer(options, listener);
server.listen(0, '127.0.0.1', () => {
  console.log(`${certificates ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
