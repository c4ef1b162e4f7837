/**
 * The nonces of proofs of possession (RFC 9449, 8). Clients keep one nonce per origin, and the token endpoint has the same as
 * the operations, so these are made as oidc-provider makes its own: every minute another one, each good for some minutes. The first
 * key makes them; while the secret is changed, other nodes make theirs by another one, and those are accepted, too.
 */
import { hkdfSync } from 'node:crypto';
import { type Clock, MINUTE } from '../../lib/clock.js';
import type { NamedKey } from '../../lib/vault.js';

/** Longer than any nonce or unmarked proof is accepted. */
export const PROOF_MS = 6 * MINUTE;

const ACCEPTED = [-2, -1, 0, 1, 2] as const;
const NEXT = 1;

interface NonceSet {
  readonly key: Buffer;
  readonly values: readonly string[];
}

const nonceAt = (key: Buffer, step: number): string => {
  const salt = Buffer.alloc(8);
  salt.writeBigUInt64BE(BigInt(step));
  return Buffer.from(hkdfSync('sha256', key, salt, 'DPoP', 32)).toString('base64url');
};

export class Nonces {
  readonly #keys: readonly [Buffer, ...Buffer[]];
  readonly #clock: Clock;
  #made: { readonly step: number; readonly sets: readonly NonceSet[] } | undefined;

  constructor([first, ...others]: readonly [NamedKey, ...NamedKey[]], clock: Clock) {
    this.#keys = [first.key, ...others.map(({ key }) => key)];
    this.#clock = clock;
  }

  /** For the next proof of a client. */
  next(): string {
    return this.#sets()[0]?.values[ACCEPTED.indexOf(NEXT)] ?? '';
  }

  /** They are no secret, so they are compared as any other text. */
  accepts(nonce: string): boolean {
    return this.#sets().some(({ values }) => values.includes(nonce));
  }

  /** Which key this one is made by; the first if by none of ours. */
  keyOf(nonce: string | undefined): Buffer {
    const [first] = this.#keys;
    if (nonce === undefined || this.#keys.length === 1) return first;
    return this.#sets().find(({ values }) => values.includes(nonce))?.key ?? first;
  }

  #sets(): readonly NonceSet[] {
    const step = Math.floor(this.#clock.now() / MINUTE);
    if (this.#made?.step !== step)
      this.#made = {
        step,
        sets: this.#keys.map((key) => ({
          key,
          values: ACCEPTED.map((offset) => nonceAt(key, step + offset)),
        })),
      };
    return this.#made.sets;
  }
}
