/** OCSP (RFC 6960): the question about one certificate, and the answer, signed by its issuer or by whom the issuer has named. */

import { createHash } from 'node:crypto';
import type { RealTime } from '../../lib/clock.js';
import { certificateOf } from '../certificate.js';
import { OID } from '../der/oids.js';
import { type Der, DerFault, expectTag, Members, only, plain, readDer, TAG, wrapped } from '../der/read.js';
import { bitBytesOf, integerOf, oidOf, timeOf } from '../der/values.js';
import { integer, nothing, octets, oid, sequence, wrap } from '../der/write.js';
import { isWeakKey } from '../path/strength.js';
import { isSignedBy, readAlgorithm } from '../x509/algorithm.js';
import { readExtensions } from '../x509/extensions.js';
import type { Certificate } from '../x509/parse.js';

export interface OcspAnswer {
  readonly status: 'good' | 'revoked' | 'unknown';
  readonly thisUpdate: number;
  readonly nextUpdate: number;
}

export interface OcspSubject {
  readonly certificate: Certificate;
  readonly issuer: Certificate;
}

/** The responder says by an unsigned error, such as `tryLater`, that it cannot answer. */
export class NoAnswer extends Error {}

const SKEW_MS = 300_000;
/** Of an answer that does not say when the next one comes. */
const DEFAULT_LIFE_MS = 3_600_000;
const MAX_CERTIFICATES = 4;

const digests: Readonly<Record<string, string>> = { [OID.sha1]: 'sha1', [OID.sha256]: 'sha256' };

const digest = (name: string, bytes: Buffer): Buffer => createHash(name).update(bytes).digest();

/** SHA-1 names the issuer here and protects nothing; it is what responders look answers up by (RFC 5019). */
const certId = ({ certificate, issuer }: OcspSubject): Buffer =>
  sequence(
    sequence(oid(OID.sha1), nothing()),
    octets(digest('sha1', issuer.subjectDer)),
    octets(digest('sha1', issuer.keyBits)),
    integer(certificate.serial),
  );

export const ocspQuestion = (subject: OcspSubject, nonce: Buffer): Buffer => {
  const extension = sequence(oid(OID.ocspNonce), octets(octets(nonce)));
  return sequence(sequence(sequence(sequence(certId(subject))), wrap(2, sequence(extension))));
};

const isAbout = (der: Der, { certificate, issuer }: OcspSubject): boolean => {
  const members = new Members(der);
  const name = digests[oidOf(new Members(members.next()).next())];
  const [nameHash, keyHash] = [members.next(TAG.octets).content, members.next(TAG.octets).content];
  const serial = integerOf(members.next(TAG.integer));
  return (
    name !== undefined &&
    serial === certificate.serial &&
    nameHash.equals(digest(name, issuer.subjectDer)) &&
    keyHash.equals(digest(name, issuer.keyBits))
  );
};

const statuses: ReadonlyMap<number, OcspAnswer['status']> = new Map<number, OcspAnswer['status']>([
  [plain(0), 'good'],
  [wrapped(1), 'revoked'],
  [plain(2), 'unknown'],
]);

const readSingle = (der: Der): OcspAnswer => {
  const members = new Members(der);
  members.next();
  const status = statuses.get(members.next().tag);
  const thisUpdate = timeOf(expectTag(members.next(), TAG.generalizedTime));
  const next = members.optional(wrapped(0));
  if (!status) throw new DerFault('no status');
  return { status, thisUpdate, nextUpdate: next ? timeOf(only(next)) : thisUpdate + DEFAULT_LIFE_MS };
};

const nonceOf = (wrapper: Der | undefined): Buffer | undefined => {
  const value = readExtensions(wrapper && only(wrapper)).get(OID.ocspNonce)?.value;
  return value && readDer(value).content;
};

/** The issuer itself, or a certificate of the issuer for exactly this purpose. */
const maySpeakFor = (issuer: Certificate, signer: Certificate, nowMs: RealTime): boolean =>
  signer.issuerKey === issuer.subjectKey &&
  signer.extKeyUsage?.has(OID.ocspSigning) === true &&
  signer.signatureAlgorithm.kind !== 'refused' &&
  !isWeakKey(signer.publicKey) &&
  nowMs >= signer.notBefore &&
  nowMs <= signer.notAfter &&
  signer.x509.verify(issuer.publicKey);

interface Basic {
  readonly data: Der;
  readonly algorithm: Der;
  readonly signature: Buffer;
  readonly certificates: readonly Der[];
}

const readBasic = (bytes: Buffer): Basic => {
  const outer = new Members(readDer(bytes));
  const status = outer.next(TAG.enumerated).content;
  if (status.length !== 1) throw new DerFault('bad status');
  if (status[0] !== 0) throw new NoAnswer('the responder has no answer');
  const response = new Members(only(outer.next(wrapped(0))));
  outer.end();
  if (oidOf(response.next()) !== OID.ocspBasic) throw new DerFault('another kind of answer');
  const basic = new Members(readDer(response.next(TAG.octets).content));
  const data = basic.next(TAG.sequence);
  const algorithm = basic.next(TAG.sequence);
  const signature = bitBytesOf(basic.next());
  const list = basic.optional(wrapped(0));
  basic.end();
  return { data, algorithm, signature, certificates: list ? only(list).children : [] };
};

const checkSigner = (basic: Basic, issuer: Certificate, nowMs: RealTime): void => {
  const algorithm = readAlgorithm(basic.algorithm);
  const isBy = ({ publicKey }: Certificate): boolean =>
    isSignedBy(publicKey, algorithm, basic.data.raw, basic.signature);
  if (isBy(issuer)) return;
  const delegated = basic.certificates.slice(0, MAX_CERTIFICATES).map(({ raw }) => certificateOf(raw));
  if (!delegated.some((each) => isBy(each) && maySpeakFor(issuer, each, nowMs)))
    throw new DerFault('signed by somebody else');
};

/** Throws if it is not an answer to this query, or has the wrong signer. The caller decides whether it is too old. */
export const readOcspAnswer = (
  bytes: Buffer,
  subject: OcspSubject,
  nowMs: RealTime,
  nonce?: Buffer,
): OcspAnswer => {
  const basic = readBasic(bytes);
  const members = new Members(basic.data);
  members.optional(wrapped(0));
  members.next();
  timeOf(members.next());
  const singles = members.next(TAG.sequence).children;
  const echoed = nonceOf(members.optional(wrapped(1)));
  checkSigner(basic, subject.issuer, nowMs);
  // Many responders sign their answers ahead and echo nothing; one that echoes must echo ours.
  if (nonce && echoed && !echoed.equals(nonce)) throw new DerFault('the answer to another question');
  const own = singles.find((each) => isAbout(new Members(each).next(), subject));
  if (!own) throw new DerFault('about another certificate');
  const answer = readSingle(own);
  if (answer.thisUpdate > nowMs + SKEW_MS || answer.nextUpdate < answer.thisUpdate)
    throw new DerFault('bad times');
  return answer;
};
