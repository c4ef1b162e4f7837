/**
 * Holds what the bank answers against what it was asked and what is known of the account. The adapter of a remote core and the
 * wrapper of a bank's module both check here, so that neither passes on what belongs to another account, currency, day or page.
 */

import type { Breach } from '../../http/validate.js';
import { DAY } from '../../lib/clock.js';
import { redirectFault } from '../../lib/net/redirect.js';
import { isCurrency } from '../../model/amount.js';
import type { Price } from '../../model/payment-terms.js';
import type { OutageError } from '../../problem/outage.js';
import { Problem } from '../../problem/problem.js';
import type { AccountHolders, Challenge, CodeOutcome } from '../account-holders.js';
import type { Bank } from '../bank.js';
import type { QueryContext } from '../consent-note.js';
import type { BankTransaction, Statement } from '../history.js';
import type { TransferQuestion } from '../payments.js';

export const wrongKinds = ['garbage', 'wrong-echo', 'wrong-currency', 'wrong-order'] as const;
export type WrongKind = (typeof wrongKinds)[number];

/** The member, as a JSON pointer, and the rule in words; never the value, because it is logged. */
export class WrongAnswer extends Error implements Breach, OutageError {
  readonly outage = 'core';
  readonly kind: WrongKind;
  readonly member: string;
  readonly rule: string;

  constructor(kind: WrongKind, member: string, rule: string) {
    super(`${member}: ${rule}`);
    this.name = 'WrongAnswer';
    this.kind = kind;
    this.member = member;
    this.rule = rule;
  }
}

/** Reads a part of an answer; an error names its place in the whole. */
export const within = <T>(place: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw error instanceof WrongAnswer
      ? new WrongAnswer(error.kind, `${place}${error.member}`, error.rule)
      : error;
  }
};

/** The rows of an answer, read one by one. */
export const readEach = <T, U>(name: string, rows: readonly T[], read: (row: T) => U): U[] =>
  rows.map((row, index) => within(`/${name}/${index}`, () => read(row)));

/** An answer to another question than ours is noticed by the ids that it repeats. */
export const checkEcho = <T extends object>(
  answer: T,
  asked: { readonly [Name in keyof T]?: T[Name] },
): void => {
  for (const [name, value] of Object.entries(asked))
    if (answer[name as keyof T] !== value)
      throw new WrongAnswer('wrong-echo', `/${name}`, 'not the one that was asked for');
};

/** A bank that names a wrong time must not keep third parties away for longer. */
const LONGEST_RETRY_S = 24 * 3600;

const retryAfterText = (seconds: number): string =>
  String(Math.min(LONGEST_RETRY_S, Math.max(1, Math.ceil(seconds))));

/** The answer to the caller if the bank does not answer, or answers something else. */
export const unavailable = (cause: unknown, retryAfter?: number): Problem =>
  new Problem('dependency-unavailable', {
    detail: 'The core banking system cannot answer now.',
    ...(retryAfter === undefined ? {} : { headers: { 'Retry-After': retryAfterText(retryAfter) } }),
    cause,
  });

/** The bank lists an account in another currency than the one that was approved. */
export const otherCurrency = (): Problem =>
  unavailable(new WrongAnswer('wrong-currency', '/accounts/*/currency', 'not the one that was approved'));

type Check<Name extends keyof Port, Port = Bank> =
  NonNullable<Port[Name]> extends (...asked: infer Asked) => Promise<infer Answer>
    ? (answer: Answer, ...asked: Asked) => void
    : never;

/** Everything on one account has one currency: its own, or if that is unknown, a common one. */
const checkCurrency = (
  name: string,
  items: readonly { readonly currency: string }[],
  { currency = items[0]?.currency }: Partial<QueryContext>,
): void => {
  const wrong = items.findIndex((each) => each.currency !== currency || !isCurrency(each.currency));
  if (wrong >= 0)
    throw new WrongAnswer('wrong-currency', `/${name}/${wrong}/currency`, 'not that of the account');
};

