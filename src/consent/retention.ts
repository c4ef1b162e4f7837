/** How consents and the records of their uses leave the store. */
import type { BankTime } from '../lib/clock.js';
import type { ConsentId } from '../model/ids.js';
import type { Db, Queries } from '../store/db.js';
import { clearBlocks } from './blocks.js';
import { clearFundsRecords } from './funds/records.js';

const REMOVE_ACCESSES = `
  delete from data_accesses where id in
    (select id from data_accesses where accessed_at <= ? order by accessed_at, id limit ?)`;
const OLDEST_ACCESS = 'select accessed_at as "at" from data_accesses order by accessed_at limit 1';

/** Returns how many were removed. */
export const removeAccesses = (db: Db, until: number, limit: number): Promise<number> =>
  db.run(REMOVE_ACCESSES, [until, limit]);

export const oldestAccess = (db: Db): Promise<{ readonly at: BankTime } | undefined> => db.one(OLDEST_ACCESS);

/**
 * A consent ends with the last step of its history. One with a record that must still be kept is kept with it; such a one exists only
 * if records are kept longer than consents, and is looked for only then.
 */
const OLD_CONSENTS = `
  select c.id, c.created_at as "createdAt",
    coalesce((select max(h.changed_at) from consent_history h where h.consent_id = c.id), c.created_at) as "at"
  from consents c
  where c.created_at >= ? and c.created_at <= ? and c.status in ('Rejected', 'RevokedByPsu', 'Expired', 'TerminatedByTpp')
    and coalesce((select max(h.changed_at) from consent_history h where h.consent_id = c.id), c.created_at) <= ?
    and (cast(? as bigint) >= cast(? as bigint) or not exists (
      select 1 from funds_confirmations f
      where f.psu_id = c.psu_id and f.client_id = c.client_id and f.consent_id = c.id and f.asked_at > ?))
    and not exists (select 1 from data_accesses d where d.consent_id = c.id and d.accessed_at > ?)
  order by c.created_at limit ?`;

export interface OldConsent {
  readonly id: ConsentId;
  readonly createdAt: BankTime;
  /** When it ended. */
  readonly at: BankTime;
}

export interface OldConsents {
  /** Of those made since then. */
  readonly from: number;
  readonly endedUntil: number;
  /** Records up to here need not be kept. */
  readonly recordsUntil: number;
  readonly limit: number;
}

export const findOldConsents = (
  db: Db,
  { from, endedUntil, recordsUntil, limit }: OldConsents,
): Promise<OldConsent[]> =>
  db.all(OLD_CONSENTS, [
    from,
    endedUntil,
    endedUntil,
    recordsUntil,
    endedUntil,
    recordsUntil,
    recordsUntil,
    limit,
  ]);

/** With what points at it in this room. Funds records do not: they go when they are old. */
export const removeConsent = async (tx: Queries, id: ConsentId): Promise<void> => {
  await tx.run('delete from data_accesses where consent_id = ?', [id]);
  await tx.run('delete from consent_history where consent_id = ?', [id]);
  await tx.run('delete from consent_accounts where consent_id = ?', [id]);
  await tx.run('delete from consents where id = ?', [id]);
};

export const clearConsents = async (tx: Queries): Promise<void> => {
  await clearBlocks(tx);
  await clearFundsRecords(tx);
  await tx.run('delete from data_accesses');
  await tx.run('delete from consent_history');
  await tx.run('delete from consent_accounts');
  await tx.run('delete from consents');
};
