/**
 * A core as one person writes it in an afternoon: only what the contract requires. One account for each person, one currency, no
 * statements, nothing pending, a single balance, no running one, no codes of transactions, no codes shown.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Books, dayOf, type Entry } from './books.js';

interface Asked {
  readonly ids: readonly string[];
  readonly query: URLSearchParams;
  readonly body: { readonly [name: string]: unknown };
  readonly psuId: string;
}

/** Null is 404, whatever is thrown 400, a number itself. */
type Answer = object | number | null;

const euros = (cents: number): string => (cents / 100).toFixed(2);

const centsIn = (money: unknown): number => {
  const { currency, amount } = money as { readonly currency: unknown; readonly amount: unknown };
  if (currency !== 'EUR' || !/^\d+(\.\d\d?)?$/.test(amount as string)) throw new Error('no amount in euros');
  return Math.round(Number(amount) * 100);
};

const dayIn = (query: URLSearchParams, name: string): string => {
  const day = query.get(name) ?? '';
  if (dayOf(Date.parse(day)) !== day) throw new Error('no day');
  return day;
};

const listOf = (books: Books, { ids: [id = ''], query, psuId }: Asked): Answer => {
  const account = books.account(Number(id), Number(psuId));
  if (!account) return null;
  const [from, to, limit] = [dayIn(query, 'from'), dayIn(query, 'to'), Number(query.get('limit'))];
  const status = query.get('status');
  if (limit < 1 || limit > 1000 || (status !== 'booked' && status !== 'pending')) return 400;
  if (status === 'pending') return { accountId: id, transactions: [], next: null };
  const after = query.get('after');
  const newest = account.entries.toReversed();
  const start = after === null ? 0 : newest.findIndex(({ no }) => String(no) === after) + 1;
  if (after !== null && start === 0) return 400;
  const rest = newest.slice(start).filter(({ day }) => day >= from && day <= to);
  const page = rest.slice(0, limit);
  const next = rest.length > limit ? String(page.at(-1)?.no) : null;
  return { accountId: id, transactions: page.map(transactionOf), next };
};

const transactionOf = ({ no, day, at, cents }: Entry) => ({
  id: `${no}`,
  status: 'booked',
  bookingDate: day,
  valueDate: day,
  at: new Date(at).toISOString(),
  currency: 'EUR',
  amount: euros(cents),
  counterpartyName: null,
  counterpartyIban: null,
  remittanceInformation: null,
  endToEndId: null,
  exchange: null,
});

const stateOf = (paymentId: string, isPaid: boolean): object => ({
  paymentId,
  status: isPaid ? 'ACSC' : 'RJCT',
  reason: isPaid ? null : { code: 'AM04', text: 'not enough' },
  lookAgainAt: null,
});

const shown = ({ shownHash, payment }: Asked['body']): string => JSON.stringify([shownHash, payment]);

const ofHolder =
  (books: Books, answer: (id: string, available: number, asked: Asked) => Answer) =>
  (asked: Asked): Answer => {
    const account = books.account(Number(asked.ids[0]), Number(asked.psuId));
    return account ? answer(String(asked.ids[0]), books.booked(account), asked) : null;
  };

