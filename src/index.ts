/** For embedding: start the service from a program of your own, with your own implementation of the bank. */
export { Gone, NotAllowed, Refusal } from './acts/refusal.js';
export type { Admin, WantedApplication } from './admin/admin.js';
export { type App, type AppOptions, startApp } from './app/app.js';
export type {
  AccountHolders,
  AccountHoldersFactory,
  Challenge,
  CodeOutcome,
  LoginOutcome,
  ScaContext,
} from './bank/account-holders.js';
export {
  type Bank,
  type BankAccount,
  type BankFactory,
  type FundsQuestion,
  NoSuchAccount,
} from './bank/bank.js';
export type { ConsentNote, QueryContext } from './bank/consent-note.js';
export { BankTimeout, BankUnavailable } from './bank/guard/module.js';
export {
  type AccountHistory,
  BadCursor,
  type Balance,
  type BankTransaction,
  type Statement,
  type TransactionDetails,
  type TransactionPage,
  type TransactionsQuery,
} from './bank/history.js';
export type {
  BooksInTransaction,
  Charge,
  PaymentInstruction,
  PaymentProgress,
  RejectReason,
  RemoteBooks,
  Transfer,
  TransferTerms,
} from './bank/payments.js';
export { type Config, ConfigError, productionFaults, readConfig } from './config/config.js';
export type { AccountId, ClientId, ConsentId, PsuId } from './model/ids.js';
export { NotSettled } from './payment/remote/unresolved.js';
export { RegistryError } from './tpp/registry.js';
