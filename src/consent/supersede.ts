/**
 * A newly approved recurring account access takes the place of older ones of the same application and person, as far as they share
 * an account. One for other accounts stands beside them.
 */
import type { BankTime } from '../lib/clock.js';
import type { AccountId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { isFinal } from './lifecycle.js';
import { moveConsent, settle } from './move.js';
import type { Ended } from './reason.js';
import type { Consent, ConsentAccount } from './record.js';

/** An account access that a newer one may end. */
export interface OlderAccess extends Ended, Pick<Consent, 'id' | 'psuId' | 'approvedAt'> {
  readonly accounts: readonly ConsentAccount[];
}

interface OlderRow extends Omit<OlderAccess, 'accounts'>, ConsentAccount {}

const OLDER = `
  select c.id, c.psu_id as "psuId", c.kind, c.status, c.created_at as "createdAt", c.expires_at as "expiresAt",
         c.end_reason as "endReason", coalesce(c.approved_at, c.created_at) as "approvedAt",
         a.account_id as "accountId", a.iban, a.bban, a.msisdn, a.currency
  from consents c join consent_accounts a on a.consent_id = c.id
  where c.psu_id = ? and c.client_id = ? and c.kind = 'AccountAccess' and c.status = 'Valid' and c.recurring = 1 and c.id <> ?
    and a.account_id is not null
  order by c.created_at, c.id, a.position`;

type Newer = Pick<Consent, 'id' | 'kind' | 'clientId' | 'psuId' | 'status'> & {
  readonly recurring: number;
  readonly accounts: readonly ConsentAccount[];
};

const idsOf = (accounts: readonly ConsentAccount[]): ReadonlySet<AccountId | null> =>
  new Set(accounts.map(({ accountId }) => accountId));

export const overlaps = (older: OlderAccess, accounts: readonly ConsentAccount[]): boolean => {
  const ids = idsOf(accounts);
  return older.accounts.some(({ accountId }) => ids.has(accountId));
};

/** Those that its approval may end: of named accounts those with one of them, else all, as any account may be picked. */
export const findOlder = async (db: Queries, newer: Newer): Promise<readonly OlderAccess[]> => {
  if (newer.kind !== 'AccountAccess' || newer.recurring !== 1 || newer.status !== 'Received') return [];
  const rows = await db.all<OlderRow>(OLDER, [newer.psuId, newer.clientId, newer.id]);
  const older = new Map<string, OlderAccess & { accounts: ConsentAccount[] }>();
  for (const { accountId, iban, bban, msisdn, currency, ...consent } of rows) {
    const known = older.get(consent.id) ?? { ...consent, accounts: [] };
    known.accounts.push({ accountId, iban, bban, msisdn, currency });
    older.set(consent.id, known);
  }
  const all = [...older.values()];
  return newer.accounts.length === 0 ? all : all.filter((each) => overlaps(each, newer.accounts));
};

/** Call with what `findOlder` found under the lock of the application's events. */
export const supersede = async (
  tx: Queries,
  newer: Pick<Consent, 'id'> & { readonly older: readonly OlderAccess[] },
  accounts: readonly ConsentAccount[],
  at: BankTime,
): Promise<void> => {
  for (const each of newer.older) {
    if (!overlaps(each, accounts) || isFinal(await settle(tx, each, at))) continue;
    await moveConsent(tx, {
      id: each.id,
      psuId: each.psuId,
      from: 'Valid',
      to: 'TerminatedByTpp',
      by: 'tpp',
      reason: 'superseded',
      supersededBy: newer.id,
      at,
    });
  }
};
