/**
 * A small core for Trapeza: all operations of core-openapi.json, typed by the contract, on Node alone.
 *
 *     CORE_TOKEN=… node core.ts journal.ndjson 8090        (Node 22.18 or newer)
 *
 * Its books are in memory; the journal of payments stands for the database of a real core. It is a test system: it says so in
 * /health and shows its one-time codes.
 */
import { createHmac, randomBytes, randomInt, randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { CoreAnswer, CoreOperations } from 'trapeza/bank';

/** An answer other than 200. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, why: string) {
    super(why);
    this.status = status;
  }
}

type Fields = Readonly<Record<string, unknown>>;

interface Question {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Fields;
  /** The header PSU-ID. */
  readonly person: string;
}

const [file = 'journal.ndjson', port = '8090'] = process.argv.slice(2);

/** The first line says when the books were opened, each other one is a payment and when it came. */
interface Line {
  readonly at: string;
  readonly question?: Fields;
}
const journal: readonly Line[] = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  : [];
const write = (line: Line): void => appendFileSync(file, `${JSON.stringify(line)}\n`, { flush: true });
const openedAt = journal[0]?.at ?? new Date().toISOString();
if (journal.length === 0) write({ at: openedAt });

const DAY_MS = 86_400_000;
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const money = (cents: number): string => (cents / 100).toFixed(2);

// --- The books: accounts, their holders and entries ---

const people = [
  { id: 'customer-1', username: 'eleni', password: 'eleni-test', name: 'Ελένη Παπαδοπούλου' },
  { id: 'customer-2', username: 'nikos', password: 'nikos-test', name: 'Νίκος Γεωργίου' },
  { id: 'customer-3', username: 'anna', password: 'anna-test', name: 'Άννα Δήμου' },
];

interface Account {
  readonly id: string;
  readonly iban: string;
  readonly name: string;
  readonly holders: readonly string[];
  readonly status: 'enabled' | 'blocked' | 'closed';
}

interface Entry {
  readonly number: number;
  readonly account: string;
  readonly status: 'booked' | 'pending';
  /** Booking day, or value day while it is pending. */
  readonly day: string;
  readonly at: string;
  readonly cents: number;
  readonly balance: number;
  readonly code: string;
  readonly name: string | null;
  readonly text: string | null;
  readonly iban?: string | null;
  readonly endToEndId?: string | null;
  readonly paymentId?: string;
}

const mod97 = (text: string): number =>
  [...text].reduce((rest, char) => Number(`${rest}${Number.parseInt(char, 36)}`) % 97, 0);
const isIban = (text: string): boolean =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text) && mod97(text.slice(4) + text.slice(0, 4)) === 1;
const ibanOf = (number: string): string => {
  const digits = `9980001${number.padStart(16, '0')}`;
  return `GR${String(98 - mod97(`${digits}GR00`)).padStart(2, '0')}${digits}`;
};

const account = (id: string, holders: readonly string[], status: Account['status'] = 'enabled'): Account => ({
  ...{ id, iban: ibanOf(id), name: `Current account ${id}`, holders, status },
});
const accounts: readonly Account[] = [
  account('101', ['customer-1', 'customer-2']),
  account('102', ['customer-1']),
  account('103', ['customer-1'], 'blocked'),
  account('104', ['customer-1'], 'closed'),
  account('301', ['customer-3']),
];

/** In the order of booking: `number` is never used again. */
const entries: Entry[] = [];

const booked = (id: string, before = '9999'): number =>
  entries.findLast((each) => each.account === id && each.status === 'booked' && each.day < before)?.balance ??
  0;

type NewEntry = Pick<Entry, 'code' | 'name' | 'text'> & Partial<Entry>;

const book = (id: string, cents: number, entry: NewEntry): void => {
  const at = entry.at ?? new Date().toISOString();
  const [number, balance] = [entries.length + 1, booked(id) + cents];
  entries.push({ number, account: id, status: 'booked', day: at.slice(0, 10), at, cents, balance, ...entry });
};

