/**
 * Whether a webhook comes from the bank, as every receiver should check it (RFC 9421): the digest of the very bytes, a fresh
 * signature over digest, address and event id, by a key that the bank publishes.
 */
import { createHash } from 'node:crypto';
import { httpbis, type SignatureParameters, type VerifyingKey } from 'http-message-signatures';
import { type Clock, MINUTE, SECOND } from 'trapeza/base';
import { walkthroughAddresses } from '../../applications.js';
import { recordingFetch } from '../wire/wire.js';
import type { Received, Verdict } from './webhooks.js';

export interface VerifierParts {
  readonly site: { readonly baseUrl: string };
  readonly clock: Clock;
}

interface Jwk extends JsonWebKey {
  readonly kid?: string;
}

const KEYS = '/events/psd2/v1/keys';
const KEYS_LAST_MS = 5 * MINUTE;
const MAX_AGE_MS = 5 * MINUTE;
const SKEW_MS = 5 * SECOND;
const ALGORITHM = 'ecdsa-p256-sha256';
const covered = ['@method', '@target-uri', 'content-digest', 'content-type', 'event-id'];

const verifyingKey = async (jwk: Jwk): Promise<VerifyingKey> => {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['verify']);
  const hash = { name: 'ECDSA', hash: 'SHA-256' };
  return {
    algs: [ALGORITHM],
    verify: (data, signature) =>
      crypto.subtle.verify(hash, key, new Uint8Array(signature), new Uint8Array(data)),
  };
};

const readKeys = async (baseUrl: string): Promise<readonly Jwk[]> => {
  const ask = recordingFetch(baseUrl, { title: '', words: '' }, () => undefined);
  const response = await ask(`${baseUrl}${KEYS}`);
  const { keys } = (await response.json()) as { keys?: unknown };
  return Array.isArray(keys) ? (keys as Jwk[]) : [];
};

/** Asked for now and then: a new key is published well before its first use. */
const createKeyRing = ({ site, clock }: VerifierParts) => {
  let known: { readonly keys: Promise<readonly Jwk[]>; readonly until: number } | undefined;
  return async (kid: string | undefined): Promise<Jwk | undefined> => {
    if (!known || known.until <= clock.now()) {
      const keys = readKeys(site.baseUrl.replace(/\/+$/, ''));
      known = { keys, until: clock.now() + KEYS_LAST_MS };
      keys.catch(() => {
        known = undefined;
      });
    }
    return (await known.keys).find((each) => each.kid !== undefined && each.kid === kid);
  };
};

const headersOf = ({ request }: Received): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const digestOf = (body: Buffer): string => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

/** The event id of the header is signed, that of the body is used: they must be one. */
const bodyId = (body: Buffer): unknown => {
  try {
    return (JSON.parse(body.toString('utf8')) as { id?: unknown }).id;
  } catch {
    return undefined;
  }
};

const refused = (words: string): Verdict => ({ isVerified: false, words });

export const verifier = (parts: VerifierParts): ((received: Received) => Promise<Verdict>) => {
  const keyOf = createKeyRing(parts);
  const isFresh = ({ created }: SignatureParameters): boolean => {
    const age = created instanceof Date ? parts.clock.now() - created.getTime() : Number.NaN;
    return age <= MAX_AGE_MS && age >= -SKEW_MS;
  };
  const keyLookup = async (parameters: SignatureParameters): Promise<VerifyingKey | null> => {
    const jwk = isFresh(parameters) ? await keyOf(parameters.keyid) : undefined;
    return jwk ? verifyingKey(jwk) : null;
  };
  return async (received) => {
    const { headers } = received.request;
    if (headers['content-digest'] !== digestOf(received.body))
      return refused('Its digest does not fit its body.');
    if (headers['event-id'] !== bodyId(received.body)) return refused('Its two event ids differ.');
    const message = {
      method: received.request.method ?? '',
      // The address it was meant for, not the one that the message claims.
      url: walkthroughAddresses(parts.site.baseUrl).webhookUrl,
      headers: headersOf(received),
    };
    const isSigned = await httpbis
      .verifyMessage(
        {
          keyLookup,
          requiredFields: covered,
          requiredParams: ['created', 'keyid', 'alg'],
          notAfter: Number.MAX_SAFE_INTEGER,
        },
        message,
      )
      .catch(() => false);
    if (isSigned !== true)
      return refused('It has no signature by a published key of the bank that is fresh and fits.');
    return {
      isVerified: true,
      words:
        'The digest fits the body, and a key that the bank publishes has signed digest, address and event id a moment ago: it comes from the bank, and nobody has changed it.',
    };
  };
};
