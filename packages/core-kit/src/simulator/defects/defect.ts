/** What a defect is: what it is called in words, and what it puts in place of right answers. */

import { demoPsus } from '@trapeza/sandbox/demo-bank';
import type { AccountId } from 'trapeza/base';
import { type Core, Refusal } from '../contract.js';

export interface Defect {
  readonly title: string;
  readonly spoil: (core: Core) => Partial<Core>;
}

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
