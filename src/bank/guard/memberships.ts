/**
 * Who holds which account: a consent opens an account only while its person holds it. A remote core is asked for the holder with every
 * question about an account, unless it confirmed the holder within the last minute; its answer to the question itself counts too.
 */

import { type Clock, MINUTE } from '../../lib/clock.js';
import { LruCache } from '../../lib/lru-cache.js';
import type { AccountId, PsuId } from '../../model/ids.js';
import { type AccountFilter, type Bank, type BankAccount, type HeldBank, NoSuchAccount } from '../bank.js';
import type { QueryContext } from '../consent-note.js';
import { otherCurrency, unavailable } from './answers.js';
import { isWanted, namesSome } from './held-accounts.js';

const KNOWN_MS = MINUTE;
/** Of all persons together: some 20 MB at most. */
const MAX_ACCOUNTS = 200_000;

/** What is remembered of one person: a company may have a hundred thousand. */
const MOST_OF_ONE = 1000;

/** By the id of the account: when the bank was asked, and its answer. */
type Holding = ReadonlyMap<string, { readonly at: number; readonly currency: string }>;

class Memberships {
  readonly #bank: Bank;
  readonly #clock: Clock;
  readonly #known = new LruCache<Holding>(MAX_ACCOUNTS, (known) => known.size + 1);
  #forgotten = 0;
  readonly #asked = new Map<string, Promise<readonly BankAccount[]>>();

  constructor(bank: Bank, clock: Clock) {
    this.#bank = bank;
    this.#clock = clock;
  }

