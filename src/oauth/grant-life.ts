/**
 * How long a grant lives, by the clock of the bank: from each use of its refresh token for TRAPEZA_GRANT_DAYS, and at least as long as the
 * longest Valid funds consent of its application and person. Otherwise such a consent could not be used any more, though it is Valid.
 */
import type { BankTime } from '../lib/clock.js';
import type { Caller } from '../model/caller.js';
import type { Queries } from '../store/db.js';

/** The kinds of records that live so, in SQL: renewed by each use of the refresh token, without being written anew. */
export const KINDS_BY_BANK = "'Grant', 'RefreshToken'";
export const lastsByBank = (kind: string): boolean => KINDS_BY_BANK.includes(`'${kind}'`);

const LONGEST_FUNDS = `
  select expires_at as "expiresAt" from consents
  where psu_id = ? and client_id = ? and kind = 'ConfirmationOfFunds' and status = 'Valid'
    and (expires_at is null or expires_at > ?)
  order by case when expires_at is null then 0 else 1 end, expires_at desc limit 1`;
const EXTEND_GRANT = `
  update oidc_records set expires_at = ? where grant_id = ? and kind in (${KINDS_BY_BANK}) and expires_at < ?`;

/** A grant or a refresh token whose time is over. */
export interface OverdueGrant {
  readonly grantId: string;
  readonly caller: Caller;
}

/** Lets it live on while a funds consent needs it, an open-ended one for another `lifeMs`. Undefined: it is over. */
export const keepForFunds = async (
  db: Queries,
  { grantId, caller }: OverdueGrant,
  now: BankTime,
  lifeMs: number,
): Promise<BankTime | undefined> => {
  const { psuId, clientId } = caller;
  const longest = await db.one<{ expiresAt: number | null }>(LONGEST_FUNDS, [psuId, clientId, now]);
  if (!longest) return undefined;
  const until = longest.expiresAt ?? now + lifeMs;
  await db.run(EXTEND_GRANT, [until, grantId, until]);
  return until;
};
