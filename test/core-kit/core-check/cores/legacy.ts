/**
 * A core as an old system gets its first web interface: numbers for ids, statements of half a month called by their first day,
 * names in capitals with the surname first, answers in pieces with headers of their own, errors as plain text, limits of its own.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Books, dayOf, type Entry, type Held, type Period } from './books.js';

const PAGE = 20;
const LARGEST = 50_000;
const ISO = 'EUR';

type Fields = Record<string, unknown>;
/** Undefined is 404, a number another status. */
type Result = Fields | number | undefined;

const capitals = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().split(' ').toReversed().join(' ');

const amount = (cents: number): string => {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

const cents = (value: unknown): number => {
  const { currency, amount: text } = (value ?? {}) as Fields;
  const [, whole = '', , fraction = ''] = /^(\d{1,15})(\.(\d\d?))?$/.exec(String(text)) ?? [];
  return currency === ISO && whole ? Number(whole) * 100 + Number(fraction.padEnd(2, '0')) : Number.NaN;
};

const isDay = (text: string | null): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') &&
  !Number.isNaN(Date.parse(`${text}`)) &&
  dayOf(Date.parse(`${text}`)) === text;

const row = ({ no, day, at, cents: value, after, text }: Entry, isBooked: boolean): Fields => ({
  ...{
    id: `${no}`,
    status: isBooked ? 'booked' : 'pending',
    bookingDate: isBooked ? day : null,
    valueDate: day,
  },
  ...{ at: `${new Date(at).toISOString().slice(0, 19)}+00:00`, currency: ISO, amount: amount(value) },
  ...{
    proprietaryCode: value < 0 ? '021 ΧΡΕΩΣΗ' : '011 ΠΙΣΤΩΣΗ',
    // Its screens show a balance now and then.
    balance: isBooked && no % 3 === 0 ? amount(after) : null,
    counterpartyName: text.toUpperCase(),
  },
  ...{ counterpartyIban: null, remittanceInformation: null, endToEndId: null, exchange: null },
});

const sheet = ({ first, last, entries, opening, closing }: Period): Fields => {
  const [paid, got] = [entries.filter((each) => each.cents < 0), entries.filter((each) => each.cents > 0)];
  const total = (list: readonly Entry[]): string => amount(list.reduce((sum, each) => sum + each.cents, 0));
  return {
    ...{ id: first, currency: ISO, from: first, to: last, createdAt: `${last}T22:00:00Z` },
    ...{ opening: amount(opening), closing: amount(closing), credits: total(got), debits: total(paid) },
    ...{ creditCount: got.length, debitCount: paid.length },
  };
};

class LegacyCore {
  #lastCode = new Map<string, number>();

  constructor(readonly books: Books) {}

  handle(method: string, url: URL, headers: IncomingMessage['headers'], body: Fields | undefined): Result {
    const [, area = '', id = '', part = '', more = '', last = ''] = url.pathname
      .split('/')
      .map(decodeURIComponent);
    const call = `${method} ${area}${part && `/${part}`}${more && '/*'}${last && `/${last}`}`;
    const psu = String(headers['psu-id'] ?? '');
    if (area === 'accounts') {
      if (!psu) return 400;
      const account = this.books.account(Number(id), Number(psu));
      return account && this.ofAccount(call, account, url.searchParams, more, body);
    }
    if (area === 'account-holders') return this.ofPerson(call, id, more, url.searchParams.get('after'), body);
    if (area === 'payments') return part ? 405 : this.ofPayment(method, id, body);
    switch (call) {
      case 'GET health':
        return { status: 'ok' };
      case 'POST transfer-terms': {
        const value = cents(body?.amount);
        if (!(value > 0) || !/^(domestic|international)$/.test(String(body?.product))) return 400;
        const member = 'instructedAmount.amount';
        const faults = value > LARGEST ? [{ member, message: 'ΥΠΕΡΒΑΣΗ ΟΡΙΟΥ' }] : [];
        return { faults, charge: { currency: ISO, amount: '0.00' }, quote: null };
      }
      case 'POST logins': {
        if (typeof body?.username !== 'string' || typeof body.password !== 'string') return 400;
        const found = this.books.person(body.username, body.password);
        return found
          ? { recognised: true, psuId: `${found.no}`, name: capitals(found.name) }
          : { recognised: false, psuId: null, name: null };
      }
      default:
        return undefined;
    }
  }

  ofAccount(call: string, account: Held, query: URLSearchParams, id: string, body?: Fields): Result {
    const accountId = `${account.no}`;
    const [from, to] = [query.get('from'), query.get('to')];
    switch (call) {
      case 'POST accounts/funds': {
        const wanted = cents(body);
        if (Number.isNaN(wanted)) return 422;
        const fundsAvailable = account.state === 'open' && wanted <= this.books.available(account);
        return { accountId, currency: ISO, fundsAvailable };
      }
      case 'GET accounts/balances': {
        const at = new Date(this.books.now()).toISOString();
        const one = (type: string, value: number): Fields => ({
          ...{ type, currency: ISO, amount: amount(value), includesCreditLine: false, at },
        });
        const [booked, available] = [this.books.booked(account), this.books.available(account)];
        return {
          accountId,
          balances: [
            one('closingBooked', booked),
            one('interimBooked', booked),
            one('interimAvailable', available),
          ],
        };
      }
      case 'GET accounts/transactions':
        return isDay(from) && isDay(to) ? this.page(account, from, to, query) : 400;
      case 'GET accounts/transactions/*': {
        const entry = [...account.entries, ...account.pending].find((each) => `${each.no}` === id);
        return entry && { accountId, transaction: row(entry, account.entries.includes(entry)) };
      }
      case 'GET accounts/statements': {
        if (!isDay(from) || !isDay(to)) return 400;
        const all = this.books.periods(account, true);
        const wanted = all.filter(({ first, last }) => first >= from && last <= to);
        return { accountId, statements: wanted.map(sheet) };
      }
      case 'GET accounts/statements/*': {
        const half = this.books.periods(account, true).find(({ first }) => first === id);
        return half && { accountId, statement: sheet(half) };
      }
      default:
        return undefined;
    }
  }

  /** Never more than a screen of twenty, whatever the limit is. */
  page(account: Held, from: string, to: string, query: URLSearchParams): Fields | number {
    const limit = Number(query.get('limit'));
    const status = query.get('status');
    if (!(limit >= 1 && limit <= 1000) || !/^(booked|pending)$/.test(status ?? '')) return 400;
    const isBooked = status === 'booked';
    const after = query.get('after');
    const list = (isBooked ? account.entries : account.pending)
      .filter(({ day }) => day >= from && day <= to)
      .toReversed();
    const nameOf = (entry: Entry): string => `${entry.day.replaceAll('-', '')}-${entry.no}`;
    const start = after === null ? 0 : list.findIndex((entry) => nameOf(entry) === after) + 1;
    if (after !== null && start === 0) return 400;
    const page = list.slice(start, start + Math.min(limit, PAGE));
    const end = page.at(-1);
    return {
      accountId: `${account.no}`,
      transactions: page.map((entry) => row(entry, isBooked)),
      // Whether anything follows is seen on the next screen only.
      next: end ? nameOf(end) : null,
    };
  }

  ofPerson(call: string, psuId: string, challengeId: string, after: string | null, body?: Fields): Result {
    const no = Number(psuId);
    const shown = JSON.stringify([body?.shownHash, body?.payment]);
    switch (call) {
      case 'GET account-holders/accounts': {
        // One to a screen, whatever was asked for.
        const all = this.books.of(no);
        const place = after === null ? 0 : all.findIndex((each) => `${each.no}` === after) + 1;
        const page = all.slice(place, place + 1).map((account) => ({
          ...{ id: `${account.no}`, iban: null, bban: null, msisdn: `+3069${account.no}0000` },
          ...{ name: 'ΟΨΕΩΣ', product: 'ΟΨΕΩΣ', type: 'CACC', ownerName: capitals(this.books.nameOf(no)) },
          status: account.state === 'open' ? 'enabled' : account.state,
          ...{ currency: ISO, balance: amount(this.books.available(account)) },
        }));
        return { psuId, accounts: page, next: place + 1 < all.length ? `${all[place]?.no}` : null };
      }
      case 'POST account-holders/challenges': {
        if (!this.books.hasPerson(no)) return undefined;
        // Half a minute between two codes, as the contract says of Trapeza.
        if (this.books.now() - (this.#lastCode.get(psuId) ?? 0) < 30_000) return 429;
        this.#lastCode.set(psuId, this.books.now());
        const { id, code } = this.books.challenge(no, shown);
        return {
          psuId,
          challengeId: id,
          demoCode: code,
          expiresAt: new Date(this.books.now() + 300_000).toISOString(),
        };
      }
      case 'POST account-holders/challenges/*/attempts':
        return {
          psuId,
          challengeId,
          outcome: this.books.attempt(challengeId, no, shown, String(body?.code)),
        };
      default:
        return undefined;
    }
  }

  ofPayment(method: string, paymentId: string, body?: Fields): Result {
    const order =
      method === 'GET'
        ? this.books.order(paymentId)
        : body?.paymentId === paymentId
          ? this.books.pay(paymentId, JSON.stringify(body), Number(body.payerAccountId), cents(body.amount))
          : 400;
    if (order === 'other') return 409;
    if (order === undefined || order === 400) return order;
    if (!order.isPaid)
      return {
        paymentId,
        status: 'RJCT',
        reason: { code: 'NARR', text: 'ΑΝΕΠΑΡΚΕΣ ΥΠΟΛΟΙΠΟ' },
        lookAgainAt: null,
      };
    // Settled with the next run of the night.
    return {
      paymentId,
      status: 'ACSP',
      reason: null,
      lookAgainAt: new Date(this.books.now() + 60_000).toISOString(),
    };
  }
}

const write = (response: ServerResponse, request: IncomingMessage, result: Result): void => {
  response.setHeader('Server', 'TANDEM/NonStop 4.2');
  response.setHeader('X-Host-Rc', '0000');
  if (result === undefined || typeof result === 'number') {
    response.writeHead(result ?? 404, { 'Content-Type': 'text/plain; charset=iso-8859-7' }).end('ERR');
    return;
  }
  const seen = Number(/^n=(\d+)$/.exec(String(request.headers['bank-consent-data'] ?? 'n=0'))?.[1]);
  if (request.headers['consent-id']) response.setHeader('Bank-Consent-Data', `n=${seen + 1}`);
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  const text = JSON.stringify(result, undefined, 1);
  for (let place = 0; place < text.length; place += 1024) response.write(text.slice(place, place + 1024));
  response.end();
};

export const legacyCore = (books: Books): Server => {
  const core = new LegacyCore(books);
  return createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      // It has to ask another machine first.
      setTimeout(() => {
        let body: Fields | undefined;
        try {
          body = pieces.length === 0 ? undefined : (JSON.parse(Buffer.concat(pieces).toString()) as Fields);
        } catch {
          return write(response, request, 400);
        }
        const url = new URL(request.url ?? '/', 'http://core');
        return write(response, request, core.handle(request.method ?? '', url, request.headers, body));
      }, 3);
    });
  });
};

export const legacySubject = {
  ...{
    psuId: '4711',
    ownerName: 'Ελένη Παπαδοπούλου',
    accountId: '7001',
    otherPsuId: '4712',
    otherAccountId: '7003',
  },
  ...{ username: 'eleni', password: 'eleni-pass' },
  blockedAccount: { id: '7002', currency: ISO },
  closedAccount: { id: '7999', currency: ISO },
  payment: {
    payerAccountId: '7001',
    creditAccount: { bban: '7003' },
    amount: { currency: ISO, amount: '0.01' },
    product: 'domestic',
  },
} as const;