/** A year of salaries and purchases, and something pending. */
const seed = (id: string, salary: number): void => {
  for (let ago = 380; ago > 0; ago -= 1) {
    const at = `${dayOf(Date.parse(openedAt) - ago * DAY_MS)}T09:30:00Z`;
    const day = Number(at.slice(8, 10));
    if (day === 25)
      book(id, salary, { at, code: 'PMNT-RCDT-SALA', name: 'Εργοδότης ΑΕ', text: 'Μισθοδοσία' });
    if (day % 3 === 0 && booked(id) > 300_00)
      book(id, -(((day * 7_31) % 60_00) + 1_00), { at, code: 'PMNT-CCRD-POSD', name: 'Αγορά', text: null });
  }
  book(id, -12_40, { at: openedAt, status: 'pending', code: 'PMNT-CCRD-POSD', name: 'Ταβέρνα', text: null });
};
for (const [id, salary] of [
  ['101', 800_00],
  ['102', 650_00],
  ['103', 90_00],
  ['301', 700_00],
] as const)
  seed(id, salary);

// --- Questions are checked before anything is done ---

const demand = (fits: boolean, why: string, status = 400): void => {
  if (!fits) throw new Refused(status, why);
};

const textIn = (fields: Fields, name: string): string => {
  const value = fields[name];
  if (typeof value !== 'string') throw new Refused(400, `${name}: a text is expected`);
  return value;
};

const fieldsIn = (fields: Fields, name: string): Fields => {
  const value = fields[name];
  if (typeof value !== 'object' || value === null) throw new Refused(400, `${name}: an object is expected`);
  return value as Fields;
};

/** In euro cents: this bank has euro accounts only. */
const centsIn = (fields: Fields): number => {
  const amount = textIn(fields, 'amount');
  demand(/^(0|[1-9]\d{0,12})(\.\d{1,2})?$/.test(amount), 'amount: such as "12.50"');
  demand(textIn(fields, 'currency') === 'EUR', 'currency: EUR is expected');
  return Math.round(Number(amount) * 100);
};

const dayIn = (query: Fields, name: string): string => {
  const day = textIn(query, name);
  const ms = Date.parse(`${day}T00:00:00Z`);
  demand(!Number.isNaN(ms) && dayOf(ms) === day, `${name}: a day is expected`);
  return day;
};

/** To everybody but its holders an account does not exist. */
const held = (accountId: string | undefined, person: string): Account => {
  const found = accounts.find(({ id }) => id === accountId);
  if (!found?.holders.includes(person)) throw new Refused(404, 'no such account');
  return found;
};

const available = (account: Account): number =>
  entries
    .filter((each) => each.account === account.id && each.status === 'pending' && each.cents < 0)
    .reduce((sum, { cents }) => sum + cents, booked(account.id));

// --- What the contract calls a transaction and a statement ---

const wireEntry = (entry: Entry): CoreAnswer<'readTransaction'>['transaction'] => ({
  id: `T${entry.number}`,
  status: entry.status,
  bookingDate: entry.status === 'booked' ? entry.day : null,
  valueDate: entry.day,
  at: entry.at,
  currency: 'EUR',
  amount: money(entry.cents),
  code: entry.code,
  balance: entry.status === 'booked' ? money(entry.balance) : null,
  counterpartyName: entry.name,
  counterpartyIban: entry.iban ?? null,
  remittanceInformation: entry.text,
  endToEndId: entry.endToEndId ?? null,
  paymentId: entry.paymentId ?? null,
  exchange: null,
});

/** Newest first. */
const listOf = (account: Account, status: string, from: string, to: string): Entry[] =>
  entries
    .filter((each) => each.account === account.id && each.status === status)
    .filter(({ day }) => day >= from && day <= to)
    .sort((a, b) => b.day.localeCompare(a.day) || b.number - a.number);

/** Names a place in one list; the seal makes it useless in any other. */
const sealKey = randomBytes(32);
const cursorAt = (account: Account, status: string, number: number): string =>
  `${number}.${createHmac('sha256', sealKey).update(`${account.id} ${status} ${number}`).digest('hex').slice(0, 16)}`;

type WireStatement = CoreAnswer<'readStatement'>['statement'];

const statementOf = (account: Account, month: string): WireStatement => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const [from, to] = [`${month}-01`, dayOf(Date.UTC(year, number, 0))];
  const amounts = listOf(account, 'booked', from, to).map(({ cents }) => cents);
  const [credits, debits] = [amounts.filter((each) => each > 0), amounts.filter((each) => each < 0)];
  const sum = (all: readonly number[]): number => all.reduce((a, b) => a + b, 0);
  const opening = booked(account.id, from);
  return {
    ...{ id: month, currency: 'EUR', from, to, opening: money(opening) },
    closing: money(opening + sum(amounts)),
    ...{ credits: money(sum(credits)), debits: money(sum(debits)) },
    ...{ creditCount: credits.length, debitCount: debits.length },
    createdAt: `${dayOf(Date.UTC(year, number, 1))}T03:00:00Z`,
  };
};

