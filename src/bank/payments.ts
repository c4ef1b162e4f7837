/**
 * The part of the core-banking port that carries out payments. A bank with its books in our store books in the transaction of the
 * order: all of it commits or nothing. A remote core gets the order after the commit, and is queried before an order is sent
 * again. Amounts are integer minor units.
 */
import type { RealTime } from '../lib/clock.js';
import type { AccountReference } from '../model/account-reference.js';
import type { CreditorAgent } from '../model/creditor-agent.js';
import type { AccountId, PsuId } from '../model/ids.js';
import type { PayeeCheck, ShownTerms } from '../model/payment-terms.js';
import type { Quote } from '../model/quote.js';
import type { Queries } from '../store/db.js';
import type { Language } from '../web/language.js';
import type { BankAccount } from './account.js';
import type { ConsentNote, Requester } from './consent-note.js';

export interface TransferKind {
  readonly product: 'domestic' | 'international';
  /** Who bears the charges: shared, payer or payee. */
  readonly bearer: 'sha' | 'our' | 'ben';
}

export interface Charge {
  readonly currency: string;
  readonly amountMinor: number;
}

/** A transfer as a third party stages it. */
export interface Transfer extends TransferKind {
  readonly creditAccount: AccountReference;
  /** The bank of the payee; there for every international transfer without an IBAN. */
  readonly creditorAgent?: CreditorAgent | undefined;
  readonly currency: string;
  readonly amountMinor: number;
}

/** A transfer as the bank is asked about it: first for a third party, then for the person who is to approve it. */
export interface TransferQuestion extends Transfer {
  readonly creditorName?: string | undefined;
  /** Who is to approve it. Absent: the answer goes to the third party and must not depend on a person. */
  readonly psuId?: PsuId | undefined;
  /** The account that is to pay, if it is known. */
  readonly payerAccountId?: AccountId | undefined;
  /** Of the person who reads the sentences of the answer. */
  readonly language?: Language | undefined;
  /** The third party, if it is the one who asks. */
  readonly requester?: Requester | undefined;
}

/** What the bank says to a transfer. Charge and quotes are held for the day in which the payment can be submitted. */
export interface TransferTerms extends ShownTerms {
  /** Why it would not carry it out: sentences by the names of the request's members. */
  readonly faults: Readonly<Record<string, readonly string[]>>;
  /** The largest amount that can be paid now, in the currency of the transfer. */
  readonly limitMinor?: number | null | undefined;
}

/** What an account holder has approved: everything is as it was shown. */
export interface PaymentInstruction extends Transfer {
  /** The order's id: the bank carries out each one once. */
  readonly id: string;
  /** One that can pay: in the currency of the transfer or in that of the quote. */
  readonly payer: BankAccount;
  readonly creditorName: string;
  /** Who approved it. */
  readonly psuId?: PsuId | undefined;
  /** What the payer saw about the name of the payee. */
  readonly payeeCheck?: PayeeCheck['result'] | undefined;
  /** The payer has read that the payee gets it within seconds. */
  readonly instant?: boolean | undefined;
  /** What the payer bears, in the bank's currency. */
  readonly charge: Charge;
  readonly quote: Quote | null;
  readonly endToEndId: string | null;
  readonly remittance: string | null;
  /** Bank time. */
  readonly at: number;
  readonly consent?: ConsentNote | undefined;
  /** Who has submitted it. */
  readonly requester?: Requester | undefined;
}

/** An ISO 20022 status reason, such as AM04, and what it means here. */
export interface RejectReason {
  readonly code: string;
  readonly text: string;
}

/**
 * How far an order has come. One that is not final says when it is worth asking again, in bank time; a moment that is past stands for
 * soon. Final ones never change: what comes back of a settled payment is an entry of its own on the payer's account.
 */
export type PaymentProgress =
  | { readonly status: 'ACSC' }
  | { readonly status: 'CANC'; readonly reason?: RejectReason | null | undefined }
  | { readonly status: 'RJCT'; readonly reason: RejectReason }
  | {
      readonly status: 'RCVD' | 'PDNG' | 'ACTC' | 'ACSP';
      readonly lookAgainAt: number;
      /** What it waits for. */
      readonly reason?: RejectReason | null | undefined;
    };

export interface BooksInTransaction {
  readonly kind: 'in-transaction';
  /** Books inside the transaction of the order. A rejected one has changed nothing. */
  book(tx: Queries, instruction: PaymentInstruction): Promise<PaymentProgress>;
  /** What has become of an order that was not final. */
  progress(tx: Queries, paymentId: string, at: number): Promise<PaymentProgress>;
  /** Calls an order back that was not final: CANC if nothing of it is booked, else its progress. Absent: never possible. */
  cancel?(tx: Queries, paymentId: string, at: number): Promise<PaymentProgress>;
}

/** How many payments are with a remote core at once, so that one it is slow with does not keep others waiting. */
export const PAYMENTS_AT_ONCE = 256;
/** In which an instant payment is final, if the bank says so by then; no payment is given up or rejected for being later. */
export const INSTANT_MS = 10_000;

/** A payment that would arrive later is not sent: another node may be asking about it by then. */
export interface SendBy {
  /** Real time. A core that looks at it refuses what comes later; nothing of it is carried out. */
  readonly notAfter: RealTime;
  /** Asked immediately before the payment goes out: a process may have stood still until now. */
  readonly mayStart: () => boolean;
}

/** A remote core. After an error it is unknown whether the payment was carried out: `find` is called before it is sent again. */
export interface RemoteBooks {
  readonly kind: 'remote';
  /** Carries out a payment: once for each id, however often it is called. */
  execute(instruction: PaymentInstruction, by?: SendBy): Promise<PaymentProgress>;
  /** The progress of a payment; undefined if the bank never received it. */
  find(paymentId: string): Promise<PaymentProgress | undefined>;
  /**
   * Calls a payment back: CANC if it will never be carried out, else its progress; undefined if the bank never received it, which leaves the
   * outcome unknown. Never called while `execute` of this payment has no answer. Absent or `not-offered`: never possible.
   */
  cancel?(paymentId: string): Promise<PaymentProgress | 'not-offered' | undefined>;
}
