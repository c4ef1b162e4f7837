/** Whether a key may be used at all: RSA from 2048 bits on, EC on the three curves that browsers and banks share. */
import type { KeyObject } from 'node:crypto';

const curves: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);
const LEAST_BITS = 2048;
/** Verification with larger ones would cost the bank more than the sender. */
const MOST_BITS = 8192;
const LEAST_EXPONENT = 65_537n;

export const isWeakKey = (key: KeyObject): boolean => {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  switch (key.asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss':
      return (
        modulusLength < LEAST_BITS ||
        modulusLength > MOST_BITS ||
        publicExponent < LEAST_EXPONENT ||
        publicExponent % 2n === 0n
      );
    case 'ec':
      return !curves.has(namedCurve);
    default:
      return true;
  }
};
