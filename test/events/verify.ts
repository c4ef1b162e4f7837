/** Verifies a notification with a library that is not the one it was signed with. */
import { createHash } from 'node:crypto';
import { type VerifiedSignature, verifySignature } from 'http-message-sig';
import type { Received } from './receiver.js';

const algorithm = 'ecdsa-p256-sha256';
const covered = ['@method', '@target-uri', 'content-digest', 'content-type', 'event-id'];

interface Jwk extends JsonWebKey {
  readonly kid: string;
}

export const publishedKeys = async (baseUrl: string): Promise<readonly Jwk[]> => {
  const answer = await fetch(`${baseUrl}/events/psd2/v1/keys`);
  return ((await answer.json()) as { keys: Jwk[] }).keys;
};

const verifierOf = async (jwk: Jwk) => {
  const curve = { name: 'ECDSA', namedCurve: 'P-256' };
  const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['verify']);
  return {
    algorithm,
    verify: (data: Uint8Array, signature: Uint8Array) =>
      crypto.subtle.verify(
        { name: 'ECDSA', hash: 'SHA-256' },
        key,
        new Uint8Array(signature),
        new Uint8Array(data),
      ),
  };
};

/** Throws where anything is wrong with it. `now` in seconds. */
export const verifyNotification = async (
  received: Received,
  keys: readonly Jwk[],
  now: number,
): Promise<VerifiedSignature> => {
  const digest = createHash('sha256').update(received.body).digest('base64');
  if (received.headers['content-digest'] !== `sha-256=:${digest}:`) throw new Error('wrong digest');
  const fields = Object.entries(received.headers).map(([name, value]) => ({ name, value: String(value) }));
  const { method, targetUri } = received;
  return verifySignature(
    { kind: 'request', method, targetUri, fields },
    {
      policy: {
        algorithms: [algorithm],
        requiredComponents: covered,
        requiredParameters: ['created', 'keyid', 'alg', 'tag'],
        maxAge: 60,
        clockSkew: 5,
        now,
        validate: ({ parameters }) => parameters.tag === 'trapeza-event',
      },
      resolveVerifier: ({ parameters }) => {
        const jwk = keys.find(({ kid }) => kid === parameters.keyid);
        if (!jwk) throw new Error('unknown key');
        return verifierOf(jwk);
      },
    },
  );
};
