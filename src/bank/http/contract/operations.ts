/**
 * The contract of the core as data: what a bank implements over HTTP. The adapter, the simulator, the check of a bank's own
 * implementation and docs/core-openapi.json are all made from these entries.
 */
import { type TSchema, Type } from 'typebox';
import { Account, Balance, Statement, Transaction } from './account-shapes.js';
import { BankId, Day, Moment, oneOf, strict } from './basic-shapes.js';
import { consentOperations } from './consent-operations.js';
import { fundsOperations } from './funds-operations.js';
import { personOperations } from './person-operations.js';
import { Payment, PaymentState, Terms, TransferWish } from './shapes.js';

export const PDF = 'application/pdf';

const cursor = Type.String({ minLength: 1, maxLength: 512, pattern: '^[!-~]+$' });

export interface CoreOperation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT';
  /** With `:name` for parameters, which are sent percent-encoded. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly query?: Readonly<Record<string, { readonly schema: TSchema; readonly required: boolean }>>;
  readonly body?: TSchema;
  /** A core need not have it: 400, 404, 405 and 501 are all its `absent`, unless `notOffered` tells them apart. */
  readonly isOptional?: true;
  /** Of the answer 200, if it is not JSON: the answer is then bytes. */
  readonly media?: typeof PDF;
  /** Of the answer 200. Ids are echoed, so that an answer to another question is noticed. */
  readonly answer: TSchema;
  /** What 404 means here; without it a 404 is a fault of the core. */
  readonly absent?: string;
  /** What 405 and 501 mean here, if 404 means something else. */
  readonly notOffered?: string;
  /** What 409 means here; to Trapeza it is a fault of the core. */
  readonly conflict?: string;
  /** What 412 means here, of an operation with a Not-After. */
  readonly tooLate?: string;
  /** About an account: the header PSU-ID names the person, and 404 says that this person does not hold it. */
  readonly ofHolder?: true;
  /** Has turns and connections of its own: a flood of these must not delay those, nor those these. */
  readonly lane?: 'login' | 'payment' | 'consent';
  /** May be asked again after a fault: it changes nothing. */
  readonly isSafe: boolean;
}

const of = <const T extends CoreOperation>(operation: T): T => operation;

