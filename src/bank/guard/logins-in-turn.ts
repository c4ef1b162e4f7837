/**
 * A few logins at a time, a short queue, and a refusal for the rest: passwords are hashed slowly on purpose, in the same few threads
 * that verify tokens and signatures, and anybody can ask for it.
 */
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import { Problem } from '../../problem/problem.js';
import type { AccountHolders } from '../account-holders.js';

const QUEUE = 32;

const asProblem = (error: unknown): unknown =>
  error instanceof BulkheadRejectedError
    ? new Problem('dependency-unavailable', { detail: 'Too many people are logging in right now.' })
    : error;

/** The same people with another first factor. */
export const withLogin = (holders: AccountHolders, login: AccountHolders['login']): AccountHolders => ({
  login,
  challenge: (...asked) => holders.challenge(...asked),
  verify: (...asked) => holders.verify(...asked),
  // Asked as a method: the bank's may be a class.
  ...(holders.methods ? { methods: async (...asked) => (await holders.methods?.(...asked)) ?? [] } : {}),
});

export const loginsInTurn = (holders: AccountHolders, maxConcurrent: number): AccountHolders => {
  const turns = bulkhead(maxConcurrent, QUEUE);
  return withLogin(holders, (...asked) =>
    turns
      .execute(() => holders.login(...asked))
      .catch((error: unknown) => {
        throw asProblem(error);
      }),
  );
};
