/** Revocation lists (RFC 5280, 5): complete ones, signed by the issuer itself. Partial, indirect and delta lists are not used. */
import type { RealTime } from '../../lib/clock.js';
import { OID } from '../der/oids.js';
import { type Der, DerFault, Members, plain, readDer, TAG, wrapped } from '../der/read.js';
import { bitBytesOf, integerOf, timeOf } from '../der/values.js';
import { isWeakKey } from '../path/strength.js';
import { isSignedBy, readAlgorithm } from '../x509/algorithm.js';
import { type Extensions, hasUnknownCritical, readExtensions } from '../x509/extensions.js';
import { urisOf } from '../x509/general-name.js';
import { nameKey, readName } from '../x509/name.js';
import type { Certificate } from '../x509/parse.js';

export interface RevocationList {
  readonly thisUpdate: number;
  readonly nextUpdate: number;
  readonly revoked: ReadonlySet<bigint>;
  /** Which certificates it is about. */
  readonly covers: 'all' | 'users' | 'issuers';
}

const MAX_NODES = 400_000;
const SKEW_MS = 300_000;

const understood: ReadonlySet<string> = new Set([
  OID.authorityKeyIdentifier,
  OID.crlNumber,
  OID.issuingDistributionPoint,
]);
const nothing: ReadonlySet<string> = new Set();

/** A list that names its places lies at one where the certificate looks for it, else it may be about others (RFC 5280, 6.3.3). */
const checkPlace = (point: Der | undefined, addresses: readonly string[]): void => {
  const [full] = point?.children ?? [];
  const names = full?.tag === wrapped(0) ? urisOf(full.children) : [];
  if (point && !names.some((name) => addresses.includes(name)))
    throw new DerFault('the list of another place');
};

const scopeOf = (extensions: Extensions, addresses: readonly string[]): RevocationList['covers'] => {
  const extension = extensions.get(OID.issuingDistributionPoint);
  if (!extension) return 'all';
  const members = new Members(readDer(extension.value));
  checkPlace(members.optional(wrapped(0)), addresses);
  const isSet = (number: number): boolean => {
    const der = members.optional(plain(number));
    return der !== undefined && der.content[0] !== 0;
  };
  const [users, issuers] = [isSet(1), isSet(2)];
  // Some reasons only, indirect, attribute certificates.
  if (members.peek()) throw new DerFault('a partial list');
  if (users && issuers) throw new DerFault('bad scope');
  return users ? 'users' : issuers ? 'issuers' : 'all';
};

const readEntry = (der: Der): bigint => {
  const members = new Members(der);
  const serial = integerOf(members.next(TAG.integer));
  timeOf(members.next());
  const extensions = readExtensions(members.optional(TAG.sequence));
  members.end();
  if (hasUnknownCritical(extensions, nothing)) throw new DerFault('an entry of another issuer');
  return serial;
};

const readList = (
  tbs: Der,
  issuer: Certificate,
  addresses: readonly string[],
): RevocationList & { readonly algorithm: Der } => {
  const members = new Members(tbs);
  members.optional(TAG.integer);
  const algorithm = members.next(TAG.sequence);
  if (nameKey(readName(members.next())) !== issuer.subjectKey) throw new DerFault('another issuer');
  const thisUpdate = timeOf(members.next());
  const nextUpdate = timeOf(members.next());
  const entries = members.optional(TAG.sequence)?.children ?? [];
  const wrapper = members.optional(wrapped(0));
  members.end();
  const extensions = readExtensions(wrapper?.children[0]);
  if (hasUnknownCritical(extensions, understood)) throw new DerFault('not understood');
  const revoked = new Set(entries.map(readEntry));
  return { algorithm, thisUpdate, nextUpdate, revoked, covers: scopeOf(extensions, addresses) };
};

const PEM = /-----BEGIN X509 CRL-----([A-Za-z0-9+/=\s]*)-----END X509 CRL-----/;

/** Throws if it is not a list of this issuer for these addresses. The caller decides whether it is too old. */
export const readCrl = (
  bytes: Buffer,
  issuer: Certificate,
  addresses: readonly string[],
  nowMs: RealTime,
): RevocationList => {
  const pem = bytes[0] === 0x2d ? PEM.exec(bytes.toString('latin1')) : null;
  const outer = new Members(readDer(pem ? Buffer.from(pem[1] ?? '', 'base64') : bytes, MAX_NODES));
  const tbs = outer.next(TAG.sequence);
  const algorithm = outer.next(TAG.sequence);
  const signature = bitBytesOf(outer.next());
  outer.end();
  const list = readList(tbs, issuer, addresses);
  if (!list.algorithm.raw.equals(algorithm.raw)) throw new DerFault('two signature algorithms');
  if (issuer.keyUsage?.has('crlSign') === false) throw new DerFault('the issuer may not sign lists');
  if (isWeakKey(issuer.publicKey)) throw new DerFault('weak key');
  if (!isSignedBy(issuer.publicKey, readAlgorithm(algorithm), tbs.raw, signature))
    throw new DerFault('not signed by the issuer');
  if (list.thisUpdate > nowMs + SKEW_MS || list.nextUpdate < list.thisUpdate) throw new DerFault('bad times');
  return list;
};
