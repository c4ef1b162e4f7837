/** All operations of the interface, by area. */
import type { AtmFeed } from '../atms/feed.js';
import type { Operation } from '../http/operation.js';
import type { Clock } from '../lib/clock.js';
import {
  AccountConsentDetails,
  accountConsentExample,
  accountConsents,
  createAccountConsent,
} from './ais/create-account-consent.js';
import { accountReads, type DataParts } from './ais/reads/index.js';
import { renewConsent } from './ais/renew-consent.js';
import type { CreateParts } from './consents/create-consent.js';
import { deleteConsent, getConsentRecord, getConsentStatus } from './consents/read-consent.js';
import { accessStanding, consentRecord, fundsStanding } from './consents/schema.js';
import { type EventParts, getEvents } from './events/get-events.js';
import { getAtms } from './opendata/get-atms.js';
import { type ConfirmFundsParts, confirmFunds } from './piis/confirm-funds.js';
import {
  createFundsConsent,
  FundsConsentDetails,
  fundsConsentExample,
  fundsConsents,
} from './piis/create-funds-consent.js';
import { cancelPaymentOrder } from './pis/cancel-payment.js';
import { confirmPaymentFunds } from './pis/confirm-payment-funds.js';
import { createPaymentConsent, paymentConsents } from './pis/create-payment-consent.js';
import { paymentExample } from './pis/example.js';
import { getPaymentOrder } from './pis/get-payment-order.js';
import { PaymentDetailsSchema } from './pis/schema.js';
import { type OrderParts, submitPaymentOrder } from './pis/submit-payment.js';

export type ApiParts = ConfirmFundsParts &
  CreateParts &
  EventParts &
  DataParts & { readonly feed: AtmFeed; readonly clock: Clock };

/** What a bank under the PSR never answers is not documented either. */
const inRegime =
  ({ regime }: Pick<ApiParts, 'regime'>) =>
  (read: Operation): Operation =>
    regime === 'psr'
      ? { ...read, problems: (read.problems ?? []).filter((slug) => slug !== 'sca-renewal-required') }
      : read;

export const createApi = (parts: ApiParts): readonly Operation[] => [
  confirmFunds(parts),
  createFundsConsent(parts),
  getConsentRecord(
    parts,
    fundsConsents,
    consentRecord(FundsConsentDetails, fundsStanding),
    fundsConsentExample,
  ),
  getConsentStatus(parts, fundsConsents),
  deleteConsent(parts, fundsConsents),

  getAtms(parts),

  createAccountConsent(parts),
  getConsentRecord(
    parts,
    accountConsents,
    consentRecord(AccountConsentDetails, accessStanding),
    accountConsentExample(parts.regime),
  ),
  getConsentStatus(parts, accountConsents),
  deleteConsent(parts, accountConsents),
  renewConsent(parts),
  ...accountReads(parts).map(inRegime(parts)),

  createPaymentConsent(parts, 'domestic'),
  createPaymentConsent(parts, 'international'),
  getConsentRecord(parts, paymentConsents, consentRecord(PaymentDetailsSchema), paymentExample),
  getConsentStatus(parts, paymentConsents),
  deleteConsent(parts, paymentConsents),

  getEvents(parts),
];

/** For a bank that carries out payments. */
export const createOrderApi = (parts: OrderParts): readonly Operation[] => [
  confirmPaymentFunds(parts),
  submitPaymentOrder(parts),
  getPaymentOrder(parts),
  cancelPaymentOrder(parts),
];