/** The months that are over and have entries, newest first. */
const statementsOf = (account: Account): WireStatement[] => {
  const months = listOf(account, 'booked', '', dayOf(Date.now())).map(({ day }) => day.slice(0, 7));
  const present = dayOf(Date.now()).slice(0, 7);
  return [...new Set(months)].filter((each) => each < present).map((each) => statementOf(account, each));
};

// --- Payments: once and for ever ---

type PaymentState = CoreAnswer<'readPayment'>;
const payments = new Map<string, { readonly question: Fields; readonly state: PaymentState }>();

/** What became of it. A rejected one has changed nothing. */
const carryOut = (question: Fields, at: string): Pick<PaymentState, 'status' | 'reason'> => {
  const payer = accounts.find(({ id }) => id === question.payerAccountId);
  const [cents, charge] = [centsIn(fieldsIn(question, 'amount')), centsIn(fieldsIn(question, 'charge'))];
  const [iban, creditorName] = [fieldsIn(question, 'creditAccount').iban, textIn(question, 'creditorName')];
  if (payer?.status !== 'enabled')
    return { status: 'RJCT', reason: { code: 'AC06', text: 'The account cannot pay.' } };
  if (available(payer) < cents + charge)
    return { status: 'RJCT', reason: { code: 'AM04', text: 'There are not enough funds.' } };
  const paymentId = textIn(question, 'paymentId');
  const shared = {
    at,
    text: String(question.remittanceInformation ?? '') || null,
    endToEndId: question.endToEndId as string | null,
  };
  book(payer.id, -cents, {
    ...shared,
    code: 'PMNT-ICDT-ESCT',
    name: creditorName,
    iban: iban as string,
    paymentId,
  });
  if (charge > 0)
    book(payer.id, -charge, { at, code: 'PMNT-MDOP-CHRG', name: null, text: 'Charges', paymentId });
  const payee = accounts.find((each) => each.iban === iban && each.status === 'enabled');
  if (payee) book(payee.id, cents, { ...shared, code: 'PMNT-RCDT-ESCT', name: payer.name, iban: payer.iban });
  return { status: 'ACSC', reason: null };
};

const execute = (question: Fields, at: string): { state: PaymentState; isNew: boolean } => {
  const paymentId = textIn(question, 'paymentId');
  const known = payments.get(paymentId);
  if (known) {
    demand(isDeepStrictEqual(known.question, question), 'this id was used for another payment', 409);
    return { state: known.state, isNew: false };
  }
  const state: PaymentState = { paymentId, ...carryOut(question, at), lookAgainAt: null };
  payments.set(paymentId, { question, state });
  return { state, isNew: true };
};

// --- One-time codes ---

interface Sent {
  readonly person: string;
  readonly context: unknown;
  readonly code: string;
  readonly expiresAt: number;
  isUsed: boolean;
}
const challenges = new Map<string, Sent>();
const wrongCodes = new Map<string, number[]>();

const contextIn = ({ shownHash, payment }: Fields): unknown => {
  demand(typeof shownHash === 'string' && shownHash !== '', 'shownHash: a text is expected');
  return { shownHash, payment: payment ?? null };
};

const judge = (person: string, sent: Sent | undefined, body: Fields): CoreAnswer<'tryCode'>['outcome'] => {
  const [context, code] = [contextIn(body), textIn(body, 'code')];
  const wrong = (wrongCodes.get(person) ?? []).filter((at) => at > Date.now() - 15 * 60_000);
  if (wrong.length >= 5 || sent?.person !== person || sent.isUsed || sent.expiresAt < Date.now())
    return 'spent';
  if (sent.code === code && isDeepStrictEqual(sent.context, context)) {
    sent.isUsed = true;
    return 'right';
  }
  wrongCodes.set(person, [...wrong, Date.now()]);
  return 'wrong';
};

// --- The operations, by their names in the contract ---

const hash = (password: string): Buffer => scryptSync(password, 'test people have no secrets', 32);
const hashes = new Map(people.map(({ username, password }) => [username, hash(password)]));

const LIMIT = 15_000_00;

