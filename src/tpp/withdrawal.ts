/**
 * What a third party that registered itself loses when its certificate or the register no longer bears it: products whose role is gone, or
 * everything. Consents stay, because they belong to the application: they work again once the third party is back. Call within a transaction.
 */
import type { CertificateUse } from '../certificate/checks.js';
import type { RealTime } from '../lib/clock.js';
import { type Area, areasOfRoles, type Role } from '../model/caller.js';
import type { Queries } from '../store/db.js';
import { bumpVersion } from './version.js';

const SUBSCRIPTIONS = `
  select s.id, s.products from subscriptions s join applications a on a.client_id = s.client_id where a.tpp_id = ?`;
const SET_PRODUCTS = 'update subscriptions set products = ? where id = ?';

/** Takes the products away that need a role the third party does not have. */
export const narrowToRoles = async (tx: Queries, tppId: string, roles: readonly Role[]): Promise<void> => {
  const allowed = areasOfRoles(roles);
  for (const { id, products } of await tx.all<{ id: string; products: string }>(SUBSCRIPTIONS, [tppId])) {
    const left = (products.split(' ') as Area[]).filter((area) => allowed.includes(area)).join(' ');
    if (left !== products) await tx.run(SET_PRODUCTS, [left, id]);
  }
};

const WITHDRAW = `update tpps set status = 'suspended', withdrawn_for = ? where id = ? and status = 'active'`;

/** Acts on every node within five seconds. False if it was suspended before. */
export const withdrawTpp = async (tx: Queries, tppId: string, reason: string): Promise<boolean> => {
  await bumpVersion(tx);
  return (await tx.run(WITHDRAW, [reason, tppId])) > 0;
};

export interface KeptCertificate {
  readonly tppId: string;
  readonly fingerprint: string;
  readonly use: CertificateUse;
  readonly pem: string;
}

const DUE = `
  select c.tpp_id as "tppId", c.fingerprint, c.use, c.pem from tpp_certificates c join tpps t on t.id = c.tpp_id
  where t.registered_by = 'certificate' and t.status = 'active' and c.revoked_at is null and c.not_after > ?
    and coalesce(c.checked_at, c.added_at) <= ? order by c.fingerprint limit 20`;

/** Certificates of third parties that registered themselves and that were not looked at since then. */
export const certificatesToCheck = (
  db: Queries,
  nowMs: RealTime,
  before: number,
): Promise<KeptCertificate[]> => db.all<KeptCertificate>(DUE, [nowMs, before]);

const MARK_CHECKED = `
  update tpp_certificates set checked_at = ?, revoked_at = ? where tpp_id = ? and fingerprint = ?`;

export const markChecked = async (
  db: Queries,
  { tppId, fingerprint }: KeptCertificate,
  isRevoked: boolean,
  nowMs: RealTime,
): Promise<void> => {
  await db.run(MARK_CHECKED, [nowMs, isRevoked ? nowMs : null, tppId, fingerprint]);
};

const WITHOUT = `
  select t.id, t.registration,
    case when exists (select 1 from tpp_certificates c where c.tpp_id = t.id and c.not_after > ?)
      then 'certificate-revoked' else 'certificate-expired' end as reason
  from tpps t
  where t.registered_by = 'certificate' and t.status = 'active' and not exists (
    select 1 from tpp_certificates c where c.tpp_id = t.id and c.not_after > ? and c.revoked_at is null)
  order by t.id limit 100`;

export interface Bare {
  readonly id: string;
  readonly registration: string;
  readonly reason: string;
}

/** Those that have no good certificate left, and why. */
export const tppsWithoutCertificate = (db: Queries, nowMs: RealTime): Promise<Bare[]> =>
  db.all<Bare>(WITHOUT, [nowMs, nowMs]);
