/** The checks of a certificate that need nothing but the certificate: each says why it fails, or nothing. */
import type { RealTime } from '../lib/clock.js';
import type { Role } from '../model/caller.js';
import type { Certificate } from './certificate.js';
import { OID } from './der/oids.js';
import { isWeakKey } from './path/strength.js';
import type { Reason } from './reasons.js';

/** Signing of requests, or the client's end of a TLS connection. */
export type CertificateUse = 'seal' | 'web';

export const validityFault = ({ notBefore, notAfter }: Certificate, nowMs: RealTime): Reason | undefined => {
  if (nowMs < notBefore) return 'not-yet-valid';
  return nowMs > notAfter ? 'expired' : undefined;
};

export const keyFault = ({ publicKey, signatureAlgorithm }: Certificate): Reason | undefined => {
  if (isWeakKey(publicKey)) return 'weak-key';
  return signatureAlgorithm.kind === 'refused' ? 'weak-signature' : undefined;
};

export const statementFault = (certificate: Certificate): Reason | undefined => {
  if (certificate.hasMalformedStatement) return 'malformed-statement';
  if (!certificate.isQualified) return 'not-qualified';
  return certificate.psd2 ? undefined : 'no-psd2-statement';
};

/** A certificate that does not restrict its key may be used for what its type says. */
const allowsKey = ({ keyUsage, extKeyUsage }: Certificate, use: CertificateUse): boolean => {
  if (use === 'seal') return !keyUsage || keyUsage.has('digitalSignature') || keyUsage.has('nonRepudiation');
  const allowsClient = !extKeyUsage || extKeyUsage.has(OID.clientAuth) || extKeyUsage.has(OID.anyUsage);
  return allowsClient && (!keyUsage || keyUsage.has('digitalSignature'));
};

export const useFault = (certificate: Certificate, use: CertificateUse): Reason | undefined => {
  const { basicConstraints, keyUsage, qcTypes } = certificate;
  if (basicConstraints.isCa || keyUsage?.has('keyCertSign')) return 'is-ca';
  if (qcTypes.length === 0) return 'no-type';
  return qcTypes.includes(use) && allowsKey(certificate, use) ? undefined : 'wrong-use';
};

export const organisationFault = (
  { organizationIdentifier }: Certificate,
  registration: string,
): Reason | undefined => {
  if (organizationIdentifier === undefined || organizationIdentifier.trim() === '') return 'no-organisation';
  return organizationIdentifier === registration ? undefined : 'wrong-organisation';
};

export const roleFault = ({ psd2 }: Certificate, role: Role): Reason | undefined =>
  psd2?.roles.includes(role) ? undefined : 'role-missing';
