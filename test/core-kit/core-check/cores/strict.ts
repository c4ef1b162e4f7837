/**
 * A core as a generator makes its skeleton: every question is checked against docs/core-openapi.json before a handler sees it, and
 * so is every answer before it leaves. What the document does not have is 400.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Books, dayOf, type Entry, type Held, type Period } from './books.js';

type Json = Readonly<Record<string, unknown>>;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: { readonly type?: string };
}

interface Document {
  readonly paths: Record<string, Record<string, Json & { operationId: string; parameters: Json[] }>>;
  readonly components: { readonly parameters: Record<string, Parameter> };
}

const document = JSON.parse(readFileSync('docs/core-openapi.json', 'utf8')) as Document;

const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const ajv = new Ajv2020({
  strict: false,
  formats: {
    uuid,
    date: (text: string) => !Number.isNaN(Date.parse(text)) && dayOf(Date.parse(text)) === text,
    'date-time': (text: string) => /T.*(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text)),
  },
});
ajv.addSchema(document as unknown as Json, 'core');

class Status extends Error {
  constructor(readonly status: number) {
    super(`status ${status}`);
  }
}

interface Request {
  readonly path: Record<string, string>;
  readonly query: Record<string, string | number>;
  readonly header: Record<string, string>;
  readonly body: Record<string, unknown>;
}

type Handler = (request: Request) => unknown;

interface Route {
  readonly id: string;
  readonly method: string;
  readonly pattern: RegExp;
  readonly parameters: readonly (Parameter & { readonly check: ValidateFunction })[];
  readonly checkBody: ValidateFunction | undefined;
  readonly checkAnswer: ValidateFunction;
}

const at = (pointer: readonly string[]): ValidateFunction =>
  ajv.compile({
    $ref: `core#/${pointer.map((each) => encodeURIComponent(each.replaceAll('/', '~1'))).join('/')}`,
  });

const schemaOf = ['content', 'application/json', 'schema'];
const isOffered = (path: string): boolean => !/\/(document|cancellation|\{consentId\})$|^\/funds$/.test(path);
const offered = Object.entries(document.paths).filter(([path]) => isOffered(path));
const routes: readonly Route[] = offered.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const place = ['paths', path, method];
    return {
      id: operation.operationId,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      parameters: operation.parameters.map((each) => {
        const name = String(each.$ref ?? '').replace('#/components/parameters/', '');
        const parameter = document.components.parameters[name] ?? (each as unknown as Parameter);
        return { ...parameter, check: ajv.compile(parameter.schema) };
      }),
      checkBody: operation.requestBody ? at([...place, 'requestBody', ...schemaOf]) : undefined,
      checkAnswer: at([...place, 'responses', '200', ...schemaOf]),
    };
  }),
);

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += piece as string;
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    throw new Status(400);
  }
};

const checked = async ({ parameters, pattern, checkBody }: Route, request: IncomingMessage, url: URL) => {
  const sent = {
    path: Object.fromEntries(
      Object.entries(pattern.exec(url.pathname)?.groups ?? {}).map(([name, text]) => [
        name,
        decodeURIComponent(text),
      ]),
    ),
    query: Object.fromEntries(url.searchParams) as Record<string, string | number>,
    header: request.headers as Record<string, string>,
  };
  for (const { name, in: place, required, schema, check } of parameters) {
    const key = place === 'header' ? name.toLowerCase() : name;
    const text = sent[place][key];
    if (text === undefined && !required) continue;
    const value = schema.type === 'integer' && /^\d+$/.test(String(text)) ? Number(text) : text;
    if (!check(value)) throw new Status(400);
    if (place === 'query' && value !== undefined) sent.query[key] = value;
  }
  const isKnown = (name: string): boolean =>
    parameters.some((each) => each.in === 'query' && each.name === name);
  if (!Object.keys(sent.query).every(isKnown)) throw new Status(400);
  const body = await bodyOf(request);
  if (checkBody ? !checkBody(body) : body !== undefined) throw new Status(400);
  return { ...sent, body: (body ?? {}) as Record<string, unknown> };
};

const euros = (cents: number): string => `${cents < 0 ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
const money = (cents: number) => ({ currency: 'EUR', amount: euros(cents) });

const centsOf = ({ currency, amount }: { currency: string; amount: string }): number => {
  if (currency !== 'EUR' || !/^\d+(\.\d{1,2})?$/.test(amount)) throw new Status(400);
  return Math.round(Number(amount) * 100);
};

const noIn = (text: string | undefined): number => Number(/^[PA]-(\d{4})$/.exec(text ?? '')?.[1] ?? 0);

const transactionOf = ({ no, day, at: ms, cents, after, text }: Entry, isBooked: boolean) => ({
  ...{ id: `E-${no}`, status: isBooked ? 'booked' : 'pending', valueDate: day, ...money(cents) },
  ...{ bookingDate: isBooked ? day : null, balance: isBooked ? euros(after) : null },
  ...{ at: new Date(ms).toISOString(), code: 'PMNT-CCRD-POSD', remittanceInformation: text },
  ...{ counterpartyName: null, counterpartyIban: null, endToEndId: null, exchange: null },
});

const statementOf = ({ first, last, entries, opening, closing }: Period) => {
  const credits = entries.filter(({ cents }) => cents > 0);
  const debits = entries.filter(({ cents }) => cents < 0);
  const sum = (list: readonly Entry[]): string => euros(list.reduce((total, { cents }) => total + cents, 0));
  return {
    ...{ id: first.slice(0, 7), currency: 'EUR', from: first, to: last, createdAt: `${last}T23:59:59Z` },
    ...{ opening: euros(opening), closing: euros(closing), credits: sum(credits), debits: sum(debits) },
    ...{ creditCount: credits.length, debitCount: debits.length },
  };
};

const handlersOf = (books: Books): Readonly<Record<string, Handler>> => {
  let asked = 0;
  const held = ({ path, header }: Request): Held => {
    const found = books.account(noIn(path.accountId), noIn(header['psu-id']));
    if (!found) throw new Status(404);
    return found;
  };
  const stateOf = (id: string, isPaid: boolean) => ({
    ...{ paymentId: id, status: isPaid ? 'ACSC' : 'RJCT', lookAgainAt: null },
    reason: isPaid ? null : { code: 'AM04', text: 'Not enough money.' },
  });
  const shownIn = ({ shownHash, payment }: Record<string, unknown>): string =>
    JSON.stringify([shownHash, payment]);
  return {
    ping: () => ({ status: 'ok' }),
    findAccounts: ({ path: { psuId } }) => ({
      psuId,
      accounts: books.of(noIn(psuId)).map((account) => ({
        ...{ id: `A-${account.no}`, iban: null, bban: `BANK${account.no}`, msisdn: null, currency: 'EUR' },
        ...{ name: 'Account', product: 'Current', type: 'CACC', ownerName: books.nameOf(noIn(psuId)) },
        status: account.state === 'open' ? 'enabled' : account.state,
        balance: euros(books.available(account)),
      })),
    }),
    hasFunds: (request) => {
      const account = held(request);
      const wanted = centsOf(request.body as { currency: string; amount: string });
      const fundsAvailable = account.state === 'open' && books.available(account) >= wanted;
      return { accountId: request.path.accountId, currency: 'EUR', fundsAvailable };
    },
    readBalances: (request) => {
      const account = held(request);
      const rest = { includesCreditLine: false, at: new Date(account.entries.at(-1)?.at ?? 0).toISOString() };
      return {
        accountId: request.path.accountId,
        balances: [
          { type: 'interimBooked', ...money(books.booked(account)), ...rest },
          { type: 'interimAvailable', ...money(books.available(account)), ...rest },
        ],
      };
    },
    listTransactions: (request) => {
      const { entries, pending } = held(request);
      const { from, to, status, limit, after } = request.query;
      const isBooked = status === 'booked';
      const all = (isBooked ? entries : pending).toReversed();
      const mark = isBooked ? 'b' : 'p';
      const place = after === undefined ? -1 : all.findIndex(({ no }) => after === `${mark}${no}`);
      if (after !== undefined && place < 0) throw new Status(400);
      const rest = all.slice(place + 1).filter(({ day }) => day >= String(from) && day <= String(to));
      const page = rest.slice(0, Number(limit));
      return {
        accountId: request.path.accountId,
        transactions: page.map((entry) => transactionOf(entry, isBooked)),
        next: rest.length > page.length ? `${mark}${page.at(-1)?.no}` : null,
      };
    },
    readTransaction: (request) => {
      const { entries, pending } = held(request);
      const { accountId, transactionId } = request.path;
      const found = [...entries, ...pending].find(({ no }) => `E-${no}` === transactionId);
      if (!found) throw new Status(404);
      return { accountId, transaction: transactionOf(found, entries.includes(found)) };
    },
    listStatements: (request) => {
      const { from, to } = request.query;
      const all = books.periods(held(request), false);
      const wanted = all.filter(({ first, last }) => first >= String(from) && last <= String(to));
      return { accountId: request.path.accountId, statements: wanted.map(statementOf) };
    },
    readStatement: (request) => {
      const { accountId, statementId } = request.path;
      const found = books
        .periods(held(request), false)
        .find(({ first }) => first.slice(0, 7) === statementId);
      if (!found) throw new Status(404);
      return { accountId, statement: statementOf(found) };
    },
    quoteTransfer: ({ body }) => {
      centsOf(body.amount as { currency: string; amount: string });
      // Its tariff moves; what was approved is paid.
      asked += 1;
      return { faults: [], charge: money(25 + (Math.floor(asked / 2) % 4)), quote: null };
    },
    executePayment: ({ path: { paymentId = '' }, body }) => {
      if (body.paymentId !== paymentId) throw new Status(400);
      const [amount, charge] = [body.amount, body.charge] as { currency: string; amount: string }[];
      if (!amount || !charge) throw new Status(400);
      const payer = noIn(String(body.payerAccountId));
      const order = books.pay(paymentId, JSON.stringify(body), payer, centsOf(amount) + centsOf(charge));
      if (order === 'other') throw new Status(409);
      return stateOf(paymentId, order.isPaid);
    },
    readPayment: ({ path: { paymentId = '' } }) => {
      const order = books.order(paymentId);
      if (!order) throw new Status(404);
      return stateOf(paymentId, order.isPaid);
    },
    login: ({ body: { username, password } }) => {
      const person = books.person(String(username), String(password));
      const psuId = person ? `P-${person.no}` : null;
      return { recognised: person !== undefined, psuId, name: person?.name ?? null };
    },
    sendCode: ({ path: { psuId }, body }) => {
      if (!books.hasPerson(noIn(psuId))) throw new Status(404);
      const { id, code } = books.challenge(noIn(psuId), shownIn(body));
      return { psuId, challengeId: id, demoCode: code };
    },
    tryCode: ({ path: { psuId, challengeId = '' }, body }) => ({
      ...{ psuId, challengeId },
      outcome: books.attempt(challengeId, noIn(psuId), shownIn(body), String(body.code)),
    }),
  };
};

export const strictCore = (books: Books, { isOld = false } = {}): Server => {
  const handlers = handlersOf(books);
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const url = new URL(request.url ?? '/', 'http://core');
    const route = routes.find(
      ({ method, pattern }) => method === request.method && pattern.test(url.pathname),
    );
    if (!route) throw new Status(isOffered(url.pathname) ? 404 : 501);
    // As if the document were from before accounts could be asked for with a query.
    const known = isOld && route.id === 'findAccounts' ? { ...route, parameters: [] } : route;
    const body = await handlers[route.id]?.(await checked(known, request, url));
    if (!route.checkAnswer(body)) throw new Error(`${route.id}: ${ajv.errorsText(route.checkAnswer.errors)}`);
    return body;
  };
  return createServer((request, response) => {
    answer(request).then(
      (body) => response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(error instanceof Status ? error.status : 500).end(),
    );
  });
};

export const strictSubject = {
  ...{ psuId: 'P-4711', ownerName: 'Ελένη Παπαδοπούλου', accountId: 'A-7001' },
  ...{ otherPsuId: 'P-4712', otherAccountId: 'A-7003', username: 'eleni', password: 'eleni-pass' },
  blockedAccount: { id: 'A-7002', currency: 'EUR' },
  payment: {
    payerAccountId: 'A-7001',
    creditAccount: { bban: 'BANK7003' },
    amount: { currency: 'EUR', amount: '0.01' },
    product: 'domestic',
  },
} as const;
