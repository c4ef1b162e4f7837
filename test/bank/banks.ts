/** Banks for tests that need only a part of the port: everything not given answers as an empty bank does. */
import type { Bank } from '../../src/bank/bank.js';

const empty: Bank = {
  name: 'empty',
  hasFunds: async () => false,
  accountsOf: async () => [],
  termsFor: async () => ({ faults: {}, charge: { currency: 'EUR', amountMinor: 0 }, quote: null }),
  balances: async () => [],
  transactions: async () => ({ items: [], next: null }),
  transaction: async () => undefined,
  statements: async () => [],
  statement: async () => undefined,
  ping: async () => undefined,
};

export const bankWith = (answers: Partial<Bank>): Bank => ({ ...empty, ...answers });

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
