/** Banks for tests that need only a part of the port: everything not given answers as a bank does in which nothing has happened. */

import { demoPsus } from '../../packages/sandbox/src/bank/people.js';
import type { Bank, BankAccount } from '../../src/bank/bank.js';

/** The accounts of the demo people, as a bank of theirs lists them. */
const accountsOf = async (psuId: string): Promise<readonly BankAccount[]> =>
  demoPsus
    .filter(({ id }) => id === psuId)
    .flatMap(({ name, accounts }) =>
      accounts.map(({ bookedMinor, pendingMinor, creditMinor, cardNumber, ...account }) => ({
        ...account,
        ownerName: name,
        balanceMinor: bookedMinor - pendingMinor,
      })),
    );

const quiet: Bank = {
  name: 'quiet',
  hasFunds: async () => false,
  accountsOf,
  termsFor: async () => ({ faults: {}, charge: { currency: 'EUR', amountMinor: 0 }, quote: null }),
  balances: async () => [],
  transactions: async () => ({ items: [], next: null }),
  transaction: async () => undefined,
  statements: async () => [],
  statement: async () => undefined,
  ping: async () => undefined,
};

export const bankWith = (answers: Partial<Bank>): Bank => ({ ...quiet, ...answers });

/** Every question meets the same end. */
export const bankThat = (name: string, answer: () => Promise<never>): Bank => ({
  name,
  hasFunds: answer,
  accountsOf: answer,
  termsFor: answer,
  balances: answer,
  transactions: answer,
  transaction: answer,
  statements: answer,
  statement: answer,
  ping: answer,
});
