/**
 * The core of a bank, as far as a funds confirmation asks for it (docs/core-openapi.json): each person has the account that is asked
 * about, and always funds. It answers at once or after a while. A second address sets that while, and says how many connections were
 * open at most since it was last asked.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

let delayMs = 0;
let [open, most] = [0, 0];

const accountOf = (id: string) => ({
  id,
  iban: null,
  bban: id.slice(0, 30),
  msisdn: null,
  currency: 'EUR',
  name: 'Current',
  product: 'Current account',
  type: 'CACC',
  ownerName: 'Bench',
  status: 'enabled',
});

const answerTo = (request: IncomingMessage, body: string): unknown => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://core');
  const [, kind, id = '', about] = pathname.split('/').map(decodeURIComponent);
  if (kind === 'health') return { status: 'ok', test: true };
  if (kind === 'account-holders' && about === 'accounts')
    return { psuId: id, accounts: [accountOf(searchParams.get('accountId') ?? 'none')], next: null };
  if (kind === 'accounts' && about === 'funds') {
    const { currency } = JSON.parse(body) as { currency: string };
    return { accountId: id, currency, fundsAvailable: true };
  }
  return undefined;
};

const send = (response: ServerResponse, answer: unknown): void => {
  const text = JSON.stringify(answer ?? { error: 'This core answers about funds alone.' });
  response
    .writeHead(answer === undefined ? 404 : 200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    })
    .end(text);
};

const core = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const answer = answerTo(request, Buffer.concat(chunks).toString());
    if (delayMs > 0) setTimeout(() => send(response, answer), delayMs);
    else send(response, answer);
  });
});
core.on('connection', (socket) => {
  open += 1;
  most = Math.max(most, open);
  socket.once('close', () => {
    open -= 1;
  });
});

const control = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '', 'http://control');
  delayMs = Number(searchParams.get('delay') ?? delayMs);
  send(response, { most });
  most = open;
});

const addressOf = (server: typeof core): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

core.listen(0, '127.0.0.1', () =>
  control.listen(0, '127.0.0.1', () => console.log(`${addressOf(core)} ${addressOf(control)}`)),
);
