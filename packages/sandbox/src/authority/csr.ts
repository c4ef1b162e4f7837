/** Certificate requests (PKCS #10): only the key is used, and only with proof of possession of its private half. */
import { createPublicKey, type KeyObject } from 'node:crypto';
import {
  bitBytesOf,
  isSignedBy,
  isWeakKey,
  Members,
  readAlgorithm,
  readDer,
  TAG,
} from 'trapeza/certificates';

export class CsrFault extends Error {}

const MAX_TEXT = 16_384;
const PEM =
  /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (?:NEW )?CERTIFICATE REQUEST-----/;

const read = (text: string): KeyObject | undefined => {
  const body = PEM.exec(text)?.[1] ?? text;
  const outer = new Members(readDer(Buffer.from(body.replace(/\s+/g, ''), 'base64')));
  const info = outer.next(TAG.sequence);
  const algorithm = readAlgorithm(outer.next(TAG.sequence));
  const signature = bitBytesOf(outer.next());
  outer.end();
  const members = new Members(info);
  members.next(TAG.integer);
  members.next(TAG.sequence);
  const key = createPublicKey({ key: members.next(TAG.sequence).raw, type: 'spki', format: 'der' });
  return isSignedBy(key, algorithm, info.raw, signature) ? key : undefined;
};

export const keyOfCsr = (text: string): KeyObject => {
  let key: KeyObject | undefined;
  try {
    key = text.length <= MAX_TEXT ? read(text) : undefined;
  } catch {
    key = undefined;
  }
  if (!key)
    throw new CsrFault('is not a certificate request (PKCS #10, PEM or base64) signed with its own key');
  if (isWeakKey(key))
    throw new CsrFault(
      'has a key that is too weak: use RSA from 2048 bits on or EC on P-256, P-384 or P-521',
    );
  return key;
};
