/** The algorithms that a signature may name, by scheme. Everything else is refused: SHA-1, MD5, HMAC, and names that say nothing. */
import { constants, type KeyObject, verify } from 'node:crypto';
import type { Scheme } from './claim.js';

interface Algorithm {
  fits(key: KeyObject): boolean;
  verify(data: Buffer, key: KeyObject, signature: Buffer): boolean;
}

const isRsa = (key: KeyObject): boolean => key.asymmetricKeyType === 'rsa';

const rsa = (hash: string): Algorithm => ({
  fits: isRsa,
  verify: (data, key, signature) => verify(hash, data, key, signature),
});

const pss = (hash: string, saltLength: number): Algorithm => ({
  fits: (key) => isRsa(key) || key.asymmetricKeyType === 'rsa-pss',
  verify: (data, key, signature) =>
    verify(hash, data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength }, signature),
});

const ecdsa = (hash: string, dsaEncoding: 'der' | 'ieee-p1363', curve?: string): Algorithm => ({
  fits: (key) =>
    key.asymmetricKeyType === 'ec' && (curve === undefined || key.asymmetricKeyDetails?.namedCurve === curve),
  verify: (data, key, signature) => verify(hash, data, { key, dsaEncoding }, signature),
});

const byScheme: Readonly<Record<Scheme, ReadonlyMap<string, Algorithm>>> = {
  cavage: new Map([
    ['rsa-sha256', rsa('sha256')],
    ['rsa-sha512', rsa('sha512')],
    ['ecdsa-sha256', ecdsa('sha256', 'der')],
  ]),
  rfc9421: new Map([
    ['rsa-v1_5-sha256', rsa('sha256')],
    ['rsa-pss-sha512', pss('sha512', 64)],
    ['ecdsa-p256-sha256', ecdsa('sha256', 'ieee-p1363', 'prime256v1')],
    ['ecdsa-p384-sha384', ecdsa('sha384', 'ieee-p1363', 'secp384r1')],
  ]),
};

/** By its name; without one, the only algorithm of the scheme that fits the key, if there is just one. */
export const algorithmOf = (
  scheme: Scheme,
  name: string | undefined,
  key: KeyObject,
): Algorithm | undefined => {
  if (name !== undefined) return byScheme[scheme].get(name);
  const [only, ...others] = [...byScheme[scheme].values()].filter((algorithm) => algorithm.fits(key));
  return others.length === 0 ? only : undefined;
};

export const algorithmNames = (scheme: Scheme): string => [...byScheme[scheme].keys()].join(', ');
