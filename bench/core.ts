/**
 * The core of a bank, as far as a funds confirmation asks for it (docs/core-openapi.json): each person has the account that is asked about,
 * and always funds. It answers at once, so the floor and the service ask a core of the same speed. With `batches` it also takes many
 * questions in one call, and says so. Then come the number of its processes and the milliseconds that it takes for a question.
 */
import cluster from 'node:cluster';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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

const takesBatches = process.argv[2] === 'batches';
const operations = ['ping', 'findAccounts', 'hasFunds', ...(takesBatches ? ['hasFundsOfMany'] : [])];

interface Question {
  readonly id: string;
  readonly accountId: string;
  readonly currency: string;
}

const funds = (accountId: string, currency: string) => ({ accountId, currency, fundsAvailable: true });

const answerTo = (url: string, body: string): unknown => {
  const { pathname, searchParams } = new URL(url, 'http://core');
  const [, kind, id = '', about] = pathname.split('/').map(decodeURIComponent);
  if (kind === 'health') return { status: 'ok', test: true, operations };
  if (kind === 'account-holders' && about === 'accounts')
    return { psuId: id, accounts: [accountOf(searchParams.get('accountId') ?? 'none')], next: null };
  if (kind === 'accounts' && about === 'funds')
    return funds(id, (JSON.parse(body) as Pick<Question, 'currency'>).currency);
  if (kind === 'funds' && takesBatches) {
    const { questions } = JSON.parse(body) as { questions: readonly Question[] };
    const reply = (each: Question) => ({
      id: each.id,
      status: 200,
      answer: funds(each.accountId, each.currency),
    });
    return { replies: questions.map(reply) };
  }
  return undefined;
};

const processes = Number(process.argv[3] ?? 1);
const takesMs = Number(process.argv[4] ?? 0);

const serve = (): void => {
  const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const answer = answerTo(request.url ?? '', Buffer.concat(chunks).toString());
      const text = JSON.stringify(answer ?? { error: 'This core answers about funds alone.' });
      const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
      const send = (): unknown => response.writeHead(answer === undefined ? 404 : 200, headers).end(text);
      if (takesMs > 0 && request.url?.endsWith('/funds')) setTimeout(send, takesMs);
      else send();
    });
  }).listen(0, '127.0.0.1', () => {
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
};

if (processes > 1 && cluster.isPrimary) for (let each = 0; each < processes; each += 1) cluster.fork();
else serve();
