/**
 * The least that a durable answer costs: the JSON of a funds question is read, one row is stored by group commit, and a constant answer
 * is sent. With a core it is asked first, as in production. Nothing is checked. `durable <database> [core]`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { openRows } from './rows.js';

const [databaseUrl = '', coreUrl] = process.argv.slice(2);
const store = await openRows(databaseUrl);
const core = coreUrl ? new Pool(coreUrl, { connections: 64 }) : undefined;

const answer = JSON.stringify({ fundsAvailable: true });
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(answer),
};

interface Question {
  readonly instructedAmount: { readonly currency: string; readonly amount: number };
}

const ask = async (pool: Pool, { instructedAmount: { currency, amount } }: Question): Promise<void> => {
  const { body } = await pool.request({
    method: 'POST',
    path: '/accounts/bench/funds',
    headers: { 'content-type': 'application/json', 'psu-id': 'bench' },
    body: JSON.stringify({ currency, amount: amount.toFixed(2) }),
  });
  const { fundsAvailable } = (await body.json()) as { fundsAvailable?: boolean };
  if (fundsAvailable === undefined) throw new Error('the core did not answer the question');
};

const respond = async (bytes: Buffer): Promise<void> => {
  const question = JSON.parse(bytes.toString()) as Question;
  if (core) await ask(core, question);
  await store(bytes.toString());
};

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    respond(Buffer.concat(chunks)).then(
      () => response.writeHead(200, headers).end(answer),
      () => response.writeHead(500, { 'Content-Length': 0 }).end(),
    );
  });
}).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