  forget(psuId: PsuId): void {
    this.#forgotten += 1;
    this.#known.delete(psuId);
    for (const key of this.#asked.keys()) if (key.startsWith(`${psuId} `)) this.#asked.delete(key);
  }

  async accountsOf(psuId: PsuId, filter: AccountFilter = {}): Promise<readonly BankAccount[]> {
    const at = this.#clock.elapsed();
    const forgotten = this.#forgotten;
    const accounts = await this.#bank.accountsOf(psuId, filter);
    // It may have answered before what it now says was so.
    if (forgotten === this.#forgotten) this.#remember(psuId, filter, accounts, at);
    return accounts;
  }

  #remember(psuId: PsuId, filter: AccountFilter, accounts: readonly BankAccount[], at: number): void {
    const wanted = accounts.filter((each) => isWanted(filter, each));
    const before = this.#known.get(psuId);
    // A list takes the place of what was known. Of a company only what was asked for is remembered.
    const isList = wanted.length < accounts.length || !namesSome(filter);
    const known = new Map(isList || (before?.size ?? 0) > MOST_OF_ONE ? [] : before);
    if (filter.accountId !== undefined) known.delete(filter.accountId);
    const kept = isList && accounts.length <= MOST_OF_ONE ? accounts : wanted.slice(0, MOST_OF_ONE);
    for (const { id, currency } of kept) known.set(id, { at, currency });
    this.#known.set(psuId, known);
  }

  /** The currency of an account that the person held at most a minute ago. */
  knownCurrency(psuId: PsuId, accountId: AccountId): string | undefined {
    const known = this.#known.get(psuId)?.get(accountId);
    return known !== undefined && this.#clock.elapsed() - known.at < KNOWN_MS ? known.currency : undefined;
  }

  /** The currency of an account that the person holds. Only a yes is remembered: an account that was opened a moment ago is there at once. */
  async currencyOf(psuId: PsuId, accountId: AccountId): Promise<string | undefined> {
    return this.knownCurrency(psuId, accountId) ?? this.currencyNow(psuId, accountId);
  }

  /** Those who ask at once about one account of a person share the question. */
  async currencyNow(psuId: PsuId, accountId: AccountId): Promise<string | undefined> {
    const key = `${psuId} ${accountId}`;
    const asked =
      this.#asked.get(key) ?? this.accountsOf(psuId, { accountId }).finally(() => this.#asked.delete(key));
    this.#asked.set(key, asked);
    return (await asked).find(({ id }) => id === accountId)?.currency;
  }
}

const consentMethods = (bank: Bank): Pick<Bank, 'wantsConsents' | 'consentChanged'> =>
  bank.consentChanged
    ? {
        wantsConsents: async () => (await bank.wantsConsents?.()) === true,
        consentChanged: bank.consentChanged.bind(bank),
      }
    : {};

const MOST_BESIDE = 16;

/** Asks at once, unless so many already do. An answer that is not needed may fail without notice. */
const atMost = (most: number) => {
  let running = 0;
  return <T>(ask: () => Promise<T>): Promise<T> | undefined => {
    if (running >= most) return undefined;
    running += 1;
    const answer = ask().finally(() => {
      running -= 1;
    });
    answer.catch(() => undefined);
    return answer;
  };
};

/**
 * Wraps a remote core or a bank's module: answers about accounts only to their holders, and passes on what is known of each account. So many
 * questions are asked beside the question for the holder instead of after it: each of them is two calls at once.
 */
export const forHolders = (bank: Bank, clock: Clock, mostBeside = MOST_BESIDE): HeldBank => {
  const members = new Memberships(bank, clock);
  const beside = atMost(mostBeside);
  const held = async <T>(
    accountId: AccountId,
    context: QueryContext,
    question: (context: QueryContext) => Promise<T>,
    asked = context.currency,
  ): Promise<T> => {
    // The spread last, here and below: what stands behind one is dear on Node 20: the object gets a hidden class of its own each time.
    const { currency: _asked, ...others } = context;
    const { psuId } = others;
    const ask = (currency: string): Promise<T> => question({ currency, ...others });
    const known = members.knownCurrency(psuId, accountId);
    // Its answer counts only if the person turns out to hold the account, in this currency.
    const answer = known === undefined && asked !== undefined ? beside(async () => ask(asked)) : undefined;
    const currency = known ?? (await members.currencyNow(psuId, accountId));
    if (currency === undefined) throw new NoSuchAccount();
    if ((asked ?? currency) !== currency) throw otherCurrency();
    try {
      return await (answer ?? ask(currency));
    } catch (error) {
      // An account that is listed and denied is a contradiction, perhaps by a wrong address. It must not decline a customer.
      if (error instanceof NoSuchAccount && (await members.currencyNow(psuId, accountId)) !== undefined)
        throw unavailable(
          new Error('the bank lists an account of a person and denies it to the same person'),
        );
      throw error;
    }
  };
  return {
    name: bank.name,
    ...(bank.payments ? { payments: bank.payments } : {}),
    ...consentMethods(bank),
    holds: async (psuId, accountId) => (await members.currencyOf(psuId, accountId)) !== undefined,
    forget: (psuId) => members.forget(psuId),
    accountsOf: (psuId, filter) => members.accountsOf(psuId, filter),
    termsFor: (transfer) => bank.termsFor(transfer),
    ping: () => bank.ping(),
    hasFunds: ({ context, ...question }) =>
      held(
        question.accountId,
        context,
        (known) => bank.hasFunds({ context: known, ...question }),
        question.currency,
      ),
    balances: (accountId, context) => held(accountId, context, (known) => bank.balances(accountId, known)),
    transactions: ({ context, ...query }) =>
      held(query.accountId, context, (known) => bank.transactions({ context: known, ...query })),
    transaction: (accountId, id, context) =>
      held(accountId, context, (known) => bank.transaction(accountId, id, known)),
    statements: (accountId, from, to, context) =>
      held(accountId, context, (known) => bank.statements(accountId, from, to, known)),
    statement: (accountId, id, context) =>
      held(accountId, context, (known) => bank.statement(accountId, id, known)),
    statementDocument: (accountId, id, context) =>
      held(accountId, context, async (known) => bank.statementDocument?.(accountId, id, known)),
  };
};
