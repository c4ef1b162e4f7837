/** What the account holder's choice of accounts changes in the details of a consent. Pure. */
import { type AccountReference, namesAccount } from '../model/account-reference.js';
import type { ConsentAccount, ConsentKind } from './record.js';

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

/** The members of the details that name the picked accounts. */
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
