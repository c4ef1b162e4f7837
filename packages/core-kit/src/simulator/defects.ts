/**
 * Mistakes that a bank's own implementation might make, each under a name, so that the check of such implementations can be
 * checked itself. A defect spoils the answers of a good core; nothing of it is in the good one.
 */
import type { Core } from './contract.js';
import { accountDefects } from './defects/accounts.js';
import { balanceDefects } from './defects/balances.js';
import { cancellationDefects } from './defects/cancellations.js';
import { consentDefects } from './defects/consents.js';
import type { Defect } from './defects/defect.js';
import { generalDefects } from './defects/general.js';
import { historyDefects } from './defects/history.js';
import { methodDefects } from './defects/methods.js';
import { paymentDefects } from './defects/payments.js';
import { personDefects } from './defects/persons.js';
import { statementDefects } from './defects/statements.js';
import { termDefects } from './defects/terms.js';
import { togetherDefects } from './defects/together.js';
import { transactionIdDefects } from './defects/transaction-ids.js';

export const defects = {
  ...generalDefects,
  ...accountDefects,
  ...togetherDefects,
  ...balanceDefects,
  ...historyDefects,
  ...transactionIdDefects,
  ...statementDefects,
  ...termDefects,
  ...paymentDefects,
  ...cancellationDefects,
  ...consentDefects,
  ...personDefects,
  ...methodDefects,
} as const;

export type DefectName = keyof typeof defects;

export const isDefect = (name: string): name is DefectName => Object.hasOwn(defects, name);

const defectOf = (name: DefectName): Defect => defects[name];

/** Whether the core looks at what it is asked. */
export const checksQuestions = (names: readonly DefectName[]): boolean =>
  !names.some((name) => defectOf(name).checksNothing);

export const withDefects = (core: Core, names: readonly DefectName[]): Core => {
  let spoilt = core;
  for (const name of names) spoilt = { ...spoilt, ...defectOf(name).spoil(spoilt) };
  return spoilt;
};
