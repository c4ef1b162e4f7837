/**
 * A status change as third parties receive it: ids and statuses only. The same bytes in every delivery; the same members in the
 * feed.
 */

import type { BankTime } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import type { ConsentId } from '../model/ids.js';

export type EventKind = 'consent' | 'payment';

/** As stored. */
export interface StatusEvent {
  readonly id: string;
  /** Its place in the feed of its application: it grows in the order of commits. */
  readonly position: number;
  readonly kind: EventKind;
  readonly consentId: ConsentId;
  readonly consentKind: string;
  readonly paymentId: string | null;
  readonly status: string;
  /** Bank time. */
  readonly occurredAt: BankTime;
}

/** As it goes to the wire. */
export interface EventBody {
  readonly id: string;
  readonly position: number;
  readonly type: EventKind;
  readonly occurredAt: string;
  readonly consentId: ConsentId;
  readonly consentType: string;
  readonly consentStatus?: string;
  readonly paymentId?: string;
  readonly transactionStatus?: string;
}

export const eventBody = (event: StatusEvent): EventBody => {
  const { id, position, kind: type, consentId, consentKind: consentType, paymentId, status } = event;
  const occurredAt = instantText(event.occurredAt);
  const common = { id, position, type, occurredAt, consentId, consentType };
  if (type === 'consent') return { ...common, consentStatus: status };
  return { ...common, ...(paymentId === null ? {} : { paymentId }), transactionStatus: status };
};