const operations: { readonly [Id in keyof CoreOperations]?: (question: Question) => CoreAnswer<Id> } = {
  ping: () => ({ status: 'ok', test: true, operations: Object.keys(paths) }),
  findAccounts: ({ params: { psuId = '' } }) => ({
    psuId,
    accounts: accounts
      .filter(({ holders }) => holders.includes(psuId))
      .map((account) => ({
        ...{ id: account.id, iban: account.iban, bban: null, msisdn: null, currency: 'EUR' },
        ...{ name: account.name, product: 'Current account', type: 'CACC', status: account.status },
        ownerName: account.holders.map((id) => people.find((each) => each.id === id)?.name).join(', '),
        balance: money(available(account)),
      })),
  }),
  hasFunds: ({ params: { accountId = '' }, body, person }) => {
    const [account, cents] = [held(accountId, person), centsIn(body)];
    const fundsAvailable = account.status === 'enabled' && available(account) >= cents;
    return { accountId, currency: 'EUR', fundsAvailable };
  },
  readBalances: ({ params: { accountId = '' }, person }) => {
    const account = held(accountId, person);
    const at = entries.findLast((each) => each.account === accountId)?.at ?? new Date().toISOString();
    const of = (type: CoreAnswer<'readBalances'>['balances'][number]['type'], cents: number) => ({
      ...{ type, currency: 'EUR', amount: money(cents), includesCreditLine: false, at },
    });
    const balances = [
      of('closingBooked', booked(accountId, dayOf(Date.now()))),
      of('interimBooked', booked(accountId)),
      of('interimAvailable', available(account)),
    ];
    return { accountId, balances };
  },
  listTransactions: ({ params: { accountId = '' }, query, person }) => {
    const account = held(accountId, person);
    const [from, to, status, limit] = [
      dayIn(query, 'from'),
      dayIn(query, 'to'),
      query.status ?? '',
      Number(query.limit),
    ];
    demand(from <= to && /^(booked|pending)$/.test(status), 'from, to, status');
    demand(Number.isInteger(limit) && limit >= 1 && limit <= 1000, 'limit: 1 to 1000');
    const list = listOf(account, status, from, to);
    const place = Number(query.after?.split('.')[0]);
    demand(
      query.after === undefined || query.after === cursorAt(account, status, place),
      'after: not of this list',
    );
    const start = query.after === undefined ? 0 : list.findIndex(({ number }) => number === place) + 1;
    const page = list.slice(start, start + limit);
    const last = start + limit < list.length ? page.at(-1) : undefined;
    const next = last ? cursorAt(account, status, last.number) : null;
    return { accountId, transactions: page.map(wireEntry), next };
  },
  readTransaction: ({ params: { accountId = '', transactionId }, person }) => {
    const { id } = held(accountId, person);
    const found = entries.find((each) => each.account === id && `T${each.number}` === transactionId);
    if (!found) throw new Refused(404, 'no such transaction');
    return { accountId, transaction: wireEntry(found) };
  },
  listStatements: ({ params: { accountId = '' }, query, person }) => {
    const [account, from, to] = [held(accountId, person), dayIn(query, 'from'), dayIn(query, 'to')];
    return {
      accountId,
      statements: statementsOf(account).filter((each) => each.from >= from && each.to <= to),
    };
  },
  readStatement: ({ params: { accountId = '', statementId }, person }) => {
    const statement = statementsOf(held(accountId, person)).find(({ id }) => id === statementId);
    if (!statement) throw new Refused(404, 'no such statement');
    return { accountId, statement };
  },
  quoteTransfer: ({ body }) => {
    demand(
      /^(domestic|international)$/.test(textIn(body, 'product')) &&
        /^(sha|our|ben)$/.test(textIn(body, 'bearer')),
      'product, bearer',
    );
    const [{ iban }, amount] = [fieldsIn(body, 'creditAccount'), fieldsIn(body, 'amount')];
    const faults: CoreAnswer<'quoteTransfer'>['faults'] = [];
    if (typeof iban !== 'string' || !isIban(iban))
      faults.push({ member: 'creditAccount.iban', message: 'We pay to an IBAN.' });
    if (textIn(amount, 'currency') !== 'EUR')
      faults.push({ member: 'instructedAmount.currency', message: 'We pay in euro.' });
    else if (centsIn(amount) > LIMIT)
      faults.push({ member: 'instructedAmount.amount', message: 'One transfer may be 15,000 euro at most.' });
    const isOurs = accounts.some((each) => each.iban === iban);
    return { faults, charge: { currency: 'EUR', amount: isOurs ? '0.00' : '0.30' }, quote: null };
  },
  executePayment: ({ params: { paymentId = '' }, body }) => {
    demand(body.paymentId === paymentId, 'another id than in the path');
    const at = new Date().toISOString();
    const { state, isNew } = execute(body, at);
    // Before the answer, so that a restart knows it. With a database: the insert of the id and the booking in one transaction.
    if (isNew) write({ at, question: body });
    return state;
  },
  readPayment: ({ params: { paymentId = '' } }) => {
    const found = payments.get(paymentId);
    if (!found) throw new Refused(404, 'never received');
    return found.state;
  },
  login: ({ body }) => {
    const [username, password] = [textIn(body, 'username'), hash(textIn(body, 'password'))];
    const found = people.find((each) => each.username === username);
    const isRight = timingSafeEqual(hashes.get(username) ?? randomBytes(32), password);
    return found && isRight
      ? { recognised: true, psuId: found.id, name: found.name }
      : { recognised: false, psuId: null, name: null };
  },
  sendCode: ({ params: { psuId = '' }, body }) => {
    demand(
      people.some(({ id }) => id === psuId),
      'no such person',
      404,
    );
    const [challengeId, code, expiresAt] = [
      randomUUID(),
      String(randomInt(1_000_000)).padStart(6, '0'),
      Date.now() + 300_000,
    ];
    challenges.set(challengeId, { person: psuId, context: contextIn(body), code, expiresAt, isUsed: false });
    // This terminal stands for the phone of the person; amount and payee belong beside the code (RTS Art. 5).
    const shown = body.payment ? fieldsIn(body, 'payment') : undefined;
    process.stdout.write(
      `SMS to ${psuId}: ${code}${shown ? ` for ${shown.amount} to ${shown.payee}` : ''}\n`,
    );
    return { psuId, challengeId, expiresAt: new Date(expiresAt).toISOString(), demoCode: code };
  },
  tryCode: ({ params: { psuId = '', challengeId = '' }, body }) => ({
    psuId,
    challengeId,
    outcome: judge(psuId, challenges.get(challengeId), body),
  }),
};

