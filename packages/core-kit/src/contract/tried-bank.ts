/** A bank that is tried, and how its transactions are walked through. */
import assert from 'node:assert/strict';
import type { Bank, BankTransaction, TransactionsQuery } from 'trapeza/bank';
import type { AccountId, PsuId } from 'trapeza/base';

export interface TriedBank {
  readonly bank: Bank;
  readonly psuId: PsuId;
  /** An account of theirs with more than 50 booked transactions on ten days or more, something pending and three statements. */
  readonly accountId: AccountId;
  /** Another customer and their account. */
  readonly otherPsuId: PsuId;
  readonly otherId: AccountId;
  /** The bank's time. */
  now(): number;
  /** A payment arrives on the account. Without it the promise about pages is not tried. */
  arrive?(): Promise<void>;
  /** Time passes until something that is pending is booked. Without it the promise about its id is not tried. */
  bookPending?(): Promise<void>;
}

export const ever = { from: '1900-01-01', to: '2999-12-31' } as const;

export const isTrue = (value: boolean, what: string): void => assert.ok(value, what);

export const transactionsOf = (tried: () => TriedBank) => {
  const page = (more: Partial<TransactionsQuery> = {}) => {
    const { bank, accountId, psuId } = tried();
    const query = {
      accountId,
      ...ever,
      status: 'booked',
      after: null,
      limit: 50,
      context: { psuId },
    } as const;
    return bank.transactions({ ...query, ...more });
  };
  const walk = async (limit: number, between: () => Promise<void> = async () => undefined) => {
    const seen: BankTransaction[] = [];
    let after: string | null = null;
    do {
      const { items, next } = await page({ after, limit });
      isTrue(items.length <= limit, `a page has at most ${limit} transactions`);
      seen.push(...items);
      after = next;
      await between();
    } while (after !== null);
    return seen;
  };
  return { page, walk };
};
