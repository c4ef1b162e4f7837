/**
 * Whether a notification comes from the bank (RFC 9421): the digest of the very bytes, a fresh signature over digest, address and event
 * id, by a key that the bank publishes.
 */
import { type Clock, type Fetch, systemClock, withoutSlash } from './clock.js';
import type { Event } from './interface.js';

export interface VerifierOptions {
  readonly baseUrl: string;
  /** Your own address, as it is registered at the bank. */
  readonly url: string;
  readonly fetch?: Fetch;
  readonly clock?: Pick<Clock, 'now'>;
}

export interface Delivery {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes as they came. */
  readonly body: Uint8Array;
}

export type EventFault = 'digest' | 'event-id' | 'format' | 'time' | 'key' | 'signature';

/** Answer it with 401: it is not from the bank, has been changed, or is too old. */
export class EventError extends Error {
  readonly fault: EventFault;

  constructor(fault: EventFault, message: string) {
    super(message);
    this.name = 'EventError';
    this.fault = fault;
  }
}

interface Jwk {
  readonly kid: string;
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
}

const KEYS_LAST_MS = 300_000;
const MAX_AGE_MS = 300_000;
/** Clocks differ a little. */
const SKEW_MS = 5_000;
const COVERED = '("@method" "@target-uri" "content-digest" "content-type" "event-id")';
const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const;

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const digestOf = async (body: Uint8Array): Promise<string> => {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(body)));
  return `sha-256=:${btoa(String.fromCharCode(...hash))}:`;
};

/** A header that came twice is none. */
const headerOf = ({ headers }: Delivery, name: string): string => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
};

const eventOf = (body: Uint8Array): Partial<Event> => {
  try {
    return (JSON.parse(new TextDecoder().decode(body)) ?? {}) as Partial<Event>;
  } catch {
    return {};
  }
};

interface Claim {
  readonly parameters: string;
  readonly createdMs: number;
  readonly keyId: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

const claimOf = (delivery: Delivery): Claim => {
  const parameters = /^sig1=(.+)$/.exec(headerOf(delivery, 'signature-input'))?.[1] ?? '';
  const parameter = (name: string): string | undefined =>
    new RegExp(`;${name}="?([^";]+)"?(?=;|$)`).exec(parameters)?.[1];
  const signature = /^sig1=:([A-Za-z0-9+/]+={0,2}):$/.exec(headerOf(delivery, 'signature'))?.[1];
  const isOurs = parameter('alg') === 'ecdsa-p256-sha256' && parameter('tag') === 'trapeza-event';
  if (!parameters.startsWith(`${COVERED};`) || !isOurs || signature === undefined)
    throw new EventError('format', 'It has no signature of a notification.');
  return {
    parameters,
    createdMs: Number(parameter('created')) * 1000,
    keyId: parameter('keyid') ?? '',
    signature: bytesOf(signature),
  };
};

/** Read now and then: a new key is published well before its first use. */
const createKeyRing = (baseUrl: string, ask: Fetch, clock: Pick<Clock, 'now'>) => {
  let known: { readonly keys: Promise<readonly Jwk[]>; readonly until: number } | undefined;
  const read = async (): Promise<readonly Jwk[]> => {
    const response = await ask(`${withoutSlash(baseUrl)}/events/psd2/v1/keys`, { redirect: 'manual' });
    const { keys } = (await response.json()) as { keys: Jwk[] };
    return keys;
  };
  return async (keyId: string): Promise<Jwk | undefined> => {
    if (!known || known.until <= clock.now()) {
      const keys = read();
      known = { keys, until: clock.now() + KEYS_LAST_MS };
      keys.catch(() => {
        known = undefined;
      });
    }
    return (await known.keys).find(({ kid }) => kid === keyId);
  };
};

/**
 * Gives the event of a delivery, or throws an EventError. An event may come more than once, always with the same id: remember the ids
 * together with what you do about them, and answer a known one with 204. Any other error means that the keys could not be read:
 * answer 503, and the bank delivers again.
 */
export const createEventVerifier = ({
  baseUrl,
  url,
  clock = systemClock,
  fetch: ask = (place, init) => fetch(place, init),
}: VerifierOptions): ((delivery: Delivery) => Promise<Event>) => {
  const keyOf = createKeyRing(baseUrl, ask, clock);
  return async (delivery) => {
    const digest = await digestOf(delivery.body);
    if (headerOf(delivery, 'content-digest') !== digest)
      throw new EventError('digest', 'Its digest does not fit its body.');
    const event = eventOf(delivery.body);
    const eventId = headerOf(delivery, 'event-id');
    // The id of the header is signed, that of the body is used.
    if (event.id !== eventId) throw new EventError('event-id', 'Its two event ids differ.');
    const { parameters, createdMs, keyId, signature } = claimOf(delivery);
    const age = clock.now() - createdMs;
    if (!(age <= MAX_AGE_MS && age >= -SKEW_MS)) throw new EventError('time', 'Its signature is not fresh.');
    const jwk = await keyOf(keyId);
    if (!jwk) throw new EventError('key', 'Its key is none that the bank publishes.');
    const base = [
      '"@method": POST',
      // The address it was meant for, not the one that the message claims.
      `"@target-uri": ${url}`,
      `"content-digest": ${digest}`,
      `"content-type": ${headerOf(delivery, 'content-type')}`,
      `"event-id": ${eventId}`,
      `"@signature-params": ${parameters}`,
    ].join('\n');
    const key = await crypto.subtle.importKey('jwk', jwk, curve, false, ['verify']);
    const how = { name: 'ECDSA', hash: 'SHA-256' } as const;
    if (!(await crypto.subtle.verify(how, key, signature, new TextEncoder().encode(base))))
      throw new EventError('signature', 'Its signature does not fit.');
    return event as Event;
  };
};
