/** The ports to the bank, and the contract of a core over HTTP. */
export type {
  AccountHolders,
  Challenge,
  CodeOutcome,
  LoginOutcome,
  Method,
  MethodKind,
  ScaContext,
} from '../bank/account-holders.js';
export {
  type Bank,
  type BankAccount,
  type HeldBank,
  NoSuchAccount,
} from '../bank/bank.js';
export type { ConsentChange, QueryContext } from '../bank/consent-note.js';
export { contextHash } from '../bank/context-hash.js';
export { accountsFor } from '../bank/guard/held-accounts.js';
export { loginsInTurn, withLogin } from '../bank/guard/logins-in-turn.js';
export { dependableBank } from '../bank/guard/module.js';
export {
  type AccountHistory,
  BadCursor,
  type Balance,
  type BankTransaction,
  balanceTypes,
  type PartyAgent,
  type Statement,
  type TransactionDetails,
  type TransactionPage,
  type TransactionsQuery,
} from '../bank/history.js';
export { type AnswerOf as CoreAnswer, isBankId } from '../bank/http/calls.js';
export { CoreClient as CoreConnection, type CoreTls } from '../bank/http/client.js';
export { BankId, Currency, Day, Decimal } from '../bank/http/contract/basic-shapes.js';
export { type CoreExample, coreExamples } from '../bank/http/contract/examples.js';
export { CONSENT_DATA, CONSENT_ID, NOT_AFTER, PSU_ID } from '../bank/http/contract/headers.js';
export {
  acceptOf,
  type CoreOperation,
  type CoreOperations,
  coreOperations,
  isOfConsent,
} from '../bank/http/contract/operations.js';
export type { Payment } from '../bank/http/contract/shapes.js';
export { CoreFault } from '../bank/http/fault.js';
export { coreTlsOf } from '../bank/http/tls-files.js';
export { OpenIdLogin } from '../bank/openid/openid-login.js';
export { OpenIdStepUp, type StepUpFault } from '../bank/openid/step-up.js';
export { CONFIRMED } from '../bank/openid/step-up-state.js';
export {
  type Passkey,
  type PasskeyChallenge,
  type PasskeyFault,
  type PasskeyParts,
  type PasskeyStore,
  Passkeys,
} from '../bank/passkeys/passkeys.js';
export type {
  BooksInTransaction,
  Charge,
  PaymentInstruction,
  PaymentProgress,
  RejectReason,
  Transfer,
  TransferKind,
  TransferQuestion,
  TransferTerms,
} from '../bank/payments.js';
export type { PayeeCheck } from '../model/payment-terms.js';
