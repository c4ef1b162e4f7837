/** The extensions of a certificate that decide anything; the others are known by their number alone. */
import { OID } from '../der/oids.js';
import { type Der, DerFault, Members, plain, readDer, TAG, wrapped } from '../der/read.js';
import { bitsOf, booleanOf, countOf, oidOf } from '../der/values.js';
import { type GeneralName, readGeneralName, urisOf } from './general-name.js';

export interface Extension {
  readonly isCritical: boolean;
  readonly value: Buffer;
}

export type Extensions = ReadonlyMap<string, Extension>;

const MAX_EXTENSIONS = 64;
const MAX_URLS = 4;

export const readExtensions = (list: Der | undefined): Extensions => {
  const found = new Map<string, Extension>();
  if (!list) return found;
  if (list.tag !== TAG.sequence || list.children.length > MAX_EXTENSIONS)
    throw new DerFault('bad list of extensions');
  for (const each of list.children) {
    const members = new Members(each);
    const oid = oidOf(members.next());
    const critical = members.optional(TAG.boolean);
    const { content: value } = members.next(TAG.octets);
    members.end();
    if (found.has(oid)) throw new DerFault('an extension is repeated');
    found.set(oid, { isCritical: critical ? booleanOf(critical) : false, value });
  }
  return found;
};

const valueIn = (extensions: Extensions, oid: string): Der | undefined => {
  const extension = extensions.get(oid);
  return extension && readDer(extension.value);
};

export interface BasicConstraints {
  readonly isCa: boolean;
  readonly pathLength: number | undefined;
}

export const basicConstraintsOf = (extensions: Extensions): BasicConstraints => {
  const der = valueIn(extensions, OID.basicConstraints);
  if (!der) return { isCa: false, pathLength: undefined };
  const members = new Members(der);
  const ca = members.optional(TAG.boolean);
  const length = members.optional(TAG.integer);
  members.end();
  return { isCa: ca ? booleanOf(ca) : false, pathLength: length && countOf(length) };
};

const keyUsages = {
  digitalSignature: 0,
  nonRepudiation: 1,
  keyCertSign: 5,
  crlSign: 6,
} as const;
export type KeyUsage = keyof typeof keyUsages;
export const keyUsageBits: Readonly<Record<KeyUsage, number>> = keyUsages;

/** Undefined if the certificate does not restrict its key. */
export const keyUsageOf = (extensions: Extensions): ReadonlySet<KeyUsage> | undefined => {
  const der = valueIn(extensions, OID.keyUsage);
  if (!der) return undefined;
  if (der.tag !== TAG.bits) throw new DerFault('bad key usage');
  const bits = bitsOf(der);
  const names = Object.keys(keyUsages) as KeyUsage[];
  return new Set(names.filter((name) => bits.has(keyUsages[name])));
};

export const extKeyUsageOf = (extensions: Extensions): ReadonlySet<string> | undefined => {
  const der = valueIn(extensions, OID.extKeyUsage);
  if (!der) return undefined;
  if (der.tag !== TAG.sequence) throw new DerFault('bad extended key usage');
  return new Set(der.children.map(oidOf));
};

/** Of the key itself, or of the key that signed: hexadecimal. */
export const subjectKeyIdOf = (extensions: Extensions): string | undefined => {
  const der = valueIn(extensions, OID.subjectKeyIdentifier);
  if (der && der.tag !== TAG.octets) throw new DerFault('bad key identifier');
  return der?.content.toString('hex');
};

export const authorityKeyIdOf = (extensions: Extensions): string | undefined => {
  const der = valueIn(extensions, OID.authorityKeyIdentifier);
  return der && new Members(der).optional(plain(0))?.content.toString('hex');
};

export const altNamesOf = (extensions: Extensions): readonly GeneralName[] => {
  const der = valueIn(extensions, OID.subjectAltName);
  if (der && der.tag !== TAG.sequence) throw new DerFault('bad alternative names');
  return der?.children.map(readGeneralName) ?? [];
};

/** Where the issuer answers about this certificate. */
export const ocspUrlsOf = (extensions: Extensions): readonly string[] => {
  const der = valueIn(extensions, OID.authorityInfoAccess);
  if (!der) return [];
  const urls = der.children.flatMap((each) => {
    const members = new Members(each);
    return oidOf(members.next()) === OID.accessOcsp ? urisOf([members.next()]) : [];
  });
  return urls.slice(0, MAX_URLS);
};

/** Lists of all reasons by the issuer itself; partial ones and those of others are left out. */
export const crlUrlsOf = (extensions: Extensions): readonly string[] => {
  const der = valueIn(extensions, OID.crlDistributionPoints);
  if (!der) return [];
  const urls = der.children.flatMap((each) => {
    const members = new Members(each);
    const point = members.optional(wrapped(0));
    const isWhole = members.peek() === undefined;
    const [full] = point?.children ?? [];
    return isWhole && full?.tag === wrapped(0) ? urisOf(full.children) : [];
  });
  return urls.slice(0, MAX_URLS);
};

export interface NameConstraints {
  readonly permitted: readonly GeneralName[];
  readonly excluded: readonly GeneralName[];
}

const readSubtrees = (der: Der | undefined): GeneralName[] =>
  der?.children.map((subtree) => {
    const members = new Members(subtree);
    const base = readGeneralName(members.next());
    // A minimum or maximum other than the default is forbidden (RFC 5280, 4.2.1.10).
    members.end();
    return base;
  }) ?? [];

export const nameConstraintsOf = (extensions: Extensions): NameConstraints | undefined => {
  const der = valueIn(extensions, OID.nameConstraints);
  if (!der) return undefined;
  const members = new Members(der);
  const permitted = readSubtrees(members.optional(wrapped(0)));
  const excluded = readSubtrees(members.optional(wrapped(1)));
  members.end();
  return { permitted, excluded };
};

const understood: ReadonlySet<string> = new Set([
  OID.subjectKeyIdentifier,
  OID.authorityKeyIdentifier,
  OID.keyUsage,
  OID.extKeyUsage,
  OID.subjectAltName,
  OID.basicConstraints,
  OID.nameConstraints,
  OID.crlDistributionPoints,
  OID.certificatePolicies,
  OID.qcStatements,
]);

/** They demand something of the path that is not checked here, so they count as critical, which they must be (RFC 5280). */
const demands: ReadonlySet<string> = new Set([OID.policyConstraints, OID.inhibitAnyPolicy]);

export const hasUnknownCritical = (extensions: Extensions, known = understood): boolean =>
  [...extensions].some(([oid, { isCritical }]) => (isCritical || demands.has(oid)) && !known.has(oid));
