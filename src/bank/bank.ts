/**
 * The core-banking port: the queries that Trapeza sends to the bank. The demo bank and the bank's own adapter both implement it.
 * Queries are validated: the account belongs to the caller's consent and the amount fits its currency. The bank decides who
 * holds an account: if the person of a query does not, it throws `NoSuchAccount`.
 */

import type { Eventual } from '../lib/turn.js';
import type { AccountId, PsuId } from '../model/ids.js';
import type { Language } from '../web/language.js';
import type { BankAccount } from './account.js';
import type { ConsentChange, KnownConsent, QueryContext } from './consent-note.js';
import type { AccountHistory } from './history.js';
import type { BooksInTransaction, RemoteBooks, TransferQuestion, TransferTerms } from './payments.js';

export type { BankAccount } from './account.js';

export interface Bank extends AccountHistory {
  /** For logs and the readiness check. */
  readonly name: string;
  /**
   * Whether the account can pay the amount now: booked balance − pending debits + agreed credit line. A blocked or closed account
   * has no funds. Must throw if it does not know; a wrong `false` would decline a card.
   */
  hasFunds(question: FundsQuestion): Promise<boolean>;
  /**
   * The accounts a person holds, joint ones included. Those that the filter names must be among them; a bank may ignore it and
   * answer with all. Without a filter more than `MANY_ACCOUNTS` are never used, and always the same first ones.
   */
  accountsOf(psuId: PsuId, filter?: AccountFilter): Promise<readonly BankAccount[]>;
  /** Whether the bank would carry out a transfer, and what it costs the payer. */
  termsFor(transfer: TransferQuestion): Promise<TransferTerms>;
  /** How payments are carried out. Without it third parties can stage payments but not submit them. */
  readonly payments?: BooksInTransaction | RemoteBooks;
  /** Whether `consentChanged` is to be called now. Absent, or throws while the bank cannot be reached: it is not. */
  wantsConsents?(): Promise<boolean>;
  /**
   * A consent was given or has ended. The bank keeps the highest revision: an earlier one, or the same again, changes nothing. Called again
   * after an error, with longer and longer pauses. May answer with the highest revision that it has, and the status that it keeps: one that the store has never
   * written shows that the store was restored to an earlier moment. A consent that has ended stays ended, whatever comes later.
   */
  consentChanged?(change: ConsentChange): Promise<KnownConsent | number | undefined>;
  /** Throws if the core cannot be reached. */
  ping(): Promise<void>;
}

/** As many accounts as a person can choose from on one page. */
export const MANY_ACCOUNTS = 100;

/** Which accounts are wanted; all if it names none. */
export interface AccountFilter {
  readonly accountId?: AccountId;
  readonly iban?: string;
  readonly bban?: string;
  readonly msisdn?: string;
  /** Whether balances are shown; left out: they are not, and need not be looked up. */
  readonly balances?: boolean;
  /** Of the person, if they read the names of accounts and products. */
  readonly language?: Language | undefined;
}

/** The bank as this service asks it: it knows who holds what without asking for everything each time. */
export interface HeldBank extends Bank {
  /** Whether the person holds the account, now or at most a minute ago. */
  holds(psuId: PsuId, accountId: AccountId): Promise<boolean>;
  /** The next question about this person asks the bank. */
  forget?(psuId: PsuId): void;
}

/** For a bank to throw: this person has no such account. The caller gets the answer of an account that never existed. */
export class NoSuchAccount extends Error {
  constructor() {
    super('the person holds no such account');
    this.name = 'NoSuchAccount';
  }
}

export interface FundsQuestion {
  /** The bank's own id of the account (a sub-account has its own). */
  readonly accountId: AccountId;
  readonly currency: string;
  readonly amountMinor: bigint;
  readonly context: QueryContext;
  /** Takes what the bank wants to be reminded of, for a caller that stores it with its own record. */
  readonly onBankData?: ((bankData: string) => void) | undefined;
}

/** What a module named by TRAPEZA_BANK_MODULE exports as `createBank`. */
export type BankFactory = () => Eventual<Bank>;
