/** One step in the life of a consent: compare-and-set on the status that was seen, with one history row and one event. */

import { lockEventPosition, writeEvent } from '../events/outbox.js';
import type { BankTime } from '../lib/clock.js';
import type { ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { type Actor, mayMove, statusAt } from './lifecycle.js';
import { type Ended, reasonAt } from './reason.js';
import type { Consent, ConsentKind, ConsentStatus, StatusReason } from './record.js';

export interface Move {
  readonly id: ConsentId;
  readonly psuId: PsuId;
  readonly from: ConsentStatus;
  readonly to: ConsentStatus;
  readonly by: Actor;
  readonly reason: StatusReason | 'approved' | 'renewed';
  /** The newer one that took its place. */
  readonly supersededBy?: ConsentId;
  /** Of an account access that becomes Valid. */
  readonly scaValidUntil?: BankTime | undefined;
  readonly at: BankTime;
  readonly requestId?: string;
  /** What the bank's people wrote down about it. */
  readonly note?: string;
}

/** A payment that was submitted is ended by its order alone. */
const MOVE = `
  update consents set status = ?, end_reason = ?, superseded_by = ?
  where id = ? and psu_id = ? and status = ? and (submitted_at is null or cast(? as bigint) = 1)`;

const OWNER =
  'select client_id as "clientId", kind as "consentKind" from consents where id = ? and psu_id = ?';

/** One step of the lifecycle, with its event for the third party; false if a concurrent change came first. */
export const moveConsent = async (tx: Queries, move: Move): Promise<boolean> => {
  const { id, psuId, from, to, by, supersededBy = null, scaValidUntil: untilAt = null, at } = move;
  if (!mayMove(from, to, by)) throw new Error(`a consent never goes from ${from} to ${to} by ${by}`);
  const owner = await tx.one<{ clientId: ClientId; consentKind: ConsentKind }>(OWNER, [id, psuId]);
  if (!owner) return false;
  await lockEventPosition(tx, owner.clientId);
  const reason = move.reason === 'approved' || move.reason === 'renewed' ? null : move.reason;
  const isByOrder = by === 'bank' && reason !== 'ended-by-bank';
  if ((await tx.run(MOVE, [to, reason, supersededBy, id, psuId, from, isByOrder ? 1 : 0])) === 0)
    return false;
  await addStep(tx, move);
  await writeEvent(tx, {
    ...owner,
    kind: 'consent',
    consentId: id,
    status: to,
    reason,
    supersededBy,
    untilAt,
    at,
  });
  return true;
};

/** One row of the history, behind the last one. */
export const addStep = async (tx: Queries, step: Move): Promise<void> => {
  const { id, from, to, by, reason, at, requestId = null, note = null } = step;
  await tx.run(
    `insert into consent_history (consent_id, position, from_status, to_status, changed_by, reason, request_id, note, changed_at)
     select cast(? as text), coalesce(max(position), -1) + 1, cast(? as text), cast(? as text), cast(? as text), cast(? as text),
       cast(? as text), cast(? as text), cast(? as bigint)
     from consent_history where consent_id = ?`,
    [id, from, to, by, reason, requestId, note, at, id],
  );
};

const STATUS = 'select status from consents where id = ? and psu_id = ?';

/**
 * Stores an end by time, so that no later step starts from a status that is over. Returns the status that counts: that of a
 * concurrent change, if it began in time and came first.
 */
export const settle = async (
  tx: Queries,
  consent: Ended & Pick<Consent, 'id' | 'psuId'>,
  at: BankTime,
): Promise<ConsentStatus> => {
  const status = statusAt(consent, at);
  if (status === consent.status) return status;
  const reason = reasonAt(consent, at) ?? 'expired';
  const { id, psuId, status: from } = consent;
  if (await moveConsent(tx, { id, psuId, from, to: status, by: 'time', reason, at })) return status;
  return (await tx.one<{ status: ConsentStatus }>(STATUS, [id, psuId]))?.status ?? status;
};
