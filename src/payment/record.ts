/** The payment order: what becomes of a payment once it was submitted, in the statuses of ISO 20022. */
import type { BankTime } from '../lib/clock.js';
import { hashedId } from '../lib/id.js';
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
export const orderStatuses = ['RCVD', 'PDNG', 'ACTC', 'ACSP', 'ACSC', 'RJCT', 'CANC'] as const;

/** Received, pending, technically accepted, settlement in process, settled; rejected, cancelled. */
export type OrderStatus = (typeof orderStatuses)[number];

/** Who wants a payment cancelled, for the history of the order. */
export type Canceller = 'tpp' | 'psu';

export interface PaymentOrder {
  readonly id: string;
  readonly consentId: ConsentId;
  readonly clientId: ClientId;
  readonly psuId: PsuId;
  readonly status: OrderStatus;
  /** Why it was rejected or cancelled, or what it waits for. */
  readonly reasonCode: string | null;
  readonly reasonText: string | null;
  readonly createdAt: BankTime;
  readonly changedAt: BankTime;
  /** When the bank is worth asking again, in bank time; null once the order is final. */
  readonly lookAgainAt: BankTime | null;
}

/** An order as its account holder sees it. */
export interface WatchedOrder extends PaymentOrder {
  /** Of a cancelled one: a `Canceller`, an operator, or null if the bank's core did it by itself. */
  readonly cancelledBy: string | null;
}

/**
 * The one payment that a consent allows. Derived, so that whatever the store has forgotten, an approval reaches the core under one id,
 * which is carried out once; without a key, because a new `TRAPEZA_SECRET` must not change it (docs/adr/0025).
 */
export const paymentIdOf = (consentId: ConsentId): string =>
  hashedId(`payment of ${consentId.toLowerCase()}`);
