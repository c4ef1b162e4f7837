/** What is in a notification that has arrived, and whether its signature (RFC 9421) is that of a key. */
import {
  constants,
  createHash,
  createPublicKey,
  type JsonWebKey,
  type SignKeyObjectInput,
  verify,
} from 'node:crypto';
import { isObject, type Members } from '../shapes.js';
import type { Arrival } from './receiver.js';

export type PublishedKey = JsonWebKey & { readonly kid?: string };

export const headerOf = ({ headers }: Arrival, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

export const bodyOf = ({ body }: Arrival): Members => {
  try {
    const value: unknown = JSON.parse(body.toString());
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
};

export const digestOf = ({ body }: Arrival): string =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

const inputOf = (arrival: Arrival): string => headerOf(arrival, 'signature-input').replace(/^[\w-]+=/, '');

export const coveredBy = (arrival: Arrival): readonly string[] =>
  [...(/^\(([^)]*)\)/.exec(inputOf(arrival))?.[1] ?? '').matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);

export const parameterOf = (arrival: Arrival, name: string): string =>
  new RegExp(`;${name}="?([^";]+)"?(?=;|$)`).exec(inputOf(arrival))?.[1] ?? '';

const baseOf = (arrival: Arrival, url: string): string => {
  const values: Readonly<Record<string, string>> = { '@method': arrival.method, '@target-uri': url };
  const lines = coveredBy(arrival).map((name) => `"${name}": ${values[name] ?? headerOf(arrival, name)}`);
  return [...lines, `"@signature-params": ${inputOf(arrival)}`].join('\n');
};

type Way = readonly [hash: string | null, Omit<SignKeyObjectInput, 'key'>];

/** RFC 9421, 3.3. */
const ways: Readonly<Record<string, Way>> = {
  'ecdsa-p256-sha256': ['sha256', { dsaEncoding: 'ieee-p1363' }],
  'ecdsa-p384-sha384': ['sha384', { dsaEncoding: 'ieee-p1363' }],
  'rsa-v1_5-sha256': ['sha256', {}],
  'rsa-pss-sha512': ['sha512', { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 64 }],
  ed25519: [null, {}],
};

/** The algorithm is named by the signature or, failing that, by the key. */
const wayOf = (arrival: Arrival, { kty, crv }: JsonWebKey): Way | undefined => {
  const ofKey = kty === 'EC' ? (crv === 'P-384' ? 'ecdsa-p384-sha384' : 'ecdsa-p256-sha256') : 'ed25519';
  return ways[parameterOf(arrival, 'alg') || (kty === 'RSA' ? 'rsa-pss-sha512' : ofKey)];
};

export const isSignedBy = (arrival: Arrival, url: string, jwk: JsonWebKey): boolean => {
  const way = wayOf(arrival, jwk);
  if (!way) return false;
  const [hash, options] = way;
  const bytes = Buffer.from(/:([^:]+):/.exec(headerOf(arrival, 'signature'))?.[1] ?? '', 'base64');
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return verify(hash, Buffer.from(baseOf(arrival, url)), { ...options, key }, bytes);
  } catch {
    // The key is none, or none for this algorithm.
    return false;
  }
};
