/** The extensions of certificates of the test PKI, as DER. */
import { createHash, type KeyObject } from 'node:crypto';
import {
  bitBytesOf,
  boolean,
  implicit,
  integer,
  type KeyUsage,
  keyUsageBits,
  namedBits,
  OID,
  octets,
  oid,
  type PspRole,
  type QcType,
  qcTypeOids,
  readDer,
  roleOids,
  sequence,
  utf8,
  wrap,
} from 'trapeza/certificates';

export interface ExtensionPlan {
  readonly oid: string;
  readonly isCritical?: boolean;
  readonly value: Buffer;
}

/** By the key's bits, as RFC 5280 (4.2.1.2) suggests. */
export const keyIdOf = (key: KeyObject): Buffer => {
  const [, bits] = readDer(key.export({ type: 'spki', format: 'der' })).children;
  if (!bits) throw new Error('not a public key');
  return createHash('sha1').update(bitBytesOf(bits)).digest();
};

export const basicConstraints = (isCa: boolean, pathLength?: number): ExtensionPlan => ({
  oid: OID.basicConstraints,
  isCritical: true,
  value: sequence(
    ...(isCa ? [boolean(true)] : []),
    ...(pathLength === undefined ? [] : [integer(pathLength)]),
  ),
});

export const keyUsage = (...usages: readonly KeyUsage[]): ExtensionPlan => ({
  oid: OID.keyUsage,
  isCritical: true,
  value: namedBits(usages.map((usage) => keyUsageBits[usage])),
});

export const extKeyUsage = (...oids: readonly string[]): ExtensionPlan => ({
  oid: OID.extKeyUsage,
  value: sequence(...oids.map(oid)),
});

export const subjectKeyId = (key: KeyObject): ExtensionPlan => ({
  oid: OID.subjectKeyIdentifier,
  value: octets(keyIdOf(key)),
});

export const authorityKeyId = (key: KeyObject): ExtensionPlan => ({
  oid: OID.authorityKeyIdentifier,
  value: sequence(implicit(0, keyIdOf(key))),
});

const uri = (address: string): Buffer => implicit(6, Buffer.from(address, 'latin1'));

export const crlDistributionPoint = (address: string): ExtensionPlan => ({
  oid: OID.crlDistributionPoints,
  value: sequence(sequence(wrap(0, wrap(0, uri(address))))),
});

export const authorityInfoAccess = (ocsp: string, issuer: string): ExtensionPlan => ({
  oid: OID.authorityInfoAccess,
  value: sequence(sequence(oid(OID.accessOcsp), uri(ocsp)), sequence(oid(OID.accessIssuer), uri(issuer))),
});

export const hostNames = (...names: readonly string[]): ExtensionPlan => ({
  oid: OID.subjectAltName,
  value: sequence(...names.map((name) => implicit(2, Buffer.from(name, 'latin1')))),
});

export const qcCompliance = (): Buffer => sequence(oid(OID.qcCompliance));

export const qcType = (...types: readonly QcType[]): Buffer =>
  sequence(oid(OID.qcType), sequence(...types.map((type) => oid(qcTypeOids[type]))));

export interface Authority {
  readonly ncaName: string;
  readonly ncaId: string;
}

export const psd2Statement = (roles: readonly PspRole[], { ncaName, ncaId }: Authority): Buffer => {
  const list = roles.map((role) => sequence(oid(roleOids[role]), utf8(role)));
  return sequence(oid(OID.psd2Statement), sequence(sequence(...list), utf8(ncaName), utf8(ncaId)));
};

export const qcStatements = (...statements: readonly Buffer[]): ExtensionPlan => ({
  oid: OID.qcStatements,
  value: sequence(...statements),
});
