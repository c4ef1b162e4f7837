/** Why a certificate is refused: a closed list, each with its Berlin Group code and a sentence that says what to do. */

interface ReasonKind {
  readonly code: string;
  readonly detail: string;
}

export const reasons = {
  unreadable: {
    code: 'CERTIFICATE_INVALID',
    detail: 'The certificate cannot be read: send base64 of its DER or PEM form, at most 8 KiB.',
  },
  expired: { code: 'CERTIFICATE_EXPIRED', detail: 'The certificate has expired: use its successor.' },
  'not-yet-valid': { code: 'CERTIFICATE_INVALID', detail: 'The certificate is not valid yet.' },
  'weak-key': {
    code: 'CERTIFICATE_INVALID',
    detail:
      'The key must be RSA of 2048 to 8192 bits, or EC on P-256, P-384 or P-521; this holds for the issuers too.',
  },
  'weak-signature': {
    code: 'CERTIFICATE_INVALID',
    detail:
      'The certificate or one of its issuers is signed with an algorithm that is no longer accepted, such as SHA-1.',
  },
  'no-anchors': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The bank trusts no issuer of certificates yet, so none can be accepted.',
  },
  'not-anchored': {
    code: 'CERTIFICATE_INVALID',
    detail:
      'The certificate does not lead to a provider that the bank trusts; send intermediate certificates along if there are any.',
  },
  'broken-chain': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The certificate names a trusted issuer, but was not signed by it.',
  },
  'issuer-expired': {
    code: 'CERTIFICATE_INVALID',
    detail: 'A certificate of the issuing provider is expired or not valid yet.',
  },
  'issuer-not-ca': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The certificate was issued with one that may not issue certificates.',
  },
  'path-length': {
    code: 'CERTIFICATE_INVALID',
    detail: 'There are more certificates between this one and the trusted provider than the provider allows.',
  },
  'name-constraint': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The issuing provider may not issue certificates for this name.',
  },
  'unknown-critical-extension': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The certificate or one of its issuers has a critical extension that is not understood.',
  },
  'is-ca': {
    code: 'CERTIFICATE_INVALID',
    detail: 'A certificate that issues others must not be used for requests.',
  },
  'not-qualified': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The certificate is not a qualified one: the statement of compliance is missing.',
  },
  'no-type': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The certificate does not say whether it is for seals or for websites.',
  },
  'wrong-use': {
    code: 'CERTIFICATE_INVALID',
    detail:
      'The certificate is for another use: requests are signed with a QSealC, connections are made with a QWAC.',
  },
  'malformed-statement': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The qualified statements of the certificate do not follow ETSI TS 119 495.',
  },
  'no-psd2-statement': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The certificate has no PSD2 statement with roles.',
  },
  'no-organisation': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The subject of the certificate has no single organizationIdentifier.',
  },
  'wrong-organisation': {
    code: 'CERTIFICATE_INVALID',
    detail:
      'The organizationIdentifier of the certificate is not the registration of the calling third party.',
  },
  'role-missing': {
    code: 'ROLE_INVALID',
    detail: 'The PSD2 statement of the certificate does not have the role that this area demands.',
  },
  'no-revocation-source': {
    code: 'CERTIFICATE_INVALID',
    detail: 'The certificate names neither an OCSP responder nor a revocation list.',
  },
  blocked: {
    code: 'CERTIFICATE_BLOCKED',
    detail: 'The bank has blocked the certificate or one of its issuers: ask the bank.',
  },
  revoked: { code: 'CERTIFICATE_REVOKED', detail: 'The certificate or one of its issuers has been revoked.' },
  'revocation-unknown': {
    code: 'DEPENDENCY_UNAVAILABLE',
    detail: 'Whether the certificate has been revoked cannot be found out at the moment.',
  },
} as const satisfies Record<string, ReasonKind>;

export type Reason = keyof typeof reasons;

/** A certificate that is refused before there is anything to report on. */
export class CertificateRefusal extends Error {
  readonly reason: Reason;

  constructor(reason: Reason) {
    super(reasons[reason].detail);
    this.name = 'CertificateRefusal';
    this.reason = reason;
  }
}
