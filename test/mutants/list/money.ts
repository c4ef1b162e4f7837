/** Amounts, currencies, and which account pays. */
import type { Mutant } from '../mutant.js';

export const money: readonly Mutant[] = [
  {
    id: 'A5',
    file: 'model/currency.ts',
    find: ' SDG ',
    replace: ' ',
    killedBy: ['model/currency.test.ts > are those of ISO 4217'],
    means: 'no payment in Sudanese pounds',
  },
  {
    id: 'A6',
    file: 'payment/payable.ts',
    find: 'return isNumber && account.currency === (creditAccount.currency ?? currency);',
    replace: 'return isNumber;',
    killedBy: ['consents/rules-held.test.ts > another currency of the same number is another payee'],
    means: 'a transfer between the currencies of one account is refused',
  },
];
