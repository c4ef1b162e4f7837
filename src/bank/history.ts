/**
 * What the bank tells about an account's money: balances, transactions, statements. Questions arrive checked and clamped:
 * the account belongs to the consent and the days lie within what it allows. Amounts are integer minor units; what an
 * account receives is positive, what it pays is negative.
 */
import type { AccountId } from '../model/ids.js';
import type { QueryContext } from './consent-note.js';

export const balanceTypes = ['closingBooked', 'interimBooked', 'interimAvailable'] as const;

/** A bank's own code for a kind of entry: 1 to 35 characters, none of them a control character. */
export const PROPRIETARY_CODE = '^[^\\u0000-\\u001f\\u007f-\\u009f]{1,35}$';

export interface Balance {
  readonly type: (typeof balanceTypes)[number];
  readonly currency: string;
  readonly amountMinor: number;
  /** Whether the agreed credit line is part of the amount. */
  readonly includesCreditLine: boolean;
  /** When it last changed, not when it was read. */
  readonly at: number;
}

/** Counterparty, remittance and what else only a detail permission opens are apart, so that they cannot slip through. */
export interface BankTransaction {
  /**
   * The bank's own: one for each entry over the whole bank, so that the two sides of a transfer have two. It stays the same from
   * pending to booked and is never given to another entry.
   */
  readonly id: string;
  readonly status: 'booked' | 'pending';
  /** Absent while pending. Days are those of the bank's zone. */
  readonly bookingDate: string | null;
  readonly valueDate: string;
  /** When it was entered. */
  readonly at: number;
  /** When it was booked, if the bank keeps the moment; null while pending. */
  readonly bookedAt?: number | null;
  readonly currency: string;
  readonly amountMinor: number;
  /** ISO 20022 bank transaction code: domain-family-subfamily, such as PMNT-CCRD-POSD; null if the bank has none. */
  readonly code: string | null;
  /** The bank's own code for the kind of entry. */
  readonly proprietaryCode?: string | null;
  /** After this booking; null while pending, and if the bank keeps no running balance. */
  readonly balanceMinor: number | null;
  readonly details: TransactionDetails;
}

/** The bank of the other side, as far as it is known. */
export interface PartyAgent {
  readonly bic?: string | null;
  readonly name?: string | null;
  /** ISO 3166 alpha-2. */
  readonly country?: string | null;
}

export interface TransactionDetails {
  readonly counterpartyName: string | null;
  readonly counterpartyIban: string | null;
  /** Of an account without IBAN. */
  readonly counterpartyBban?: string | null;
  /** The currency of their account. */
  readonly counterpartyCurrency?: string | null;
  /** Their bank. */
  readonly counterpartyAgent?: PartyAgent | null;
  readonly remittanceInformation: string | null;
  readonly endToEndId: string | null;
  /** The payment of this interface that the entry belongs to: on the payer's side alone, its charges included. */
  readonly paymentId?: string | null;
  /** Of a direct debit. */
  readonly mandateId?: string | null;
  readonly creditorId?: string | null;
  /** ISO 20022 external purpose, such as SALA. */
  readonly purposeCode?: string | null;
  /** The payee's own reference of what is paid: ISO 11649 (RF…) or one of a national scheme. */
  readonly creditorReference?: string | null;
  /** For whom the payer pays, and for whom the payee is paid, if that is another person. */
  readonly ultimateDebtor?: string | null;
  readonly ultimateCreditor?: string | null;
  /** ISO 18245, of a payment by card. */
  readonly merchantCategoryCode?: string | null;
  /**
   * What was paid or received in another currency, with the sign of the entry, and the rate: one unit of it in the currency of
   * the account.
   */
  readonly exchange: {
    readonly currency: string;
    readonly amountMinor: number;
    readonly rate: number;
  } | null;
}

export interface TransactionsQuery {
  readonly accountId: AccountId;
  /** First and last day, both included. */
  readonly from: string;
  readonly to: string;
  readonly status: BankTransaction['status'];
  /** From an earlier page of the same list, else it throws `BadCursor`; null for the first one. */
  readonly after: string | null;
  readonly limit: number;
  /** The last one of the page before: this page goes on behind it. */
  readonly last?: { readonly id: string; readonly day: string } | undefined;
  readonly context: QueryContext;
}

/** A place in a list that no page ever gave out. */
export class BadCursor extends Error {
  constructor() {
    super('not a cursor of this list');
    this.name = 'BadCursor';
  }
}

/** Newest first. Transactions that arrive between two pages neither repeat nor hide one that was there before. */
export interface TransactionPage {
  readonly items: readonly BankTransaction[];
  readonly next: string | null;
}

/** A period that is over, of 366 days at most. Its transactions are read with `transactions` over its days. */
export interface Statement {
  readonly id: string;
  /** The bank's own, such as 3/2026. */
  readonly number?: string | null;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  readonly openingMinor: number;
  readonly closingMinor: number;
  readonly creditsMinor: number;
  /** What left the account, as a sum: not negative. */
  readonly debitsMinor: number;
  readonly creditCount: number;
  readonly debitCount: number;
  readonly createdAt: number;
}

/**
 * The part of the core-banking port that account information reads. Throws `NoSuchAccount` if the person does not hold the
 * account.
 */
export interface AccountHistory {
  balances(accountId: AccountId, context: QueryContext): Promise<readonly Balance[]>;
  transactions(query: TransactionsQuery): Promise<TransactionPage>;
  transaction(
    accountId: AccountId,
    transactionId: string,
    context: QueryContext,
  ): Promise<BankTransaction | undefined>;
  /** Newest first, by their last days: those that lie wholly within these days. */
  statements(
    accountId: AccountId,
    from: string,
    to: string,
    context: QueryContext,
  ): Promise<readonly Statement[]>;
  statement(accountId: AccountId, statementId: string, context: QueryContext): Promise<Statement | undefined>;
  /** The bank's own PDF of a statement, the same each time. Undefined if it has none. */
  statementDocument?(
    accountId: AccountId,
    statementId: string,
    context: QueryContext,
  ): Promise<Uint8Array | undefined>;
}
