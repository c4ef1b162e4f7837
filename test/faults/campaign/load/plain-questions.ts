/** Questions whose answer depends on nothing that the third party did before. */
import { randomUUID } from 'node:crypto';
import { ATMS, statusPath } from '../../../support/operations.js';
import type { Caller } from './caller.js';
import { is, problem } from './known.js';

export const plainQuestions = (caller: Caller) => {
  let atms: string | undefined;
  return {
    /** The list is in the memory of each node, and the same on all. */
    readAtms: async (): Promise<void> => {
      const answer = await caller.ask({
        operation: 'atms',
        path: ATMS,
        fault: ({ status, text }) =>
          status === 200 && text === (atms ?? text) ? undefined : '200, as before',
      });
      atms ??= answer?.text;
    },
    readNothing: async (): Promise<void> => {
      await caller.ask({
        operation: 'no such consent',
        path: statusPath(randomUUID()),
        fault: problem(404, 'resource-not-found'),
      });
    },
    useRevokedToken: (): Promise<void> =>
      caller.useRevoked({ operation: 'revoked token', path: statusPath(randomUUID()), fault: is(401) }),
  };
};
