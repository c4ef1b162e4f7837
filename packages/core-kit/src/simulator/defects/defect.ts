/** What a defect is: what it is called in words, and what it puts in place of right answers. */

import { demoAccounts, demoPsus } from '@trapeza/sandbox/demo-bank';
import type { AccountId } from 'trapeza/base';
import { type Answer, type Asked, type Core, type OperationId, Refusal } from '../contract.js';

export interface Defect {
  readonly title: string;
  readonly spoil: (core: Core) => Partial<Core>;
  /** Questions that do not fit the contract are not noticed, and end in an error of the core. */
  readonly checksNothing?: true;
}

/** Other answers to one operation; `count`: how often it was asked. */
export const answering =
  <Id extends OperationId>(
    id: Id,
    change: (answer: Answer<Id>, asked: Asked<Id>, count: number) => Answer<Id>,
  ): Defect['spoil'] =>
  (core) => {
    const ask: (asked: Asked<Id>) => Promise<Answer<Id>> = core[id];
    let count = 0;
    const changed: Partial<Record<OperationId, unknown>> = {
      [id]: async (asked: Asked<Id>) => {
        const answer = await ask(asked);
        count += 1;
        return change(answer, asked, count);
      },
    };
    return changed as Partial<Core>;
  };

/** Several at once. */
export const combined =
  (...spoils: readonly Defect['spoil'][]): Defect['spoil'] =>
  (core) =>
    Object.assign({}, ...spoils.map((spoil) => spoil(core))) as Partial<Core>;

/** A holder of the account; an unknown person if there is none. */
export const holderOf = (accountId: AccountId): string =>
  demoPsus.find(({ accounts }) => accounts.some(({ id }) => id === accountId))?.id ?? 'nobody';

/** What a defect does if the good core refuses with this status. */
export const where = async <T>(
  status: number,
  work: () => Promise<T>,
  instead: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refusal && error.status === status) return instead();
    throw error;
  }
};

/** The first account whose answer is no refusal. */
export const ofAnyAccount = async <T>(
  work: (accountId: AccountId) => Promise<T>,
  otherwise: () => Promise<T>,
): Promise<T> => {
  for (const { id } of demoAccounts) {
    const found = await where<T | undefined>(
      404,
      () => work(id),
      async () => undefined,
    );
    if (found !== undefined) return found;
  }
  return otherwise();
};
