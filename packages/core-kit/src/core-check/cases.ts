/** Every case, in the order in which it runs: by operation, as the contract lists them. */
import { coreOperations } from 'trapeza/bank';
import type { Case } from './case.js';
import { accountCases } from './cases/accounts.js';
import { balanceCases } from './cases/balances.js';
import { basicCases } from './cases/basics.js';
import { cancellationCases } from './cases/cancellations.js';
import { consentCases } from './cases/consents.js';
import { cursorCases } from './cases/cursors.js';
import { documentCases } from './cases/documents.js';
import { fundsCases } from './cases/funds.js';
import { fundsTogetherCases } from './cases/funds-together.js';
import { holderCases } from './cases/holders.js';
import { methodCases } from './cases/methods.js';
import { paymentCases } from './cases/payments.js';
import { personalTermCases } from './cases/personal-terms.js';
import { personCases } from './cases/persons.js';
import { statementCases } from './cases/statements.js';
import { termCases } from './cases/terms.js';
import { transactionIdCases } from './cases/transaction-ids.js';
import { transactionCases } from './cases/transactions.js';

const all: readonly Case[] = [
  ...basicCases,
  ...accountCases,
  ...fundsCases,
  ...fundsTogetherCases,
  ...balanceCases,
  ...transactionCases,
  ...transactionIdCases,
  ...cursorCases,
  ...statementCases,
  ...documentCases,
  ...termCases,
  ...personalTermCases,
  ...paymentCases,
  ...cancellationCases,
  ...consentCases,
  ...personCases,
  ...methodCases,
  ...holderCases,
];

const order = Object.keys(coreOperations);

export const cases: readonly Case[] = all.toSorted(
  (a, b) => order.indexOf(a.operation) - order.indexOf(b.operation),
);
