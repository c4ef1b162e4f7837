/**
 * The nonces of proofs of possession (RFC 9449, 8). Clients keep one nonce per origin, and the token endpoint has the same as
 * the operations, so these are made as oidc-provider makes its own: every minute another one, each good for some minutes.
 */
import { hkdfSync } from 'node:crypto';
import { type Clock, MINUTE } from '../../lib/clock.js';

/** Longer than any nonce or unmarked proof is accepted. */
export const PROOF_MS = 6 * MINUTE;

const ACCEPTED = [-2, -1, 0, 1, 2] as const;
const NEXT = 1;

export class Nonces {
  readonly #secret: Buffer;
  readonly #clock: Clock;
  #made: { readonly step: number; readonly values: readonly string[] } | undefined;

  constructor(secret: Buffer, clock: Clock) {
    this.#secret = secret;
    this.#clock = clock;
  }

  /** For the next proof of a client. */
  next(): string {
    return this.#values()[ACCEPTED.indexOf(NEXT)] ?? '';
  }

  /** They are no secret, so they are compared as any other text. */
  accepts(nonce: string): boolean {
    return this.#values().includes(nonce);
  }

  #values(): readonly string[] {
    const step = Math.floor(this.#clock.now() / MINUTE);
    if (this.#made?.step !== step)
      this.#made = { step, values: ACCEPTED.map((offset) => this.#valueOf(step + offset)) };
    return this.#made.values;
  }

  #valueOf(step: number): string {
    const salt = Buffer.alloc(8);
    salt.writeBigUInt64BE(BigInt(step));
    return Buffer.from(hkdfSync('sha256', this.#secret, salt, 'DPoP', 32)).toString('base64url');
  }
}
