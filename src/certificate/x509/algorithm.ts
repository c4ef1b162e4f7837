/** Which signature algorithms count, and verification by Node's crypto of what they have signed. */
import { constants, type KeyObject, verify } from 'node:crypto';
import { OID } from '../der/oids.js';
import { type Der, DerFault, Members, only, TAG, wrapped } from '../der/read.js';
import { countOf, oidOf } from '../der/values.js';

export type Hash = 'sha256' | 'sha384' | 'sha512';

export type SignatureAlgorithm =
  | { readonly kind: 'rsa' | 'ec'; readonly hash: Hash }
  | { readonly kind: 'rsa-pss'; readonly hash: Hash; readonly saltLength: number }
  /** SHA-1, MD5 and whatever else is not in the list. */
  | { readonly kind: 'refused' };

const hashes: Readonly<Record<string, Hash>> = {
  [OID.sha256]: 'sha256',
  [OID.sha384]: 'sha384',
  [OID.sha512]: 'sha512',
};

const algorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  [OID.sha256WithRsa]: { kind: 'rsa', hash: 'sha256' },
  [OID.sha384WithRsa]: { kind: 'rsa', hash: 'sha384' },
  [OID.sha512WithRsa]: { kind: 'rsa', hash: 'sha512' },
  [OID.ecdsaWithSha256]: { kind: 'ec', hash: 'sha256' },
  [OID.ecdsaWithSha384]: { kind: 'ec', hash: 'sha384' },
  [OID.ecdsaWithSha512]: { kind: 'ec', hash: 'sha512' },
};

const refused: SignatureAlgorithm = { kind: 'refused' };

/** Without parameters, PSS means SHA-1. */
const readPss = (parameters: Der | undefined): SignatureAlgorithm => {
  if (parameters?.tag !== TAG.sequence) return refused;
  const members = new Members(parameters);
  const hashDer = members.optional(wrapped(0));
  const maskDer = members.optional(wrapped(1));
  const saltDer = members.optional(wrapped(2));
  const hash = hashDer && hashes[oidOf(new Members(only(hashDer)).next())];
  const mask = maskDer && new Members(only(maskDer));
  if (!hash || !mask) return refused;
  mask.next();
  if (hashes[oidOf(new Members(mask.next()).next())] !== hash) return refused;
  return { kind: 'rsa-pss', hash, saltLength: saltDer ? countOf(only(saltDer)) : 20 };
};

export const readAlgorithm = (der: Der): SignatureAlgorithm => {
  const members = new Members(der);
  const oid = oidOf(members.next());
  const parameters = members.optional(members.peek()?.tag ?? -1);
  members.end();
  if (oid === OID.rsaPss) return readPss(parameters);
  const known = algorithms[oid];
  if (!known) return refused;
  // ECDSA has no parameters, RSA has NULL or (by some) none.
  if (parameters && (known.kind === 'ec' || parameters.tag !== TAG.null || parameters.content.length > 0))
    throw new DerFault('bad algorithm');
  return known;
};

/** Never throws: a key of another kind than the algorithm's has signed nothing. */
export const isSignedBy = (
  key: KeyObject,
  algorithm: SignatureAlgorithm,
  signed: Buffer,
  signature: Buffer,
): boolean => {
  if (algorithm.kind === 'refused') return false;
  const type = key.asymmetricKeyType;
  const fits = algorithm.kind === 'ec' ? type === 'ec' : type === 'rsa' || type === 'rsa-pss';
  if (!fits) return false;
  const padding =
    algorithm.kind === 'rsa-pss'
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: algorithm.saltLength }
      : {};
  try {
    return verify(algorithm.hash, signed, { key, ...padding }, signature);
  } catch {
    return false;
  }
};
