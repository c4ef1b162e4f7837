/** The consent record, one shape for the three kinds (interface: "Payment consent record", "Consent status response"). */
import type { BankTime } from '../lib/clock.js';
import { type AccountReference, namesAccount } from '../model/account-reference.js';
import type { AccountId, ClientId, ConsentId, PsuId } from '../model/ids.js';

export const consentKinds = ['AccountAccess', 'PaymentInitiation', 'ConfirmationOfFunds'] as const;
export type ConsentKind = (typeof consentKinds)[number];

export const consentStatuses = [
  'Received',
  'Rejected',
  'Valid',
  'RevokedByPsu',
  'Expired',
  'TerminatedByTpp',
] as const;
export type ConsentStatus = (typeof consentStatuses)[number];

/** Why a consent has ended: one closed list, which third parties, account holders and the history share. */
export const statusReasons = [
  'rejected',
  'undecided',
  'superseded',
  'ended-by-tpp',
  'withdrawn',
  'blocked',
  'completed',
  'payment-rejected',
  'payment-cancelled',
  'unused',
  'expired',
  'ended-by-bank',
] as const;
export type StatusReason = (typeof statusReasons)[number];

/** The kinds of data an account access may cover. */
export const permissions = [
  'AccountsBasic',
  'AccountsDetail',
  'Balances',
  'TransactionsBasic',
  'TransactionsDetail',
  'Statements',
] as const;
export type Permission = (typeof permissions)[number];

/** An account that a consent names; `accountId` is the bank's own id once the bank has recognised it. */
export interface ConsentAccount {
  readonly accountId: AccountId | null;
  readonly iban: string | null;
  readonly bban: string | null;
  readonly msisdn: string | null;
  /** Null until the bank has recognised the account: afterwards there is one entry for each sub-account. */
  readonly currency: string | null;
  /** How the third party names it in an account access: see `withResourceIds`. */
  readonly resourceId?: string;
}

/** An account of the bank as a consent names it. */
export const consentAccount = (account: {
  readonly id: AccountId;
  readonly iban: string | null;
  readonly bban: string | null;
  readonly msisdn: string | null;
  readonly currency: string;
}): ConsentAccount => {
  const { id: accountId, iban, bban, msisdn, currency } = account;
  return { accountId, iban, bban, msisdn, currency };
};

export interface Consent {
  readonly id: ConsentId;
  readonly kind: ConsentKind;
  readonly clientId: ClientId;
  readonly psuId: PsuId;
  /** As stored. What a reader sees is `statusAt`, because time changes it without a write. */
  readonly status: ConsentStatus;
  readonly createdAt: BankTime;
  /** Null is open-ended, and a payment that was submitted: time no longer ends it. */
  readonly expiresAt: BankTime | null;
  /** When the order of a payment was submitted; from then on only the bank ends the consent. */
  readonly submittedAt: BankTime | null;
  /** When the account holder approved it with strong authentication. */
  readonly approvedAt: BankTime | null;
  /** When the account holder last proved who they are. */
  readonly scaAt: BankTime | null;
  /** Why it has ended, or will at `expiresAt`; null if nothing but time is to end it, and for what ended unnoted. */
  readonly endReason: StatusReason | null;
  /** The newer account access that took its place. */
  readonly supersededBy: ConsentId | null;
  /** The kind's own members, as they go to the wire. */
  readonly details: object;
}

interface Requested {
  readonly kind: ConsentKind;
  readonly details: Readonly<Record<string, unknown>>;
}

const referenceOf = ({ iban, bban, msisdn, currency }: ConsentAccount): AccountReference => {
  const number = iban ? { iban } : bban ? { bban } : { msisdn };
  return currency === null ? number : { ...number, currency };
};

/** The references as the third party wrote them, without those that were left out; the accounts themselves if it named none. */
const pickedReferences = (named: unknown, picked: readonly ConsentAccount[]): readonly AccountReference[] => {
  const all = Array.isArray(named) ? (named as readonly AccountReference[]) : [];
  const kept = all.filter((reference) => picked.some((account) => namesAccount(reference, account)));
  return kept.length > 0 ? kept : picked.map(referenceOf);
};

/** The members of the details that name the accounts which the account holder has picked. */
export const pickedDetails = (
  { kind, details }: Requested,
  picked: readonly ConsentAccount[],
): Readonly<Record<string, unknown>> => {
  const [first] = picked;
  if (!first) return {};
  if (kind === 'AccountAccess') return { accounts: pickedReferences(details.accounts, picked) };
  if (kind === 'PaymentInitiation') return details.debitAccount ? {} : { debitAccount: referenceOf(first) };
  const named = details.account as AccountReference | undefined;
  return named && picked.some((account) => namesAccount(named, account))
    ? {}
    : { account: referenceOf(first) };
};
