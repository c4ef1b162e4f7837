/**
 * Who holds which account: a consent opens an account only as long as its person holds it. A bank elsewhere is asked before every
 * question about an account, unless it said so within the last minute; and what it says to the question itself counts too.
 */
import { type Clock, MINUTE } from '../lib/clock.js';
import { Recent } from '../lib/recent.js';
import { Problem } from '../problem.js';
import { type Bank, type BankAccount, type HeldBank, NoSuchAccount } from './bank.js';
import type { Asker } from './consent-note.js';

const KNOWN_MS = MINUTE;
/** Of all persons together: some 20 MB at most. */
const MAX_ACCOUNTS = 200_000;

interface Holding {
  /** When the bank was asked. */
  readonly at: number;
  readonly accountIds: ReadonlySet<string>;
}

class Memberships {
  readonly #bank: Bank;
  readonly #clock: Clock;
  readonly #known = new Recent<Holding>(MAX_ACCOUNTS, ({ accountIds }) => accountIds.size + 1);
  readonly #asked = new Map<string, Promise<readonly BankAccount[]>>();

  constructor(bank: Bank, clock: Clock) {
    this.#bank = bank;
    this.#clock = clock;
  }

  async accountsOf(psuId: string): Promise<readonly BankAccount[]> {
    const at = this.#clock.now();
    const accounts = await this.#bank.accountsOf(psuId);
    this.#known.set(psuId, { at, accountIds: new Set(accounts.map(({ id }) => id)) });
    return accounts;
  }

  /** Only a yes is remembered: an account that was opened a moment ago is there at once. */
  async holds(psuId: string, accountId: string): Promise<boolean> {
    const known = this.#known.get(psuId);
    const age = known ? this.#clock.now() - known.at : KNOWN_MS;
    const isFresh = age >= 0 && age < KNOWN_MS;
    return (isFresh && known?.accountIds.has(accountId)) || this.holdsNow(psuId, accountId);
  }

  /** Those who ask at once about one person share the question. */
  async holdsNow(psuId: string, accountId: string): Promise<boolean> {
    const asked = this.#asked.get(psuId) ?? this.accountsOf(psuId).finally(() => this.#asked.delete(psuId));
    this.#asked.set(psuId, asked);
    return (await asked).some(({ id }) => id === accountId);
  }
}

/** A bank elsewhere, asked about accounts only for those who hold them. */
export const forHolders = (bank: Bank, clock: Clock): HeldBank => {
  const members = new Memberships(bank, clock);
  const held = async <T>(accountId: string, { psuId }: Asker, ask: () => Promise<T>): Promise<T> => {
    if (!(await members.holds(psuId, accountId))) throw new NoSuchAccount();
    try {
      return await ask();
    } catch (error) {
      // An account that is listed and denied is no answer: it may be a wrong address, and nobody should be declined for that.
      if (error instanceof NoSuchAccount && (await members.holdsNow(psuId, accountId)))
        throw new Problem('dependency-unavailable', {
          detail: 'The core banking system cannot answer now.',
          cause: new Error('the bank lists an account of a person and denies it to the same person'),
        });
      throw error;
    }
  };
  return {
    name: bank.name,
    isHere: false,
    ...(bank.payments ? { payments: bank.payments } : {}),
    holds: (psuId, accountId) => members.holds(psuId, accountId),
    accountsOf: (psuId) => members.accountsOf(psuId),
    termsFor: (transfer) => bank.termsFor(transfer),
    ping: () => bank.ping(),
    hasFunds: (question) => held(question.accountId, question.asker, () => bank.hasFunds(question)),
    balances: (accountId, asker) => held(accountId, asker, () => bank.balances(accountId, asker)),
    transactions: (query) => held(query.accountId, query.asker, () => bank.transactions(query)),
    transaction: (accountId, id, asker) =>
      held(accountId, asker, () => bank.transaction(accountId, id, asker)),
    statements: (accountId, from, to, asker) =>
      held(accountId, asker, () => bank.statements(accountId, from, to, asker)),
    statement: (accountId, id, asker) => held(accountId, asker, () => bank.statement(accountId, id, asker)),
  };
};
