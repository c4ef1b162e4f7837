/** Consents that are found by the hash of a card number from before a change of the secret: the number itself is not kept. */
import type { Queries } from '../store/db.js';

const COUNT = `
  select count(*) as count, sum(case when created_at < ? then 1 else 0 end) as older,
         max(case when created_at < ? then expires_at end) as "lastEnds"
  from consents
  where card_hash is not null and status in ('Received', 'Valid') and (expires_at is null or expires_at > ?)`;

export interface OldCards {
  /** With a card number at all. */
  readonly count: number;
  /** Made before the secret was last changed. */
  readonly older: number;
  /** When the last of them ends. */
  readonly lastEnds: number | null;
}

/** `changedAt`: undefined if the secret was never changed, or everything is still as it was before. */
export const countOldCards = async (
  db: Queries,
  changedAt: number | undefined,
  now: number,
): Promise<OldCards> => {
  const row = await db.one<{ count: number; older: number | null; lastEnds: number | null }>(COUNT, [
    changedAt ?? 0,
    changedAt ?? 0,
    now,
  ]);
  return { count: row?.count ?? 0, older: row?.older ?? 0, lastEnds: row?.lastEnds ?? null };
};
