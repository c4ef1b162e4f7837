/**
 * What the bank says about a staged payment to the person who is to approve it. A third party stages a payment at the terms that
 * hold for everybody; limits, tariffs and blocked payees of a person are between the bank and that person.
 */

import type { Bank } from '../bank/bank.js';
import type { TransferQuestion, TransferTerms } from '../bank/payments.js';
import { type AskedConsent, withTerms } from '../consent/asked.js';
import { type StagedDetails, termsOf } from './payable.js';
import { transferOf } from './staged.js';

/** Why the bank would not carry it out: its own sentences, or the most that this person can pay now. */
export interface TermsRefusal {
  readonly sentences: readonly string[];
  readonly limit?: { readonly currency: string; readonly amountMinor: number };
}

export interface PersonalTerms {
  /** The request at these terms. */
  readonly asked: AskedConsent;
  /** Of a payment alone. */
  readonly terms?: TransferTerms;
  readonly refusal?: TermsRefusal;
}

const refusalOf = (
  { faults, limitMinor }: TransferTerms,
  { currency, amountMinor }: TransferQuestion,
): TermsRefusal | undefined => {
  const sentences = Object.values(faults).flat();
  if (limitMinor != null && amountMinor > limitMinor)
    return { sentences, limit: { currency, amountMinor: limitMinor } };
  return sentences.length > 0 ? { sentences } : undefined;
};

/** `payerAccountId` if the account that pays is known. */
export const askPersonalTerms = async (
  bank: Pick<Bank, 'termsFor'>,
  asked: AskedConsent,
  who: Pick<TransferQuestion, 'payerAccountId' | 'language'>,
  signatures: readonly string[] = [],
): Promise<PersonalTerms> => {
  if (asked.kind !== 'PaymentInitiation') return { asked };
  const details = asked.details as StagedDetails;
  const question = {
    ...transferOf(details, termsOf(details, asked.quote)),
    creditorName: details.creditorName ?? undefined,
    psuId: asked.psuId,
    ...who,
  };
  const answer = await bank.termsFor(question);
  const terms = signatures.length > 0 ? { ...answer, signatures } : answer;
  const refusal = refusalOf(terms, question);
  // Of a payment that is not carried out nothing but the reason counts.
  return refusal ? { asked, refusal } : { asked: withTerms(asked, terms), terms };
};
