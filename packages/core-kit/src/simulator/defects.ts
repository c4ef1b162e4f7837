/**
 * Mistakes that a bank's own implementation might make, each under a name, so that the check of such implementations can be
 * checked itself. A defect spoils the answers of a good core; nothing of it is in the good one.
 */
import type { Core } from './contract.js';
import { accountDefects } from './defects/accounts.js';
import { historyDefects } from './defects/history.js';
import { paymentDefects } from './defects/payments.js';
import { personDefects } from './defects/persons.js';
import { transactionIdDefects } from './defects/transaction-ids.js';

export const defects = {
  ...accountDefects,
  ...historyDefects,
  ...transactionIdDefects,
  ...paymentDefects,
  ...personDefects,
} as const;

export type DefectName = keyof typeof defects;

export const isDefect = (name: string): name is DefectName => Object.hasOwn(defects, name);

export const withDefects = (core: Core, names: readonly DefectName[]): Core => {
  let spoilt = core;
  for (const name of names) spoilt = { ...spoilt, ...defects[name].spoil(spoilt) };
  return spoilt;
};
