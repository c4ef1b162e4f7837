/**
 * From a certificate to a trust anchor (RFC 5280, 6). Issuers come from the bank's folder and from the sender, never from the
 * net: an address inside a certificate means nothing until this has succeeded.
 */
import type { RealTime } from '../../lib/clock.js';
import type { Reason } from '../reasons.js';
import type { TrustSet } from '../trust.js';
import type { Certificate } from '../x509/parse.js';
import { breaksConstraints } from './name-constraints.js';
import { isWeakKey } from './strength.js';

/** The certificate first, the anchor last. */
export type Path = readonly [Certificate, ...Certificate[]];

export type PathResult = { readonly path: Path } | { readonly reason: Reason };

const MAX_LENGTH = 7;
const MAX_VERIFICATIONS = 40;

const isSignedBy = (certificate: Certificate, issuer: Certificate): boolean => {
  try {
    return certificate.x509.verify(issuer.publicKey);
  } catch {
    return false;
  }
};

const isSelfIssued = ({ issuerKey, subjectKey }: Certificate): boolean => issuerKey === subjectKey;

/** What is wrong with an issuer itself. */
const issuerFault = (issuer: Certificate, nowMs: RealTime): Reason | undefined => {
  if (nowMs < issuer.notBefore || nowMs > issuer.notAfter) return 'issuer-expired';
  if (isWeakKey(issuer.publicKey)) return 'weak-key';
  const mayIssue = issuer.basicConstraints.isCa && issuer.keyUsage?.has('keyCertSign') !== false;
  return mayIssue ? undefined : 'issuer-not-ca';
};

/** What an issuer does not allow those below it; the last of them is the nearest. */
const limitFault = ({ basicConstraints, nameConstraints }: Certificate, below: Path): Reason | undefined => {
  const { pathLength } = basicConstraints;
  const between = below.slice(1).filter((each) => !isSelfIssued(each)).length;
  if (pathLength !== undefined && between > pathLength) return 'path-length';
  if (!nameConstraints) return undefined;
  const isBroken = below.some(
    (each, at) => (at === 0 || !isSelfIssued(each)) && breaksConstraints(each, nameConstraints),
  );
  return isBroken ? 'name-constraint' : undefined;
};

/** The anchor's own signature and extensions do not matter: it is trusted because the bank says so. */
const pathFault = (path: Path, nowMs: RealTime): Reason | undefined => {
  const [leaf, ...issuers] = path;
  const issued = path.slice(0, -1);
  if (issued.some(({ signatureAlgorithm }) => signatureAlgorithm.kind === 'refused')) return 'weak-signature';
  if (issued.some(({ hasUnknownCritical }) => hasUnknownCritical)) return 'unknown-critical-extension';
  const faults = [
    ...issuers.map((issuer) => issuerFault(issuer, nowMs)),
    ...issuers.map((issuer, index) => limitFault(issuer, [leaf, ...issuers.slice(0, index)])),
  ];
  return faults.find((fault) => fault !== undefined);
};

const idsMatch = (certificate: Certificate, issuer: Certificate): boolean =>
  certificate.authorityKeyId !== undefined && certificate.authorityKeyId === issuer.subjectKeyId;

export const findPath = (
  leaf: Certificate,
  trust: TrustSet,
  extra: readonly Certificate[],
  nowMs: RealTime,
): PathResult => {
  if (trust.anchors.length === 0) return { reason: 'no-anchors' };
  const helpers = [...trust.intermediates, ...extra];
  let budget = MAX_VERIFICATIONS;
  let nearest: Reason = 'not-anchored';

  const issuersOf = (certificate: Certificate): Certificate[] =>
    [...trust.anchors, ...helpers]
      .filter(({ subjectKey }) => subjectKey === certificate.issuerKey)
      .toSorted((a, b) => Number(idsMatch(certificate, b)) - Number(idsMatch(certificate, a)));

  const climb = (path: Path): Path | undefined => {
    const top = path.at(-1) ?? leaf;
    for (const issuer of issuersOf(top)) {
      if (path.some(({ fingerprint }) => fingerprint === issuer.fingerprint)) continue;
      budget -= 1;
      if (budget < 0) return undefined;
      if (!isSignedBy(top, issuer)) {
        if (nearest === 'not-anchored') nearest = 'broken-chain';
        continue;
      }
      const longer: Path = [...path, issuer];
      if (!trust.fingerprints.has(issuer.fingerprint)) {
        const found = longer.length < MAX_LENGTH ? climb(longer) : undefined;
        if (found) return found;
        continue;
      }
      const fault = pathFault(longer, nowMs);
      if (!fault) return longer;
      nearest = fault;
    }
    return undefined;
  };

  const path = climb([leaf]);
  return path ? { path } : { reason: nearest };
};
