/**
 * The events of a Valid consent that are no change of its status: that it was renewed, and seven days ahead that its authentication or
 * the consent itself ends. Each end has one event: the row notes for which end there is one, in the transaction of the event.
 */
import type { Notice } from '../events/event.js';
import { lockEventPosition, writeEvent } from '../events/outbox.js';
import type { BankTime } from '../lib/clock.js';
import type { Regime } from '../model/regime.js';
import type { Queries } from '../store/db.js';
import { scaValidUntil } from './lifecycle.js';
import type { Consent, ConsentKind } from './record.js';

type NoticedConsent = Pick<Consent, 'id' | 'clientId' | 'psuId' | 'kind'>;

/** An end that has no event yet. */
export interface UntoldEnd extends NoticedConsent {
  readonly notice: Exclude<Notice, 'renewed'>;
  /** The value that the end is reckoned from: another one is another end. */
  readonly of: BankTime;
  readonly until: BankTime;
}

/** Of several nodes one gets the row; a renewal in between has made it another end. */
const NOTE_TOLD: Readonly<Record<UntoldEnd['notice'], string>> = {
  'authentication-ends': `
  update consents set told_sca_at = sca_at
  where id = ? and psu_id = ? and status = 'Valid' and sca_at = ? and (told_sca_at is null or told_sca_at < sca_at)`,
  'consent-ends': `
  update consents set told_expires_at = expires_at
  where id = ? and psu_id = ? and status = 'Valid' and expires_at = ?
    and (told_expires_at is null or told_expires_at < expires_at)`,
};

const writeNotice = (
  tx: Queries,
  { id, clientId, kind }: { id: Consent['id']; clientId: Consent['clientId']; kind: ConsentKind },
  about: { readonly notice: Notice; readonly untilAt: BankTime | null; readonly at: BankTime },
): Promise<void> =>
  writeEvent(tx, { kind: 'consent', clientId, consentId: id, consentKind: kind, status: 'Valid', ...about });

/** False if there is an event already, or the end is another one by now. */
export const tellEnd = async (tx: Queries, end: UntoldEnd, at: BankTime): Promise<boolean> => {
  await lockEventPosition(tx, end.clientId);
  if ((await tx.run(NOTE_TOLD[end.notice], [end.id, end.psuId, end.of])) === 0) return false;
  await writeNotice(tx, end, { notice: end.notice, untilAt: end.until, at });
  return true;
};

export const tellRenewal = (
  tx: Queries,
  consent: NoticedConsent & Pick<Consent, 'expiresAt'>,
  at: BankTime,
  regime: Regime,
): Promise<void> =>
  writeNotice(tx, consent, {
    notice: 'renewed',
    untilAt: scaValidUntil({ scaAt: at, expiresAt: consent.expiresAt }, regime) ?? null,
    at,
  });
