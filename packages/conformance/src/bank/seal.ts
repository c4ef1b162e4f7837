/** Signs requests with the key of a seal: Digest, Signature and TPP-Signature-Certificate of the Berlin Group. */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto';
import { now } from '../clock.js';

/** In PEM. */
export interface Seal {
  readonly certificate: string;
  readonly key: string;
}

export interface ToSign {
  readonly method: string;
  readonly target: string;
  readonly requestId: string;
  readonly body: string;
}

export interface Signing {
  readonly hash?: 'sha256' | 'sha512';
  readonly covers?: readonly string[];
  /** By how many seconds it is older than now. */
  readonly ageS?: number;
  readonly key?: KeyObject;
}

const COVERED = ['(request-target)', '(created)', 'digest', 'x-request-id'];

export const anotherKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

export const signedHeaders = (seal: Seal, wanted: ToSign, how: Signing = {}): Record<string, string> => {
  const certificate = new X509Certificate(seal.certificate);
  const key = how.key ?? createPrivateKey(seal.key);
  const { hash = 'sha256', covers = COVERED, ageS = 0 } = how;
  const created = Math.floor(now() / 1000) - ageS;
  const digest = `${hash === 'sha256' ? 'SHA-256' : 'SHA-512'}=${createHash(hash).update(wanted.body).digest('base64')}`;
  const values: Readonly<Record<string, string>> = {
    '(request-target)': `${wanted.method.toLowerCase()} ${wanted.target}`,
    '(created)': String(created),
    digest,
    'x-request-id': wanted.requestId,
  };
  const text = covers.map((name) => `${name}: ${values[name]}`).join('\n');
  const algorithm = key.asymmetricKeyType === 'ec' ? 'ecdsa-sha256' : 'rsa-sha256';
  return {
    'X-Request-ID': wanted.requestId,
    Digest: digest,
    Signature: [
      `keyId="SN=${certificate.serialNumber},CA=${certificate.issuer.split('\n').join(',')}"`,
      `algorithm="${algorithm}"`,
      `created=${created}`,
      `headers="${covers.join(' ')}"`,
      `signature="${sign('sha256', Buffer.from(text), key).toString('base64')}"`,
    ].join(','),
    'TPP-Signature-Certificate': certificate.raw.toString('base64'),
  };
};
