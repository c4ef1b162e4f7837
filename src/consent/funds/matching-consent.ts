/**
 * Which of a caller's funds consents answers a question about an account. Pure: it sees only consents of the caller, so it
 * cannot tell anything about other accounts.
 */

import type { BankTime } from '../../lib/clock.js';
import type { AccountReference } from '../../model/account-reference.js';
import { normalBban, normalIban, normalMsisdn } from '../../model/account-reference.js';
import type { ConsentId } from '../../model/ids.js';
import { Problem } from '../../problem/problem.js';
import { statusAt } from '../lifecycle.js';
import { consentNotValid } from '../not-valid.js';
import { standingAt } from '../reason.js';
import type { ConsentAccount, ConsentStatus, StatusReason } from '../record.js';

/** A consent and one account of it, as found by the references of a request. */
export interface FundsCandidate extends Pick<ConsentAccount, 'accountId' | 'iban' | 'currency'> {
  readonly consentId: ConsentId;
  readonly status: ConsentStatus;
  readonly createdAt: BankTime;
  readonly expiresAt: BankTime | null;
  /** Read only of consents that may have ended. */
  readonly endReason?: StatusReason | null;
  /** These three are read only if more than an IBAN was given. */
  readonly bban?: string | null;
  readonly msisdn?: string | null;
  readonly cardHash?: string | null;
  /** What the bank wants to be reminded of. */
  readonly bankData: string | null;
}

/** The references of a request in their normal form; null if not given. */
export interface FundsReferences {
  readonly iban: string | null;
  readonly bban: string | null;
  readonly msisdn: string | null;
  /** Under every secret that a consent may have been made with; empty if no card number was given. */
  readonly cardHashes: readonly string[];
}

export const referencesOf = (account: AccountReference, cardHashes: readonly string[]): FundsReferences => ({
  iban: account.iban ? normalIban(account.iban) : null,
  bban: account.bban ? normalBban(account.bban) : null,
  msisdn: account.msisdn ? normalMsisdn(account.msisdn) : null,
  cardHashes,
});

/** The account a candidate stands for, across consents; before the bank has recognised it, the consent itself. */
const accountOf = (candidate: FundsCandidate): string =>
  candidate.iban ?? candidate.bban ?? candidate.msisdn ?? candidate.consentId;

/** One predicate for each reference that was given. */
const predicates = (references: FundsReferences): ((candidate: FundsCandidate) => boolean)[] => {
  const { iban, bban, msisdn, cardHashes } = references;
  const given: ((candidate: FundsCandidate) => boolean)[] = [];
  if (iban !== null) given.push((each) => each.iban === iban);
  if (bban !== null) given.push((each) => each.bban === bban);
  if (msisdn !== null) given.push((each) => each.msisdn === msisdn);
  if (cardHashes.length > 0)
    given.push((each) => each.cardHash != null && cardHashes.includes(each.cardHash));
  return given;
};

/** The consents for the one account that all references name; else why there are none. */
const commonAccount = (
  candidates: readonly FundsCandidate[],
  references: FundsReferences,
): readonly FundsCandidate[] | 'consent-required' | 'reference-conflict' => {
  const given = predicates(references);
  // One reference, as nearly always: every candidate belongs to that account.
  if (given.length === 1 && candidates.length > 0 && given[0] && candidates.every(given[0]))
    return candidates;
  const matches = given.map((matched) => candidates.filter(matched));
  if (matches.length === 0 || matches.some((found) => found.length === 0)) return 'consent-required';
  const named = matches.map((found) => new Set(found.map(accountOf)));
  const common = candidates.filter((each) => named.every((accounts) => accounts.has(accountOf(each))));
  return common.length === 0 ? 'reference-conflict' : common;
};

/** A consent that does not say its currency covers every sub-account. */
const inCurrency = (
  candidates: readonly FundsCandidate[],
  currency: string | null,
): readonly FundsCandidate[] =>
  currency === null
    ? candidates
    : candidates.filter((each) => each.currency === null || each.currency === currency);

const validOnes = (candidates: readonly FundsCandidate[], bankNow: BankTime): FundsCandidate[] =>
  candidates.filter((each) => statusAt(each, bankNow) === 'Valid');

/** The sub-accounts that a Valid consent opens; none if these candidates do not tell. */
export const openedAccounts = (
  candidates: readonly FundsCandidate[],
  references: FundsReferences,
  currency: string | null,
  bankNow: BankTime,
): FundsCandidate[] => {
  const ofAccount = commonAccount(candidates, references);
  return typeof ofAccount === 'string' ? [] : validOnes(inCurrency(ofAccount, currency), bankNow);
};

/**
 * The sub-accounts that a Valid consent opens. Of several consents any Valid one wins, else the problem has the status of the
 * newest. A sub-account named by `currency` that no consent covers is answered like an unknown account.
 */
export const coveredAccounts = (
  candidates: readonly FundsCandidate[],
  references: FundsReferences,
  currency: string | null,
  bankNow: BankTime,
): FundsCandidate[] => {
  const ofAccount = commonAccount(candidates, references);
  if (typeof ofAccount === 'string') throw new Problem(ofAccount);
  const named = inCurrency(ofAccount, currency);
  const valid = validOnes(named, bankNow);
  if (valid.length > 0) return valid;
  const [newest] = named.toSorted((a, b) => b.createdAt - a.createdAt);
  if (!newest) throw new Problem('consent-required');
  const { endReason = null } = newest;
  const standing = standingAt({ ...newest, kind: 'ConfirmationOfFunds', endReason }, bankNow);
  throw consentNotValid(standing, 'The consent for this account');
};
