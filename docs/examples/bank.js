/** A bank's module for Trapeza: every question goes to the bank's own core. */
import { BadCursor, NoSuchAccount } from 'trapeza';
import { core } from './core.js';

/**
 * Every question about an account names the person for whom it is asked. Whoever does not hold it (any more) has no such account.
 * @param {string} accountId
 * @param {import('trapeza').QueryContext} context
 */
const heldAccount = async (accountId, { psuId }) => {
  const account = await core.account(accountId);
  if (!account?.holders.includes(psuId)) throw new NoSuchAccount();
  return account;
};

/** @type {import('trapeza').BankFactory} */
export const createBank = () => ({
  name: 'core',
  // Throw if you do not know: a wrong `false` declines somebody's card.
  hasFunds: async ({ accountId, amountMinor, context }) =>
    (await heldAccount(accountId, context)).availableMinor >= amountMinor,
  accountsOf: (psuId) => core.accountsOf(psuId),
  termsFor: (transfer) => core.terms(transfer),
  balances: async (accountId, context) => (await heldAccount(accountId, context)).balances,
  // Newest first. `after` is a cursor of your own making: throw BadCursor if it is not one.
  transactions: async ({ accountId, from, to, status, after, limit, context }) => {
    const { id } = await heldAccount(accountId, context);
    const page = await core.page(id, { from, to, status, after, limit });
    if (!page) throw new BadCursor();
    return page;
  },
  transaction: async (accountId, transactionId, context) =>
    core.transaction((await heldAccount(accountId, context)).id, transactionId),
  statements: async (accountId, from, to, context) =>
    core.statements((await heldAccount(accountId, context)).id, from, to),
  statement: async (accountId, statementId, context) =>
    core.statement((await heldAccount(accountId, context)).id, statementId),
  payments: {
    kind: 'remote',
    // `id` is the idempotency key: carried out once, however often it comes. Throw if you do not know.
    execute: (instruction) => core.pay(instruction),
    // undefined says for certain: never got it, and it is not under way.
    find: (paymentId) => core.payment(paymentId),
  },
  ping: () => core.ping(),
});
