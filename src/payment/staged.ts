/** A staged payment with what was approved about it: its terms, its quote, and the account that pays. */

import type { Bank, BankAccount } from '../bank/bank.js';
import { noteOf } from '../bank/consent-note.js';
import type { PaymentInstruction, Transfer } from '../bank/payments.js';
import { type AskedConsent, findAsked } from '../consent/asked.js';
import type { Caller } from '../model/caller.js';
import type { ConsentId } from '../model/ids.js';
import type { Quote } from '../model/quote.js';
import type { Queries } from '../store/db.js';
import { type PaymentTerms, payableIn, type StagedDetails, termsOf } from './payable.js';

export interface StagedPayment {
  readonly consent: AskedConsent;
  readonly details: StagedDetails;
  readonly terms: PaymentTerms;
}

/** The caller's own payment consent; everything else is simply absent. */
export const findStaged = async (
  db: Queries,
  id: ConsentId,
  { clientId, psuId }: Caller,
): Promise<StagedPayment | undefined> => {
  const consent = await findAsked(db, id, psuId);
  if (!consent || consent.clientId !== clientId || consent.kind !== 'PaymentInitiation') return undefined;
  const details = consent.details as StagedDetails;
  return { consent, details, terms: termsOf(details, consent.quote) };
};

/** Whether the person still holds an account that was approved to pay. */
export const isHeld = ({ consent }: StagedPayment, held: readonly BankAccount[]): boolean =>
  held.some(({ id }) => consent.accounts.some(({ accountId }) => accountId === id));

/** The account that was approved to pay, as the bank knows it now. A reference to several currencies leaves the one that fits. */
export const payerOf = (
  { consent, terms }: StagedPayment,
  held: Awaited<ReturnType<Bank['accountsOf']>>,
): BankAccount | undefined => {
  const approved = held.filter(({ id }) => consent.accounts.some(({ accountId }) => accountId === id));
  const able = approved.filter(({ currency }) => payableIn(terms, currency) !== undefined);
  return able.find(({ currency }) => currency === terms.currency) ?? able[0];
};

/** The price that was approved, if the account that pays has another currency than the payment. */
export const exchangeOf = ({ consent }: StagedPayment): Quote | undefined => {
  const { quote, accounts } = consent;
  return quote && accounts.every(({ currency }) => currency === quote.payCurrency) ? quote : undefined;
};

/** As it was staged. */
export const transferOf = (
  details: StagedDetails,
  { currency, amountMinor, creditAccount }: PaymentTerms,
): Transfer => ({
  product: details.paymentProduct ?? 'domestic',
  bearer: details.chargeBearer ?? 'sha',
  creditAccount,
  creditorAgent: details.creditorAgent,
  currency,
  amountMinor,
});

export const instructionOf = (
  { consent, details, terms }: StagedPayment,
  { id, payer, at, requester }: Pick<PaymentInstruction, 'id' | 'payer' | 'at' | 'requester'>,
): PaymentInstruction => ({
  id,
  payer,
  at,
  ...transferOf(details, terms),
  charge: terms.charge,
  quote: terms.quote,
  creditorName: details.creditorName ?? '',
  payeeCheck: consent.notes?.payeeCheck?.result,
  instant: consent.notes?.instant ?? undefined,
  psuId: consent.psuId,
  endToEndId: details.endToEndId ?? null,
  remittance: details.remittanceInformation ?? null,
  consent: noteOf(consent),
  requester,
});
