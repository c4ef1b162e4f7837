/**
 * An account access as its third party uses it: which accounts under which ids, which kinds of data, which days, and how old
 * the account holder's last strong authentication may be. The rules are pure.
 */

import { type BankTime, MINUTE } from '../lib/clock.js';
import { isUuid } from '../lib/id.js';
import { instantText } from '../lib/instant.js';
import type { Caller } from '../model/caller.js';
import type { AccountId, ClientId, ConsentId, PsuId } from '../model/ids.js';
import type { Regime } from '../model/regime.js';
import { Problem } from '../problem/problem.js';
import type { Reads } from '../store/db.js';
import { type AccessDetails, accessDetailsColumn } from './columns.js';
import { scaEnd } from './lifecycle.js';
import { consentNotValid } from './not-valid.js';
import { type Ended, standingAt } from './reason.js';
import type { Consent, Permission } from './record.js';

/** An account of the consent. */
export interface AccessAccount {
  /** How the third party names it, in this consent and in others: see `withResourceIds`. */
  readonly resourceId: string;
  /** The bank's own id, which never leaves the bank. */
  readonly accountId: AccountId;
  /** As it was approved; null for what was approved before currencies were kept. */
  readonly currency: string | null;
}

export interface AccountAccess extends Ended, Pick<Consent, 'id' | 'supersededBy'> {
  readonly details: AccessDetails;
  readonly accounts: readonly AccessAccount[];
  /** When the account holder last proved who they are. */
  readonly scaAt: BankTime;
  readonly clientId: ClientId;
  readonly psuId: PsuId;
  /** What the bank wants to be reminded of. */
  readonly bankData: string | null;
}

const FIND = `
  select id, kind, status, created_at as "createdAt", expires_at as "expiresAt", end_reason as "endReason",
         superseded_by as "supersededBy", details,
         coalesce(sca_at, approved_at, created_at) as "scaAt", client_id as "clientId", psu_id as "psuId",
         bank_data as "bankData"
  from consents where id = ? and client_id = ? and psu_id = ? and kind = 'AccountAccess'`;
const ACCOUNTS = `
  select resource_id as "resourceId", account_id as "accountId", currency from consent_accounts
  where consent_id = ? and account_id is not null and resource_id is not null order by position`;

/** The caller's own account access, in whatever status. */
export const findAccess = async (
  db: Reads,
  id: ConsentId,
  { clientId, psuId }: Caller,
): Promise<AccountAccess | undefined> => {
  if (!isUuid(id)) return undefined;
  const [row, accounts] = await Promise.all([
    db.one<Omit<AccountAccess, 'accounts' | 'details'> & { details: string }>(FIND, [id, clientId, psuId]),
    db.all<AccessAccount>(ACCOUNTS, [id]),
  ]);
  return row && { ...row, details: accessDetailsColumn.read(row.details), accounts };
};

/** So long does one strong authentication open the history that is older than what it opens by default. */
const SCA_FRESH_MS = 60 * MINUTE;

/** Where a third party starts a renewal. */
const renewalLinks = (id: ConsentId, baseUrl: string) => ({
  startAuthorisation: { href: `${baseUrl}/ais/psd2/v1/consents/${id}/authorisations` },
});

/** Throws if the consent may not be used now. */
export const checkUsable = (
  access: AccountAccess,
  bankNow: BankTime,
  { baseUrl, regime }: { readonly baseUrl: string; readonly regime: Regime },
): void => {
  const standing = standingAt(access, bankNow);
  if (standing.status !== 'Valid') throw consentNotValid(standing, 'The consent');
  const validUntil = scaEnd(access.scaAt, regime);
  if (bankNow >= validUntil) {
    throw new Problem('sca-renewal-required', {
      extensions: {
        consent: { status: 'Valid', scaValidUntil: instantText(validUntil) },
        _links: renewalLinks(access.id, baseUrl),
      },
    });
  }
};

/** Throws unless the account holder has just authenticated. `dateFrom` is the first day that is open without that, if one is. */
export const checkFresh = (
  { id, scaAt }: Pick<AccountAccess, 'id' | 'scaAt'>,
  bankNow: BankTime,
  { baseUrl, dateFrom }: { readonly baseUrl: string; readonly dateFrom: string | undefined },
): void => {
  if (bankNow > scaAt + SCA_FRESH_MS) {
    throw new Problem('history-needs-authentication', {
      ...(dateFrom === undefined ? { advice: 'renew-consent' } : {}),
      extensions: {
        history: dateFrom === undefined ? {} : { dateFrom },
        _links: renewalLinks(id, baseUrl),
      },
    });
  }
};

export const allows = ({ details }: Pick<AccountAccess, 'details'>, permission: Permission): boolean =>
  details.permissions.includes(permission);

/** Throws unless the consent has one of these permissions: what is not allowed is refused, never left empty. */
export const checkPermission = (
  access: Pick<AccountAccess, 'details'>,
  anyOf: readonly Permission[],
): void => {
  if (anyOf.some((permission) => allows(access, permission))) return;
  throw new Problem('consent-required', {
    detail: `The consent does not cover this data: it lacks the permission ${anyOf.join(' or ')}.`,
    code: 'CONSENT_INVALID',
    extensions: { consent: { status: 'Valid', missingPermissions: anyOf } },
  });
};

/** A one-off access is one sitting: it ends this long after its first read. */
export const ONE_OFF_MS = 60 * MINUTE;

export const isOneOff = ({ details }: Pick<AccountAccess, 'details'>): boolean => details.recurring !== true;