const routesOf = (books: Books): Readonly<Record<string, (asked: Asked) => Answer>> => ({
  'GET /health': () => ({ status: 'ok', operations: ['ping', 'findAccounts', 'hasFunds', 'executePayment'] }),
  'GET /account-holders/*/accounts': ({ ids: [psuId = ''] }) => ({
    psuId,
    accounts: books
      .of(Number(psuId))
      .slice(0, 1)
      .map((account) => ({
        id: `${account.no}`,
        iban: null,
        bban: `${account.no}`,
        msisdn: null,
        currency: 'EUR',
        name: '',
        product: '',
        type: 'CACC',
        ownerName: books.nameOf(Number(psuId)),
        status: 'enabled',
        balance: euros(books.booked(account)),
      })),
  }),
  'POST /accounts/*/funds': ofHolder(books, (accountId, available, { body }) => ({
    accountId,
    currency: 'EUR',
    fundsAvailable: available >= centsIn(body),
  })),
  'GET /accounts/*/balances': ofHolder(books, (accountId, available) => {
    const at = new Date(books.now()).toISOString();
    const money = { currency: 'EUR', amount: euros(available) };
    return { accountId, balances: [{ type: 'interimAvailable', ...money, includesCreditLine: false, at }] };
  }),
  'GET /accounts/*/transactions': (asked) => listOf(books, asked),
  'GET /accounts/*/transactions/*': ({ ids: [accountId, id], psuId }) => {
    const account = books.account(Number(accountId), Number(psuId));
    const entry = account?.entries.find(({ no }) => String(no) === id);
    return entry ? { accountId, transaction: transactionOf(entry) } : null;
  },
  'GET /accounts/*/statements': ofHolder(books, (accountId) => ({ accountId, statements: [] })),
  'GET /accounts/*/statements/*': () => null,
  'POST /transfer-terms': ({ body: { product, amount } }) => {
    if (product !== 'domestic' || centsIn(amount) === 0) return 400;
    return { faults: [], charge: { currency: 'EUR', amount: '0' }, quote: null };
  },
  'PUT /payments/*': ({ ids: [id = ''], body }) => {
    if (body.paymentId !== id) return 400;
    const order = books.pay(id, JSON.stringify(body), Number(body.payerAccountId), centsIn(body.amount));
    return order === 'other' ? 409 : stateOf(id, order.isPaid);
  },
  'GET /payments/*': ({ ids: [id = ''] }) => {
    const order = books.order(id);
    return order ? stateOf(id, order.isPaid) : null;
  },
  'POST /logins': ({ body: { username, password } }) => {
    if (typeof username !== 'string' || typeof password !== 'string') return 400;
    const person = books.person(username, password);
    return {
      recognised: person !== undefined,
      psuId: person ? `${person.no}` : null,
      name: person?.name ?? null,
    };
  },
  'POST /account-holders/*/challenges': ({ ids: [psuId = ''], body }) => ({
    psuId,
    challengeId: books.challenge(Number(psuId), shown(body)).id,
    demoCode: null,
  }),
  'POST /account-holders/*/challenges/*/attempts': ({ ids: [psuId = '', challengeId = ''], body }) => ({
    psuId,
    challengeId,
    outcome: books.attempt(challengeId, Number(psuId), shown(body), String(body.code)),
  }),
});

const patternOf = (route: string): RegExp => new RegExp(`^${route.replaceAll('*', '([^/]+)')}$`);

export const minimalCore = (books: Books, token: string): Server => {
  const routes = Object.entries(routesOf(books)).map(
    ([route, answer]) => [patternOf(route), answer] as const,
  );
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://core');
    const psuId = String(request.headers['psu-id']);
    let result: Answer = null;
    try {
      const body = JSON.parse((await text(request)) || '{}') as Asked['body'];
      for (const [pattern, answer] of routes) {
        const found = pattern.exec(`${request.method} ${pathname}`);
        if (found) result = answer({ ids: found.slice(1).map(decodeURIComponent), query, body, psuId });
      }
    } catch {
      result = 400;
    }
    if (request.headers.authorization !== `Bearer ${token}`) result = 401;
    const status = result === null ? 404 : typeof result === 'number' ? result : 200;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(status === 200 ? JSON.stringify(result) : '{}');
  };
  return createServer((request, response) => void serve(request, response));
};

export const minimalSubject = {
  ...{ psuId: '4711', accountId: '7001', otherPsuId: '4712', otherAccountId: '7003' },
  ...{ username: 'eleni', password: 'eleni-pass' },
  payment: {
    payerAccountId: '7001',
    creditAccount: { bban: '7003' },
    amount: { currency: 'EUR', amount: '0.01' },
    product: 'domestic',
  },
} as const;
