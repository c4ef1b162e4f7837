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

export const loginsInTurn = (holders: AccountHolders, maxConcurrent: number): AccountHolders => {
  const turns = bulkhead(maxConcurrent, QUEUE);
  return {
    login: (username, password, language) =>
      turns
        .execute(() => holders.login(username, password, language))
        .catch((error: unknown) => {
          throw asProblem(error);
        }),
    challenge: (psuId, context) => holders.challenge(psuId, context),
    verify: (psuId, challengeId, context, code) => holders.verify(psuId, challengeId, context, code),
  };
};
