/**
 * The bytes of a certificate to a plain value. OpenSSL reads the same bytes beside us, for the key and the signature; what
 * both can say must be the same.
 */
import { createHash, type KeyObject, X509Certificate } from 'node:crypto';
import { OID } from '../der/oids.js';
import { type Der, DerFault, Members, only, readDer, TAG, wrapped } from '../der/read.js';
import { bitBytesOf, integerOf, timeOf } from '../der/values.js';
import { readAlgorithm, type SignatureAlgorithm } from './algorithm.js';
import {
  altNamesOf,
  authorityKeyIdOf,
  type BasicConstraints,
  basicConstraintsOf,
  crlUrlsOf,
  extKeyUsageOf,
  hasUnknownCritical,
  type KeyUsage,
  keyUsageOf,
  type NameConstraints,
  nameConstraintsOf,
  ocspUrlsOf,
  readExtensions,
  subjectKeyIdOf,
} from './extensions.js';
import type { GeneralName } from './general-name.js';
import { type Name, nameKey, readName, valuesOf } from './name.js';
import {
  noStatements,
  type Psd2Statement,
  type QcType,
  readStatements,
  type Statements,
} from './statements.js';

export interface Certificate {
  /** SHA-256 of the bytes, hexadecimal. */
  readonly fingerprint: string;
  readonly raw: Buffer;
  readonly serial: bigint;
  readonly issuer: Name;
  readonly subject: Name;
  /** Equal for equal names, whatever their spelling. */
  readonly issuerKey: string;
  readonly subjectKey: string;
  /** The authorisation number, such as PSDGR-BOG-12345; undefined also if there are two. */
  readonly organizationIdentifier: string | undefined;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly publicKey: KeyObject;
  /** What OCSP names an issuer by. */
  readonly subjectDer: Buffer;
  readonly keyBits: Buffer;
  readonly signatureAlgorithm: SignatureAlgorithm;
  readonly isQualified: boolean;
  readonly qcTypes: readonly QcType[];
  readonly psd2: Psd2Statement | undefined;
  /** The statements are there, but are not what ETSI says. */
  readonly hasMalformedStatement: boolean;
  readonly basicConstraints: BasicConstraints;
  readonly keyUsage: ReadonlySet<KeyUsage> | undefined;
  readonly extKeyUsage: ReadonlySet<string> | undefined;
  readonly altNames: readonly GeneralName[];
  readonly nameConstraints: NameConstraints | undefined;
  readonly subjectKeyId: string | undefined;
  readonly authorityKeyId: string | undefined;
  readonly ocspUrls: readonly string[];
  readonly crlUrls: readonly string[];
  readonly hasUnknownCritical: boolean;
  /** What OpenSSL has made of the same bytes. */
  readonly x509: X509Certificate;
}

interface Fields {
  readonly serial: bigint;
  readonly algorithm: Der;
  readonly issuer: Name;
  readonly subject: Name;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly subjectDer: Buffer;
  readonly keyBits: Buffer;
  readonly extensions: Der | undefined;
}

const readFields = (tbs: Der): Fields => {
  const members = new Members(tbs);
  const version = members.optional(wrapped(0));
  if (version && integerOf(only(version)) !== 2n) throw new DerFault('not a version 3 certificate');
  const serial = integerOf(members.next(TAG.integer));
  const algorithm = members.next(TAG.sequence);
  const issuer = readName(members.next());
  const validity = new Members(members.next());
  const [notBefore, notAfter] = [timeOf(validity.next()), timeOf(validity.next())];
  validity.end();
  const subjectDer = members.next();
  const keyInfo = new Members(members.next());
  keyInfo.next(TAG.sequence);
  const keyBits = bitBytesOf(keyInfo.next());
  members.optional(0x81);
  members.optional(0x82);
  const wrapper = members.optional(wrapped(3));
  members.end();
  if (wrapper && !version) throw new DerFault('extensions need version 3');
  // Zero is forbidden too, but some old roots have it, the Greek universities' among them.
  const isRoot = nameKey(issuer) === nameKey(readName(subjectDer));
  if (serial < 0n || (serial === 0n && !isRoot) || serial >= 2n ** 160n)
    throw new DerFault('bad serial number');
  return {
    serial,
    algorithm,
    issuer,
    subject: readName(subjectDer),
    notBefore,
    notAfter,
    subjectDer: subjectDer.raw,
    keyBits,
    extensions: wrapper && only(wrapper),
  };
};

const statementsOf = (value: Buffer | undefined): Statements | undefined => {
  if (!value) return noStatements;
  try {
    return readStatements(value);
  } catch {
    return undefined;
  }
};

const checkAgreement = (x509: X509Certificate, fields: Fields): void => {
  const agrees =
    BigInt(`0x${x509.serialNumber}`) === fields.serial &&
    Date.parse(x509.validFrom) === fields.notBefore &&
    Date.parse(x509.validTo) === fields.notAfter;
  if (!agrees) throw new DerFault('OpenSSL and our parser disagree');
};

/** Throws whatever reading throws; `readCertificate` makes one refusal of it. */
export const parseCertificate = (bytes: Buffer): Certificate => {
  const raw = Buffer.from(bytes);
  const outer = new Members(readDer(raw));
  const tbs = outer.next(TAG.sequence);
  const algorithm = outer.next(TAG.sequence);
  outer.next(TAG.bits);
  outer.end();
  const fields = readFields(tbs);
  if (!fields.algorithm.raw.equals(algorithm.raw)) throw new DerFault('two signature algorithms');
  const x509 = new X509Certificate(raw);
  checkAgreement(x509, fields);
  const extensions = readExtensions(fields.extensions);
  const statements = statementsOf(extensions.get(OID.qcStatements)?.value);
  const organizations = valuesOf(fields.subject, OID.organizationIdentifier);
  return {
    fingerprint: createHash('sha256').update(raw).digest('hex'),
    raw,
    serial: fields.serial,
    issuer: fields.issuer,
    subject: fields.subject,
    issuerKey: nameKey(fields.issuer),
    subjectKey: nameKey(fields.subject),
    organizationIdentifier: organizations.length === 1 ? organizations[0] : undefined,
    notBefore: fields.notBefore,
    notAfter: fields.notAfter,
    publicKey: x509.publicKey,
    subjectDer: fields.subjectDer,
    keyBits: fields.keyBits,
    signatureAlgorithm: readAlgorithm(algorithm),
    ...(statements ?? noStatements),
    hasMalformedStatement: statements === undefined,
    basicConstraints: basicConstraintsOf(extensions),
    keyUsage: keyUsageOf(extensions),
    extKeyUsage: extKeyUsageOf(extensions),
    altNames: altNamesOf(extensions),
    nameConstraints: nameConstraintsOf(extensions),
    subjectKeyId: subjectKeyIdOf(extensions),
    authorityKeyId: authorityKeyIdOf(extensions),
    ocspUrls: ocspUrlsOf(extensions),
    crlUrls: crlUrlsOf(extensions),
    hasUnknownCritical: hasUnknownCritical(extensions),
    x509,
  };
};
