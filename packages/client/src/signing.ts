/**
 * Signs requests with the key of a QSealC, in Node: `Digest`, `Signature` and `TPP-Signature-Certificate`. It covers all that the strictest
 * policy of a bank demands.
 */
import { createHash, createPrivateKey, KeyObject, sign, X509Certificate } from 'node:crypto';
import type { Signer } from './client.js';
import { type Clock, systemClock } from './clock.js';

export interface SealOptions {
  /** PEM, or a key object. */
  readonly key: KeyObject | string | Buffer;
  /** PEM or DER. */
  readonly certificate: string | Buffer;
  readonly clock?: Clock;
}

/** Headers with an effect; key and token prove themselves. */
const SIGNED = /^(x-request-id|consent-id|psu-.+|tpp-.+)$/;

export const createSigner = ({ key, certificate, clock = systemClock }: SealOptions): Signer => {
  const seal = new X509Certificate(certificate);
  const privateKey = key instanceof KeyObject ? key : createPrivateKey(key);
  const algorithm = privateKey.asymmetricKeyType === 'ec' ? 'ecdsa-sha256' : 'rsa-sha256';
  const keyId = `SN=${seal.serialNumber},CA=${seal.issuer.split('\n').join(',')}`;
  return async ({ method, url, headers, body }) => {
    const digest = `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
    const created = Math.floor(clock.now() / 1000);
    const covered = Object.entries({ ...headers, digest })
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => name === 'digest' || SIGNED.test(name));
    const parts = [
      ['(request-target)', `${method.toLowerCase()} ${url.pathname}${url.search}`],
      ['(created)', String(created)],
      ...covered,
    ];
    const text = parts.map(([name, value]) => `${name}: ${value}`).join('\n');
    return {
      Digest: digest,
      Signature: [
        `keyId="${keyId}"`,
        `algorithm="${algorithm}"`,
        `created=${created}`,
        `headers="${parts.map(([name]) => name).join(' ')}"`,
        `signature="${sign('sha256', Buffer.from(text), privateKey).toString('base64')}"`,
      ].join(','),
      'TPP-Signature-Certificate': seal.raw.toString('base64'),
    };
  };
};
