/** Certificates: the DER reader and writer, what certificates say, and whom they are trusted by. */
export { certificateOf, pemOf, readCertificateFile } from '../certificate/certificate.js';
export type { CertificateUse } from '../certificate/checks.js';
export { OID } from '../certificate/der/oids.js';
export { type Der, Members, readDer, TAG, wrapped } from '../certificate/der/read.js';
export { bitBytesOf, integerOf } from '../certificate/der/values.js';
export {
  bits,
  boolean,
  enumerated,
  generalizedTime,
  implicit,
  integer,
  namedBits,
  nothing,
  octets,
  oid,
  printable,
  sequence,
  set,
  time,
  utf8,
  wrap,
} from '../certificate/der/write.js';
export { isWeakKey } from '../certificate/path/strength.js';
export { type Trust, type TrustSet, trustSet } from '../certificate/trust.js';
export { type Hash, isSignedBy, readAlgorithm } from '../certificate/x509/algorithm.js';
export { type KeyUsage, keyUsageBits } from '../certificate/x509/extensions.js';
export type { Attribute } from '../certificate/x509/name.js';
export { type PspRole, type QcType, qcTypeOids, roleOids } from '../certificate/x509/statements.js';
