/** Why a consent has ended, in words and at a moment: like its status, the reason needs no write to be true. */
import type { BankTime } from '../lib/clock.js';
import type { ConsentId } from '../model/ids.js';
import { isFinal, statusAt } from './lifecycle.js';
import type { Consent, ConsentStatus, StatusReason } from './record.js';

/** For the documentation, in the order of the list. */
export const reasonTexts: Readonly<Record<StatusReason, string>> = {
  rejected: 'the account holder refused it',
  undecided: 'nobody decided within 24 hours',
  superseded: 'a newer account access for some of its accounts took its place',
  'ended-by-tpp': 'the third party ended it',
  withdrawn: 'the account holder withdrew it',
  blocked: 'the account holder blocked the third party',
  completed: 'it did its work: the payment was carried out, or the one-off access is over',
  'payment-rejected': 'the bank rejected the payment',
  'payment-cancelled': 'the payment was cancelled',
  unused: 'the payment was not submitted within 24 hours of its approval',
  expired: 'its last day is over',
  'ended-by-bank': 'the bank ended it',
};

export type Ended = Pick<Consent, 'kind' | 'status' | 'createdAt' | 'expiresAt' | 'endReason'>;

/** What a reader sees at this bank time; undefined while the consent is open, and if it was never noted. */
export const reasonAt = (consent: Ended, bankNow: BankTime): StatusReason | undefined => {
  const status = statusAt(consent, bankNow);
  if (!isFinal(status)) return undefined;
  if (status !== consent.status && status === 'Rejected') return 'undecided';
  if (consent.endReason !== null) return consent.endReason;
  if (status === consent.status) return undefined;
  return consent.kind === 'PaymentInitiation' && consent.status === 'Valid' ? 'unused' : 'expired';
};

/** Status and reason as they go to the wire. */
export interface Standing {
  readonly status: ConsentStatus;
  readonly statusReason?: StatusReason;
  readonly supersededBy?: ConsentId;
}

export const standingAt = (
  consent: Ended & Partial<Pick<Consent, 'supersededBy'>>,
  bankNow: BankTime,
): Standing => {
  const reason = reasonAt(consent, bankNow);
  const { supersededBy } = consent;
  return {
    status: statusAt(consent, bankNow),
    ...(reason === undefined ? {} : { statusReason: reason }),
    ...(reason === 'superseded' && supersededBy ? { supersededBy } : {}),
  };
};
