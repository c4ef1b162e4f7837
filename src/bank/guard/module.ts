/**
 * Guards a bank's own module: an error becomes 503, a timeout 408, and an answer that does not fit the question is never passed
 * on. Missing methods are reported at the start.
 */
import { within } from '../../lib/clock.js';
import type { Outage, OutageError } from '../../problem/outage.js';
import { Problem } from '../../problem/problem.js';
import { StoreUnavailable } from '../../store/db.js';
import type { AccountHolders } from '../account-holders.js';
import { type Bank, NoSuchAccount } from '../bank.js';
import { BadCursor } from '../history.js';
import type { BooksInTransaction, RemoteBooks } from '../payments.js';
import { answerChecks, holderChecks, unavailable, WrongAnswer } from './answers.js';
import {
  bankShapes,
  bookShapes,
  holderShapes,
  optionalHolderShapes,
  optionalShapes,
  remoteShapes,
  type Shape,
} from './shapes.js';

/** For a bank to throw: it cannot answer now. Any other error has the same effect: 503. */
export class BankUnavailable extends Error implements OutageError {
  /** For logs and for payments whose outcome is unknown. */
  readonly kind: string = 'unavailable';
  /** In how many seconds it can, if that is known: the end of its maintenance. */
  readonly retryAfter: number | undefined;

  constructor(
    message = 'the bank cannot answer now',
    options: ErrorOptions & { readonly retryAfter?: number } = {},
  ) {
    super(message, options);
    this.name = 'BankUnavailable';
    this.retryAfter = options.retryAfter;
  }

  get outage(): Outage {
    return this.retryAfter === undefined ? 'core' : 'core-maintenance';
  }
}

/** For a bank to throw: its core was too late. The caller gets 408. */
export class BankTimeout extends Error implements OutageError {
  readonly outage = 'core';
  readonly kind: string = 'late';

  constructor(message = 'the bank did not answer in time', options?: ErrorOptions) {
    super(message, options);
    this.name = 'BankTimeout';
  }
}

type MethodOf<Port> = {
  [Name in keyof Port]-?: Port[Name] extends (...args: never[]) => Promise<unknown> ? Name : never;
}[keyof Port];
/** Every method of a port, each with the shape of what it answers. */
type Shapes<Port> = Readonly<Record<MethodOf<Port>, Shape>>;

const ports: {
  readonly bank: Shapes<Bank>;
  readonly holders: Shapes<AccountHolders>;
  readonly books: {
    readonly 'in-transaction': Shapes<BooksInTransaction>;
    readonly remote: Shapes<RemoteBooks>;
  };
} = {
  bank: bankShapes,
  holders: holderShapes,
  books: { 'in-transaction': bookShapes, remote: remoteShapes },
};

/** Methods that a bank may leave out. */
const optional: ReadonlySet<string> = new Set(['cancel']);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const missingIn = (port: unknown, shapes: Readonly<Record<string, Shape>>, name: string): string[] => {
  if (!isObject(port)) return [`${name} is missing`];
  const members = port as Record<string, unknown>;
  return Object.keys(shapes).flatMap((each) =>
    typeof members[each] === 'function' || (optional.has(each) && members[each] === undefined)
      ? []
      : [`${name}.${each} is missing`],
  );
};

/** What a bank's module lacks, in words. */
export const missingInBank = (bank: Bank): string[] => {
  const missing = missingIn(bank, ports.bank, 'bank');
  if (!isObject(bank)) return missing;
  if (typeof bank.name !== 'string' || bank.name === '') missing.push('bank.name is missing');
  const { payments } = bank;
  if (payments === undefined) return missing;
  return Object.hasOwn(ports.books, payments.kind)
    ? [...missing, ...missingIn(payments, ports.books[payments.kind], 'bank.payments')]
    : [...missing, "bank.payments.kind must be 'in-transaction' or 'remote'"];
};

export const missingInHolders = (holders: AccountHolders): string[] =>
  missingIn(holders, ports.holders, 'accountHolders');

const LATE = /^(ETIMEDOUT|ESOCKETTIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/;

const isLate = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { name, code } = error as NodeJS.ErrnoException;
  return name === 'BankTimeout' || name === 'TimeoutError' || LATE.test(String(code));
};