for (const { question, at } of journal) if (question) execute(question, at);

// --- HTTP ---

const paths: { readonly [Id in keyof CoreOperations]?: string } = {
  ping: 'GET /health',
  findAccounts: 'GET /account-holders/:psuId/accounts',
  hasFunds: 'POST /accounts/:accountId/funds',
  readBalances: 'GET /accounts/:accountId/balances',
  listTransactions: 'GET /accounts/:accountId/transactions',
  readTransaction: 'GET /accounts/:accountId/transactions/:transactionId',
  listStatements: 'GET /accounts/:accountId/statements',
  readStatement: 'GET /accounts/:accountId/statements/:statementId',
  quoteTransfer: 'POST /transfer-terms',
  executePayment: 'PUT /payments/:paymentId',
  readPayment: 'GET /payments/:paymentId',
  login: 'POST /logins',
  sendCode: 'POST /account-holders/:psuId/challenges',
  tryCode: 'POST /account-holders/:psuId/challenges/:challengeId/attempts',
};
const routes = Object.entries(operations).map(([id, run]) => ({
  pattern: new RegExp(`^${paths[id as keyof typeof operations]?.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  run: run as (question: Question) => unknown,
}));

const bodyOf = async (request: IncomingMessage): Promise<Fields> => {
  const text = Buffer.concat(await request.toArray()).toString('utf8');
  try {
    const value: unknown = JSON.parse(text || '{}');
    if (typeof value === 'object' && value !== null) return value as Fields;
  } catch {}
  throw new Refused(400, 'the body is no JSON object');
};

const token = process.env.CORE_TOKEN;

const answerTo = async (request: IncomingMessage): Promise<unknown> => {
  const body = await bodyOf(request);
  demand(!token || request.headers.authorization === `Bearer ${token}`, 'the token is missing or wrong', 401);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://core');
  for (const { pattern, run } of routes) {
    const groups = pattern.exec(`${request.method} ${pathname}`)?.groups;
    if (!groups && !pattern.test(`${request.method} ${pathname}`)) continue;
    const params = Object.fromEntries(
      Object.entries(groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    const person = String(request.headers['psu-id'] ?? '');
    return run({ params, query: Object.fromEntries(searchParams), body, person });
  }
  throw new Refused(404, 'no such operation');
};

const server = createServer((request, response) => {
  const send = (status: number, value: unknown): void => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
  };
  answerTo(request).then(
    (answer) => send(200, answer),
    (error) =>
      send(error instanceof Refused ? error.status : 500, {
        message: error instanceof Refused ? error.message : 'a fault',
      }),
  );
});
server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`core on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`);
});
