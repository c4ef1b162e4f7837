/**
 * A test PKI: a root, an issuing authority below it, and the QWAC and QSealC certificates that it issues. For the sandbox, for
 * the command line and for tests; no one else trusts it.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { DAY, MINUTE, type RealTime } from 'trapeza/base';
import { type CertificateUse, certificateOf, OID, type PspRole } from 'trapeza/certificates';
import { buildCertificate, type CertificatePlan, type NamePlan, newSerial } from './build.js';
import {
  authorityInfoAccess,
  authorityKeyId,
  basicConstraints,
  crlDistributionPoint,
  type ExtensionPlan,
  extKeyUsage,
  keyUsage,
  psd2Statement,
  qcCompliance,
  qcStatements,
  qcType,
  subjectKeyId,
} from './extensions.js';

/** Everything that must be kept; the keys are PKCS #8 in PEM, certificates are base64 of DER. */
export interface AuthorityRecord {
  /** Where the list, the responder and the certificates of the authority are found. */
  readonly baseUrl: string;
  readonly root: string;
  readonly rootKey: string;
  readonly issuing: string;
  readonly issuingKey: string;
}

export interface Wish {
  readonly use: CertificateUse;
  readonly name: string;
  readonly registration: string;
  readonly roles: readonly PspRole[];
  readonly publicKey: KeyObject;
  readonly days?: number;
}

export interface Issued {
  readonly serial: bigint;
  readonly der: Buffer;
}

export type KeyKind = 'rsa' | 'ec';

const ROOT_DAYS = 3650;
const ISSUING_DAYS = 1825;
const DEFAULT_DAYS = 365;
/** A clock that is a little behind shall accept a certificate that was just made. */
const BACKDATE_MS = 5 * MINUTE;

const generate = promisify(generateKeyPair);

export const newKeyPair = async (
  kind: KeyKind,
): Promise<{ readonly publicKey: KeyObject; readonly privateKey: KeyObject }> =>
  kind === 'ec' ? generate('ec', { namedCurve: 'P-256' }) : generate('rsa', { modulusLength: 2048 });

export const keyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

const name = (commonName: string, organization: string, registration?: string): NamePlan => [
  { oid: OID.country, value: 'GR' },
  { oid: OID.organization, value: organization },
  ...(registration === undefined ? [] : [{ oid: OID.organizationIdentifier, value: registration }]),
  { oid: OID.commonName, value: commonName },
];

const rootName = name('Trapeza Test Root', 'Trapeza Test PKI');
const issuingName = name('Trapeza Test Issuing CA', 'Trapeza Test PKI');

const places = (baseUrl: string): readonly ExtensionPlan[] => [
  crlDistributionPoint(`${baseUrl}/crl`),
  authorityInfoAccess(`${baseUrl}/ocsp`, `${baseUrl}/issuing.pem`),
];

const authorityPlan = (
  nowMs: RealTime,
  days: number,
): Pick<CertificatePlan, 'serial' | 'notBefore' | 'notAfter' | 'issuer'> => ({
  serial: newSerial(),
  notBefore: nowMs - BACKDATE_MS,
  notAfter: nowMs + days * DAY,
  issuer: rootName,
});

export const createAuthority = async (baseUrl: string, nowMs: RealTime): Promise<AuthorityRecord> => {
  const [root, issuing] = await Promise.all([newKeyPair('ec'), newKeyPair('ec')]);
  const signs = keyUsage('keyCertSign', 'crlSign');
  const rootDer = buildCertificate(
    {
      ...authorityPlan(nowMs, ROOT_DAYS),
      subject: rootName,
      publicKey: root.publicKey,
      extensions: [basicConstraints(true), signs, subjectKeyId(root.publicKey)],
    },
    root.privateKey,
  );
  const issuingDer = buildCertificate(
    {
      ...authorityPlan(nowMs, ISSUING_DAYS),
      subject: issuingName,
      publicKey: issuing.publicKey,
      extensions: [
        basicConstraints(true, 0),
        signs,
        subjectKeyId(issuing.publicKey),
        authorityKeyId(root.publicKey),
        crlDistributionPoint(`${baseUrl}/root.crl`),
      ],
    },
    root.privateKey,
  );
  return {
    baseUrl,
    root: rootDer.toString('base64'),
    rootKey: keyPem(root.privateKey),
    issuing: issuingDer.toString('base64'),
    issuingKey: keyPem(issuing.privateKey),
  };
};

/** What ETSI TS 119 495 asks of a certificate for this use. */
export const usageExtensions = (use: CertificateUse): readonly ExtensionPlan[] =>
  use === 'seal'
    ? [keyUsage('digitalSignature', 'nonRepudiation')]
    : [keyUsage('digitalSignature'), extKeyUsage(OID.serverAuth, OID.clientAuth)];

const AUTHORITY = { ncaName: 'Bank of Greece', ncaId: 'GR-BOG' } as const;

/** The whole plan of a certificate, so that a test can spoil one thing of it. */
export const leafPlan = (
  wish: Wish,
  issuer: { readonly name: NamePlan; readonly publicKey: KeyObject; readonly baseUrl: string },
  nowMs: RealTime,
): CertificatePlan => ({
  serial: newSerial(),
  issuer: issuer.name,
  subject: name(wish.name, wish.name, wish.registration),
  notBefore: nowMs - BACKDATE_MS,
  notAfter: nowMs + (wish.days ?? DEFAULT_DAYS) * DAY,
  publicKey: wish.publicKey,
  extensions: [
    basicConstraints(false),
    ...usageExtensions(wish.use),
    subjectKeyId(wish.publicKey),
    authorityKeyId(issuer.publicKey),
    qcStatements(qcCompliance(), qcType(wish.use), psd2Statement(wish.roles, AUTHORITY)),
    ...places(issuer.baseUrl),
  ],
});

export class TestAuthority {
  readonly baseUrl: string;
  readonly root: Buffer;
  readonly issuing: Buffer;
  readonly rootKey: KeyObject;
  readonly issuingKey: KeyObject;
  readonly rootName = rootName;
  readonly issuingName = issuingName;

  constructor(record: AuthorityRecord) {
    this.baseUrl = record.baseUrl;
    this.root = Buffer.from(record.root, 'base64');
    this.issuing = Buffer.from(record.issuing, 'base64');
    this.rootKey = createPrivateKey(record.rootKey);
    this.issuingKey = createPrivateKey(record.issuingKey);
  }

  plan(wish: Wish, nowMs: RealTime): CertificatePlan {
    const publicKey = createPublicKey(this.issuingKey);
    const plan = leafPlan(wish, { name: issuingName, publicKey, baseUrl: this.baseUrl }, nowMs);
    // Nothing outlives its issuer.
    return { ...plan, notAfter: Math.min(plan.notAfter, certificateOf(this.issuing).notAfter) };
  }

  issue(wish: Wish, nowMs: RealTime): Issued {
    const plan = this.plan(wish, nowMs);
    return { serial: plan.serial, der: buildCertificate(plan, this.issuingKey) };
  }
}
