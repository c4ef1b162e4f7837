/** All operations of the interface, in the order of its document. */
import type { AtmFeed } from '../atms/feed.js';
import type { Operation } from '../http/operation.js';
import type { Clock } from '../lib/clock.js';
import { getConsentStatus } from './ais/get-consent-status.js';
import { getAtms } from './opendata/get-atms.js';
import { type ConfirmFundsParts, confirmFunds } from './piis/confirm-funds.js';
import { getPaymentConsent } from './pis/get-payment-consent.js';

export interface ApiParts extends ConfirmFundsParts {
  readonly feed: AtmFeed;
  readonly clock: Clock;
}

export const createApi = (parts: ApiParts): readonly Operation[] => [
  confirmFunds(parts),
  getAtms(parts),
  getConsentStatus(parts),
  getPaymentConsent(parts),
];