/** `before`: the last one of the page before. */
const checkUnique = <Key extends string>(
  name: string,
  rows: readonly { readonly [Each in Key]: string }[],
  key: Key,
  before: readonly string[] = [],
): void => {
  const seen = new Set(before);
  const wrong = rows.findIndex(({ [key]: value }) => seen.size === seen.add(value).size);
  if (wrong >= 0) throw new WrongAnswer('garbage', `/${name}/${wrong}/${key}`, 'the same twice');
};

const checkEach = <T>(name: string, items: readonly T[], rule: string, fits: (item: T) => boolean): void => {
  const wrong = items.findIndex((item) => !fits(item));
  if (wrong >= 0) throw new WrongAnswer('wrong-echo', `/${name}/${wrong}`, rule);
};

/** `days`: newest first, each at most as late as the one before; the first one as the last of the page before. */
const checkOrder = (name: string, days: readonly string[], before?: string): void => {
  const wrong = days.findIndex((day, index) => day > (days[index - 1] ?? before ?? day));
  if (wrong >= 0) throw new WrongAnswer('wrong-order', `/${name}/${wrong}`, 'newer than the one before');
};

export const dayOf = ({ bookingDate, valueDate }: BankTransaction): string => bookingDate ?? valueDate;

const checkBooking = (transaction: BankTransaction): void => {
  const { status, bookingDate, balanceMinor } = transaction;
  const isBooked = status === 'booked';
  if (isBooked === (bookingDate == null))
    throw new WrongAnswer('garbage', '/bookingDate', 'it belongs to what is booked');
  if (!isBooked && balanceMinor != null)
    throw new WrongAnswer('garbage', '/balance', 'it belongs to what is booked');
  if (transaction.details.exchange && !isCurrency(transaction.details.exchange.currency))
    throw new WrongAnswer('wrong-currency', '/exchange/currency', 'there is no such currency');
};

/** Days and status are what the consent opens: a bank that answers more would open more. */
const checkPage: Check<'transactions'> = ({ items, next }, query) => {
  const { from, to, status, limit, after, last, context } = query;
  if (items.length > limit) throw new WrongAnswer('wrong-echo', '/transactions', 'more than were asked for');
  checkCurrency('transactions', items, context);
  checkEach('transactions', items, 'another status', (each) => each.status === status);
  readEach('transactions', items, checkBooking);
  checkEach('transactions', items, 'outside from and to', (each) => dayOf(each) >= from && dayOf(each) <= to);
  checkUnique('transactions', items, 'id', last ? [last.id] : []);
  // What is pending has no day that all banks sort by.
  if (status === 'booked') checkOrder('transactions', items.map(dayOf), last?.day);
  // A client that follows such a cursor never reaches the end.
  if (next != null && (next === after || items.length === 0))
    throw new WrongAnswer('garbage', '/next', 'leads nowhere');
};

const LONGEST_DAYS = 366;

const daysIn = ({ from, to }: Statement): number => (Date.parse(to) - Date.parse(from)) / DAY + 1;

const checkStatements = (statements: readonly Statement[], context: QueryContext): void => {
  checkCurrency('statements', statements, context);
  checkEach('statements', statements, 'ends before it begins', ({ from, to }) => from <= to);
  checkEach('statements', statements, 'more than 366 days', (each) => daysIn(each) <= LONGEST_DAYS);
};

/** A charge that cannot be paid, or a quote for another currency, is invalid. */
const checkPrice = ({ charge, quote }: Price, transfer: TransferQuestion): void => {
  const wrong = (member: string): never => {
    throw new WrongAnswer('wrong-currency', `/${member}`, 'not the currency of the transfer or its quote');
  };
  if (charge.amountMinor < 0) throw new WrongAnswer('garbage', '/charge/amount', 'negative');
  if (quote == null) {
    if (charge.currency !== transfer.currency) wrong('charge');
    return;
  }
  if (quote.currency !== transfer.currency || quote.payCurrency !== charge.currency) wrong('quote');
  if (quote.payCurrency === transfer.currency || !isCurrency(quote.payCurrency)) wrong('quote');
  if (quote.amountMinor !== transfer.amountMinor)
    throw new WrongAnswer('wrong-echo', '/quote', 'for another amount');
  if (!(quote.payMinor > 0 && quote.rateMicros > 0 && quote.chargeMinor >= 0))
    throw new WrongAnswer('garbage', '/quote', 'of nothing');
};

