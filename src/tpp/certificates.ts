/** The certificates that third parties were registered with. Call within a transaction what writes. */

import { type Certificate, pemOf } from '../certificate/certificate.js';
import type { CertificateUse } from '../certificate/checks.js';
import { OID } from '../certificate/der/oids.js';
import { nameText, valuesOf } from '../certificate/x509/name.js';
import type { RealTime } from '../lib/clock.js';
import { instantText } from '../lib/instant.js';
import type { Role } from '../model/caller.js';
import type { Queries } from '../store/db.js';
import { createTpp, RegistryError } from './registry.js';

/** What a certificate says of its holder. */
export interface Holder {
  readonly name: string;
  readonly registration: string;
  readonly roles: readonly Role[];
  readonly uses: readonly CertificateUse[];
}

/** An error for operators if the certificate lacks something. */
export const holderOf = (certificate: Certificate): Holder => {
  const { subject, organizationIdentifier: registration, psd2, qcTypes } = certificate;
  const [name] = [...valuesOf(subject, OID.organization), ...valuesOf(subject, OID.commonName)];
  if (!name || !registration?.trim())
    throw new RegistryError('the certificate names no organisation with an organizationIdentifier');
  if (!psd2) throw new RegistryError('the certificate has no readable PSD2 statement with roles');
  const roles = psd2.roles.filter((role) => role !== 'PSP_AS');
  if (roles.length === 0)
    throw new RegistryError('the certificate has none of the roles PSP_IC, PSP_AI, PSP_PI');
  const uses = qcTypes.filter((type) => type !== 'sign');
  if (uses.length === 0) throw new RegistryError('the certificate is neither a QSealC nor a QWAC');
  return { name, registration, roles, uses };
};

const INSERT_TPP_CERTIFICATE = `
  insert into tpp_certificates (tpp_id, fingerprint, use, subject, not_before, not_after, roles, pem, added_at)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict (tpp_id, fingerprint) do update set not_before = excluded.not_before, roles = excluded.roles, revoked_at = null`;

/** One that is kept already has just been verified again. */
export const insertCertificate = async (
  tx: Queries,
  tppId: string,
  certificate: Certificate,
  use: CertificateUse,
  nowMs: RealTime,
): Promise<void> => {
  const { fingerprint, subject, notBefore, notAfter, raw, psd2 } = certificate;
  await tx.run(INSERT_TPP_CERTIFICATE, [
    tppId,
    fingerprint,
    use,
    nameText(subject),
    notBefore,
    notAfter,
    psd2?.roles.filter((role) => role !== 'PSP_AS').join(' ') ?? null,
    pemOf(raw),
    nowMs,
  ]);
};

/** A third party that is registered already gets the certificate in addition, whatever its roles are. */
export const registerHolder = async (
  tx: Queries,
  certificate: Certificate,
  wanted: { readonly name?: string | undefined; readonly roles?: readonly string[] | undefined },
  nowMs: RealTime,
) => {
  if (nowMs > certificate.notAfter)
    throw new RegistryError(
      `the certificate expired on ${instantText(certificate.notAfter)}: register its successor`,
    );
  const holder = holderOf(certificate);
  const { registration } = holder;
  const roles = wanted.roles ?? holder.roles;
  const others = roles.filter((role) => !(holder.roles as readonly string[]).includes(role));
  if (others.length > 0)
    throw new RegistryError(`the certificate does not have the role ${others.join(', ')}`);
  const known = await tx.one<{ id: string; name: string; roles: string }>(
    'select id, name, roles from tpps where registration = ?',
    [registration],
  );
  const name = known?.name ?? wanted.name ?? holder.name;
  const id = known?.id ?? (await createTpp(tx, { name, registration, roles }, nowMs));
  const [use = 'seal'] = holder.uses;
  await insertCertificate(tx, id, certificate, use, nowMs);
  return {
    id,
    name,
    registration,
    roles: known ? known.roles.split(' ') : [...roles],
    use,
    isNew: known === undefined,
  };
};

/** Members of the third party are null for a certificate that was blocked without being registered. */
export interface CertificateRow {
  readonly tppId: string | null;
  readonly name: string | null;
  readonly use: CertificateUse | null;
  readonly notAfter: number | null;
  readonly fingerprint: string;
  readonly subject: string | null;
  readonly blockedAt: number | null;
  readonly blockReason: string | null;
}

const LIST = `
  select * from (
  select c.tpp_id as "tppId", t.name, c.use, c.not_after as "notAfter", c.fingerprint,
         c.subject, b.blocked_at as "blockedAt", b.reason as "blockReason"
  from tpp_certificates c join tpps t on t.id = c.tpp_id left join blocked_certificates b on b.fingerprint = c.fingerprint
  union all
  select null, null, null, null, b.fingerprint, null, b.blocked_at, b.reason from blocked_certificates b
  where not exists (select 1 from tpp_certificates c where c.fingerprint = b.fingerprint)
  ) listed where coalesce(?, "tppId", '') = coalesce("tppId", '') order by coalesce("notAfter", 0), fingerprint limit 10000`;

/** The first to expire first; of all third parties, or of one. */
export const listCertificates = (db: Queries, tppId: string | null = null): Promise<CertificateRow[]> =>
  db.all<CertificateRow>(LIST, [tppId]);

/** Only the last one of a third party for a use: an older one has its successor. */
const LATEST = `
  select c.tpp_id as "tppId", t.name, c.fingerprint, c.use, c.not_after as "notAfter", c.warned_days as "warnedDays"
  from tpp_certificates c join tpps t on t.id = c.tpp_id
  where c.not_after <= ? and not exists (
    select 1 from tpp_certificates n where n.tpp_id = c.tpp_id and n.use = c.use and n.not_after > c.not_after)
  order by c.not_after, c.fingerprint limit 1000`;

export interface LatestCertificate {
  readonly tppId: string;
  /** Of the third party. */
  readonly name: string;
  readonly fingerprint: string;
  readonly use: CertificateUse;
  readonly notAfter: number;
  readonly warnedDays: number | null;
}

export const latestCertificates = (db: Queries, untilMs: number): Promise<LatestCertificate[]> =>
  db.all<LatestCertificate>(LATEST, [untilMs]);

const MARK = `
  update tpp_certificates set warned_days = ?
  where tpp_id = ? and fingerprint = ? and (warned_days is null or warned_days > ?)`;

/** True for the one node that may tell of it. */
export const markWarned = async (
  db: Queries,
  { tppId, fingerprint }: LatestCertificate,
  days: number,
): Promise<boolean> => (await db.run(MARK, [days, tppId, fingerprint, days])) > 0;
