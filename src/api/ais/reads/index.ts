/** Every read of account data. */
import type { Operation } from '../../../http/operation.js';
import { getAccount, getAccounts, getBalances } from './accounts.js';
import type { DataParts } from './read.js';
import { getStatement, getStatements } from './statements.js';
import { getTransaction, getTransactions } from './transactions.js';

export type { DataParts } from './read.js';

export const accountReads = (parts: DataParts): readonly Operation[] => [
  getAccounts(parts),
  getAccount(parts),
  getBalances(parts),
  getTransactions(parts),
  getTransaction(parts),
  getStatements(parts),
  getStatement(parts),
];