const checkTerms: Check<'termsFor'> = (terms, transfer) => {
  const { faults, charge, payeeCheck, limitMinor } = terms;
  if (!isCurrency(charge.currency))
    throw new WrongAnswer('wrong-currency', '/charge/currency', 'there is no such currency');
  if (charge.amountMinor < 0) throw new WrongAnswer('garbage', '/charge/amount', 'negative');
  if ((limitMinor ?? 0) < 0) throw new WrongAnswer('garbage', '/limit/amount', 'negative');
  if (payeeCheck && (payeeCheck.result === 'close') !== Boolean(payeeCheck.name))
    throw new WrongAnswer('garbage', '/payeeCheck/name', 'it belongs to close');
  if (Object.keys(faults).length > 0) return;
  const others = terms.otherPrices ?? [];
  checkPrice(terms, transfer);
  readEach('quotes', others, (each) => {
    if (each.quote == null) throw new WrongAnswer('garbage', '', 'without a price');
    checkPrice(each, transfer);
  });
  const prices = others.map((each) => each.charge);
  checkUnique('quotes', prices, 'currency', [charge.currency]);
};

const PDF_MAGIC = Buffer.from('%PDF-');

/** What each question of the core-banking port demands of its answer. */
export const answerChecks = {
  accountsOf: (accounts) => {
    checkUnique('accounts', accounts, 'id');
    checkEach('accounts', accounts, 'no currency', ({ currency }) => isCurrency(currency));
  },
  termsFor: checkTerms,
  balances: (balances, _accountId, context) => {
    checkCurrency('balances', balances, context);
    checkUnique('balances', balances, 'type');
  },
  transactions: checkPage,
  transaction: (found, _accountId, id, context) => {
    if (!found) return;
    within('/transaction', () => {
      checkEcho(found, { id });
      checkBooking(found);
    });
    checkCurrency('transaction', [found], context);
  },
  statements: (statements, _accountId, from, to, context) => {
    checkStatements(statements, context);
    checkUnique('statements', statements, 'id');
    checkEach('statements', statements, 'outside from and to', (each) => each.from >= from && each.to <= to);
    checkOrder(
      'statements',
      statements.map((each) => each.to),
    );
  },
  statement: (found, _accountId, id, context) => {
    if (!found) return;
    within('/statement', () => checkEcho(found, { id }));
    checkStatements([found], context);
  },
  statementDocument: (bytes) => {
    const isPdf = bytes === undefined || Buffer.from(bytes.subarray(0, 5)).equals(PDF_MAGIC);
    if (!isPdf) throw new WrongAnswer('garbage', '', 'not the beginning of a PDF');
  },
} satisfies { readonly [Name in keyof Bank]?: Check<Name> };

const LONGEST_REQUEST = 16_384;

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** What the browser is given belongs to its method, and to no other. */
const checkChallenge = ({ method, request, location }: Challenge): void => {
  const wrong = (member: string, rule: string): never => {
    throw new WrongAnswer('garbage', member, rule);
  };
  if ((method === 'browser') !== (request != null)) wrong('/request', 'it belongs to the method browser');
  if ((method === 'redirect') !== (location != null)) wrong('/location', 'it belongs to the method redirect');
  if (request != null && (request.length > LONGEST_REQUEST || !isJsonObject(request)))
    wrong('/request', `not the JSON of an object, up to ${LONGEST_REQUEST} characters`);
  const fault = location == null ? undefined : redirectFault(location);
  if (fault !== undefined) wrong('/location', fault);
};

/** The same for the identity port. An answer is never pending, and no app has a wrong one. */
export const holderChecks = {
  methods: (methods) => checkUnique('methods', methods, 'id'),
  challenge: checkChallenge,
  verify: (outcome, _psuId, _challengeId, _context, answer, kind) => {
    const others: readonly CodeOutcome[] = answer === undefined ? ['wrong'] : ['pending'];
    const isRefused = outcome === 'refused' && answer !== undefined && kind !== 'redirect';
    if (isRefused || others.includes(outcome))
      throw new WrongAnswer('garbage', '/outcome', 'not of this method');
  },
} satisfies { readonly [Name in keyof AccountHolders]?: Check<Name, AccountHolders> };