const isWord = (value: unknown): value is string => typeof value === 'string' && /^[\w-]{1,60}$/.test(value);

/** For the log: the place and the kind of an error. Its message may quote personal data, so it is left out. */
const withoutMessage = (method: string, error: unknown): Error => {
  if (error instanceof Error && /^Bank(Unavailable|Timeout)$/.test(error.name)) return error;
  // Our own words, which name a member and a rule.
  if (error instanceof WrongAnswer)
    return new WrongAnswer(error.kind, `${method} ${error.member}`, error.rule);
  const redacted = new Error(`${method} failed`);
  if (!(error instanceof Error)) return redacted;
  const { name, stack = '', code, kind } = error as NodeJS.ErrnoException & { readonly kind?: unknown };
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return Object.assign(redacted, {
    name,
    ...(isWord(code) ? { code } : {}),
    // What a payment is unresolved for.
    ...(isWord(kind) ? { kind } : {}),
    stack: [`${name}: ${redacted.message}`, ...frames].join('\n'),
  });
};

/** Errors that have a meaning of their own, by their names: a module may have another copy of the package. */
const meanings: Readonly<Record<string, () => Error>> = {
  BadCursor: () => new BadCursor(),
  NoSuchAccount: () => new NoSuchAccount(),
};

const asProblem = (method: string, error: unknown): unknown => {
  if (error instanceof Problem || error instanceof StoreUnavailable) return error;
  const meaning = error instanceof Error ? meanings[error.name] : undefined;
  if (meaning) return meaning();
  const cause = withoutMessage(method, error);
  if (isLate(error)) return new Problem('processing-timeout', { cause });
  const { retryAfter } = (error ?? {}) as { readonly retryAfter?: unknown };
  return unavailable(cause, Number.isFinite(retryAfter) ? Number(retryAfter) : undefined);
};

type Method = (...args: readonly unknown[]) => unknown;

const checks = { ...answerChecks, ...holderChecks } as unknown as Readonly<Record<string, Method>>;

/** The methods of a port, each of them answering what was asked, late or unavailable. */
const held = <Port extends object>(
  port: Port,
  shapes: Readonly<Record<string, Shape>>,
  patienceMs: number,
): Pick<Port, MethodOf<Port>> => {
  const members = port as Record<string, Method>;
  const entries = Object.entries(shapes).flatMap(([name, breachIn]) => {
    if (members[name] === undefined) return [];
    const ask = async (...args: readonly unknown[]): Promise<unknown> => {
      try {
        // Asked as a method, and within the promise: a module may be a class, and may throw at once.
        const asked = (async () => members[name]?.(...args))();
        const answer = await within(patienceMs, asked, () => new BankTimeout());
        const breach = breachIn(answer);
        if (breach) throw new WrongAnswer('garbage', breach.member, breach.rule);
        checks[name]?.(answer ?? undefined, ...args);
        return answer ?? undefined;
      } catch (error) {
        throw asProblem(name, error);
      }
    };
    return [[name, ask]];
  });
  return Object.fromEntries(entries) as Pick<Port, MethodOf<Port>>;
};

/** A bank that was given from outside, as the service asks it. */
export const dependableBank = (bank: Bank, patienceMs: number): Bank => {
  const { name, payments } = bank;
  return {
    name,
    ...held(bank, ports.bank, patienceMs),
    ...held(bank as Pick<Bank, keyof typeof optionalShapes>, optionalShapes, patienceMs),
    ...(payments?.kind === 'remote'
      ? { payments: { kind: payments.kind, ...held(payments, ports.books.remote, patienceMs) } }
      : {}),
    ...(payments?.kind === 'in-transaction'
      ? { payments: { kind: payments.kind, ...held(payments, ports.books['in-transaction'], patienceMs) } }
      : {}),
  };
};

export const dependableHolders = (holders: AccountHolders, patienceMs: number): AccountHolders => ({
  ...held(holders, ports.holders, patienceMs),
  ...(holders.methods
    ? held(holders as Required<Pick<AccountHolders, 'methods'>>, optionalHolderShapes, patienceMs)
    : {}),
});
