/**
 * Writes an event and its delivery in the transaction of the change itself: either all of it happened or nothing. An
 * application's events have positions in the order of their commits, because the row that counts them is locked until then.
 */

import { newId } from '../lib/id.js';
import type { ClientId, ConsentId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import type { Notice } from './event.js';

export interface NewEvent {
  readonly clientId: ClientId;
  readonly kind: 'consent' | 'payment';
  readonly consentId: ConsentId;
  readonly consentKind: string;
  /** The payment order, for events of the kind `payment`. */
  readonly paymentId?: string;
  /** Of the consent, or of the payment order. */
  readonly status: string;
  /** Why a consent has ended. */
  readonly reason?: string | null;
  readonly supersededBy?: ConsentId | null;
  readonly notice?: Notice;
  /** Until when the authentication holds, or the consent if the notice is about its end. */
  readonly untilAt?: number | null;
  /** Bank time. */
  readonly at: number;
}

const LOCK_EVENT_POSITION = `
  insert into event_positions (client_id, last) values (?, 0)
  on conflict (client_id) do update set last = event_positions.last`;
const NEXT_POSITION = `
  insert into event_positions (client_id, last) values (?, 1)
  on conflict (client_id) do update set last = event_positions.last + 1 returning last`;
const INSERT_EVENT = `
  insert into events (id, client_id, position, kind, consent_id, consent_kind, payment_id, status, reason, superseded_by, notice, until_at,
    occurred_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
/** Due at 0: at once. The address of the consent comes before that of the application; without one there is only the feed. */
const INSERT_DELIVERY = `
  insert into deliveries (event_id, target, client_id, position, attempts, due_at)
  select cast(? as text), coalesce(c.notification_uri, a.webhook_url), a.client_id, cast(? as bigint), 0, 0
  from consents c join applications a on a.client_id = c.client_id
  where c.id = ? and c.client_id = ? and coalesce(c.notification_uri, a.webhook_url) is not null`;

/** More than a store can lose at once. */
export const LARGEST_LOSS = 1_000_000;
const SKIP_POSITIONS = 'update event_positions set last = last + cast(? as bigint)';
const LAST_POSITION = 'select last from event_positions where client_id = ?';

/** What the store has forgotten has a position, which readers of the feed and the bank know: none is given out again. */
export const skipPositions = async (tx: Queries): Promise<void> => {
  await tx.run(SKIP_POSITIONS, [LARGEST_LOSS]);
};

/** Of all that the application was ever given. */
export const lastPosition = async (db: Queries, clientId: ClientId): Promise<number> =>
  (await db.one<{ last: number }>(LAST_POSITION, [clientId]))?.last ?? 0;

/** Transactions that have written an event, so that delivery can begin when they are committed. */
const writers = new WeakSet<Queries>();

export const wroteEvent = (tx: Queries): boolean => writers.has(tx);

export const noteEvents = (tx: Queries): void => {
  writers.add(tx);
};

/**
 * Waits until no other transaction has events of this application in hand. A transaction that changes rows which others
 * change together with an event asks for its turn first; else two of them could wait for each other.
 */
export const lockEventPosition = async (tx: Queries, clientId: ClientId): Promise<void> => {
  await tx.run(LOCK_EVENT_POSITION, [clientId]);
};

export const writeEvent = async (tx: Queries, event: NewEvent): Promise<void> => {
  const { clientId, kind, consentId, consentKind, paymentId = null, status, at } = event;
  const counted = await tx.one<{ last: number }>(NEXT_POSITION, [clientId]);
  const position = counted?.last ?? 0;
  const id = newId();
  const { reason = null, supersededBy = null, notice = null, untilAt = null } = event;
  const about = [kind, consentId, consentKind, paymentId, status, reason, supersededBy, notice, untilAt];
  await tx.run(INSERT_EVENT, [id, clientId, position, ...about, at]);
  await tx.run(INSERT_DELIVERY, [id, position, consentId, clientId]);
  noteEvents(tx);
};