export const coreOperations = {
  ping: of({
    id: 'ping',
    method: 'GET',
    path: '/health',
    summary: 'Whether the core can be used',
    description:
      'Answers quickly and without credentials of an account holder. `maintenance` is shown to operators, with its end in `until`; third parties hear of it from the operations: answer them 503 with Retry-After, which is passed on to them (24 hours at most) and told to people on pages. `test` is true on a test system without real money, and only there: a sandbox in front of it then decides in the place of account holders. `consents` is true if the core wants to be told of consents, by putConsent. `operations` names the operations that the core has, by their `operationId`: an optional one that is not among them is never asked for. Without it Trapeza asks, and sees.',
    answer: Type.Object(
      {
        status: oneOf(['ok', 'maintenance']),
        until: Type.Optional(Moment),
        test: Type.Optional(Type.Boolean()),
        consents: Type.Optional(Type.Boolean()),
        operations: Type.Optional(
          Type.Array(Type.String({ pattern: '^[A-Za-z]{1,40}$' }), { maxItems: 100 }),
        ),
      },
      strict,
    ),
    isSafe: true,
  }),
  findAccounts: of({
    id: 'findAccounts',
    method: 'GET',
    path: '/account-holders/:psuId/accounts',
    summary: 'The accounts of a person',
    description:
      'Every account the person may use, joint ones included; one entry for each currency. The id is the bank’s own and never changes: it is kept with consents and sent back with each question. An unknown person has none. `accountId`, `iban`, `bban` and `msisdn` say which are wanted, one of them at a time; `balances` whether balances are shown (they are, if it is left out), `limit` and `after` are for pages, always in the same order; without `limit` a page is as long as you like. A small core ignores them all and answers with everything, without `next`; a core that makes pages follows the filters too. One that refuses a filter with 400 is asked again without.',
    query: {
      accountId: { schema: BankId, required: false },
      iban: { schema: Type.String({ maxLength: 34 }), required: false },
      bban: { schema: Type.String({ maxLength: 30 }), required: false },
      msisdn: { schema: Type.String({ maxLength: 16 }), required: false },
      balances: { schema: oneOf(['true', 'false']), required: false },
      limit: { schema: Type.Integer({ minimum: 1, maximum: 1000 }), required: false },
      after: { schema: cursor, required: false },
    },
    answer: Type.Object(
      {
        psuId: BankId,
        accounts: Type.Array(Account, { maxItems: 1000 }),
        next: Type.Optional(Type.Union([cursor, Type.Null()])),
      },
      strict,
    ),
    isSafe: true,
  }),
  ...fundsOperations,
  readBalances: of({
    id: 'readBalances',
    method: 'GET',
    path: '/accounts/:accountId/balances',
    summary: 'The balances of an account',
    description: 'Each type once. interimAvailable is what hasFunds compares with.',
    answer: Type.Object({ accountId: BankId, balances: Type.Array(Balance, { maxItems: 10 }) }, strict),
    ofHolder: true,
    isSafe: true,
  }),
  listTransactions: of({
    id: 'listTransactions',
    method: 'GET',
    path: '/accounts/:accountId/transactions',
    summary: 'A page of transactions',
    description:
      'Newest first (booked ones by booking date), those of the days from `from` to `to`, both included. `after` is the `next` of an earlier page of the same list; what arrives between two pages neither repeats nor hides another. A cursor that no page gave out is answered with 400.',
    query: {
      from: { schema: Day, required: true },
      to: { schema: Day, required: true },
      status: { schema: oneOf(['booked', 'pending']), required: true },
      limit: { schema: Type.Integer({ minimum: 1, maximum: 1000 }), required: true },
      after: { schema: cursor, required: false },
    },
    answer: Type.Object(
      {
        accountId: BankId,
        transactions: Type.Array(Transaction, { maxItems: 1000 }),
        next: Type.Union([cursor, Type.Null()]),
      },
      strict,
    ),
    ofHolder: true,
    isSafe: true,
  }),
  readTransaction: of({
    id: 'readTransaction',
    method: 'GET',
    path: '/accounts/:accountId/transactions/:transactionId',
    summary: 'One transaction',
    description: 'The same as in the list. To another account than its own it is absent.',
    answer: Type.Object({ accountId: BankId, transaction: Transaction }, strict),
    absent: 'The account has no such transaction, or the person does not hold it.',
    ofHolder: true,
    isSafe: true,
  }),
  listStatements: of({
    id: 'listStatements',
    method: 'GET',
    path: '/accounts/:accountId/statements',
    summary: 'Statements',
    description: 'Newest first, by their last days: those whose periods lie wholly within the days.',
    query: { from: { schema: Day, required: true }, to: { schema: Day, required: true } },
    answer: Type.Object({ accountId: BankId, statements: Type.Array(Statement, { maxItems: 1200 }) }, strict),
    ofHolder: true,
    isSafe: true,
  }),
  readStatement: of({
    id: 'readStatement',
    method: 'GET',
    path: '/accounts/:accountId/statements/:statementId',
    summary: 'One statement',
    description: 'To another account than its own it is absent.',
    answer: Type.Object({ accountId: BankId, statement: Statement }, strict),
    absent: 'The account has no such statement, or the person does not hold it.',
    ofHolder: true,
    isSafe: true,
  }),
  readStatementDocument: of({
    id: 'readStatementDocument',
    method: 'GET',
    path: '/accounts/:accountId/statements/:statementId/document',
    summary: 'Your own PDF of a statement',
    description:
      'Optional. Third parties that ask for a PDF get it, if their consent opens all that such a paper tells: details of the account, balances and transactions. The same bytes each time; a statement that has a document keeps it. At most TRAPEZA_CORE_RESPONSE_LIMIT bytes (4 MiB).',
    isOptional: true,
    media: PDF,
    answer: Type.Unsafe<Uint8Array>({}),
    absent: 'There is no document. A core without this operation may also answer 405 or 501.',
    ofHolder: true,
    isSafe: true,
  }),
  quoteTransfer: of({
    id: 'quoteTransfer',
    method: 'POST',
    path: '/transfer-terms',
    summary: 'Whether a transfer would be carried out, and at what price',
    description:
      'Asked before the account holder is. The charge and the quote are shown, approved, and sent back with the payment within 24 hours: carry it out at them, also if you would ask another price by then. Answer the same for the minutes in which a person decides: if the terms differ when the approval arrives, the person is asked once more. Without a quote the charge is in the currency of the amount, with one in the currency of its `pay`.',
    body: TransferWish,
    answer: Terms,
    isSafe: true,
  }),
  executePayment: of({
    id: 'executePayment',
    method: 'PUT',
    path: '/payments/:paymentId',
    summary: 'Carry out a payment',
    description:
      'The id in the path is the idempotency key: the same id is carried out once, for ever, and every repetition is answered with what became of it. A payment that cannot be carried out is answered with RJCT and its reason, not with an error. After an error or no answer Trapeza asks with GET before it sends the payment again.',
    body: Payment,
    answer: PaymentState,
    conflict: 'A payment with this id and other content was sent before.',
    tooLate:
      'It came after the moment of Not-After: this request was not carried out. GET tells whether an earlier one was.',
    lane: 'payment',
    isSafe: false,
  }),
  readPayment: of({
    id: 'readPayment',
    method: 'GET',
    path: '/payments/:paymentId',
    summary: 'What has become of a payment',
    description:
      '404 says for certain that this payment was not carried out and is not under way; it may then be sent again.',
    answer: PaymentState,
    absent: 'The core never got this payment.',
    lane: 'payment',
    isSafe: true,
  }),
  cancelPayment: of({
    id: 'cancelPayment',
    method: 'POST',
    path: '/payments/:paymentId/cancellation',
    summary: 'Call a payment back',
    description:
      'Optional: a core without it leaves it out of the `operations` of its health, or answers 405 or 501; third parties are told then that no payment is called back. 404 is about this payment alone, and no answer to a third party: it stays unknown whether the payment is cancelled. Trapeza never asks while its own PUT of this payment has no answer. CANC says for certain that the payment is not carried out, now or later, and that nothing of it stays debited; like every final status it is kept with the id. A payment that cannot be called back any more goes on, and is answered with its state: nothing changes. The same question again has the same answer. After an error or no answer Trapeza asks with GET /payments/{paymentId} what became of it.',
    answer: PaymentState,
    absent: 'The core never got this payment: it remembers nothing, and may still get it.',
    notOffered: 'The core has no such operation: it calls no payment back.',
    isOptional: true,
    isSafe: false,
  }),
  ...consentOperations,
  ...personOperations,
} as const satisfies Record<string, CoreOperation>;

export type CoreOperations = typeof coreOperations;

/** As a header: a core that refuses says so in JSON. */
export const acceptOf = ({ media }: CoreOperation): Readonly<Record<string, string>> =>
  media ? { accept: `${media}, application/json` } : {};

/** Questions about an account or a payment are asked on behalf of a consent; those before and beside it are not. */
export const isOfConsent = ({ path, id }: CoreOperation): boolean =>
  path.startsWith('/accounts/') || id === 'executePayment';
