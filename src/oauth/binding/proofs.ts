/**
 * Proofs of possession at the operations (RFC 9449): a small JWT, signed for this one request with the key that the token is
 * tied to. Each works once, on whichever node it arrives.
 */
import { calculateJwkThumbprint, EmbeddedJWK, type JWTPayload, jwtVerify } from 'jose';
import { type Clock, MINUTE, type RealTime, SECOND } from '../../lib/clock.js';
import { sha256 } from '../../lib/hash.js';
import { Problem } from '../../problem/problem.js';
import type { Db, Queries } from '../../store/db.js';
import { GroupCommit, inTransaction } from '../../store/group-commit.js';
import { type Nonces, PROOF_MS } from './nonces.js';

export const proofAlgorithms = ['ES256', 'PS256', 'EdDSA'] as const;

const MAX_LENGTH = 4096;
const WINDOW_MS = MINUTE;

export interface ProofParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly nonces: Nonces;
  readonly baseUrl: () => string;
}

/** What a proof must have been made for. */
export interface ProvenUse {
  readonly method: string;
  /** As it was sent; the query does not count. */
  readonly url: string;
  readonly token: string;
  /** The thumbprint that the token names. */
  readonly key: string;
}

export type DpopError = 'invalid_dpop_proof' | 'use_dpop_nonce' | 'invalid_token';

export const dpopRefusal = (error: DpopError, detail: string, nonce?: string): Problem =>
  new Problem('token-invalid', {
    detail,
    advice: 'fix-request',
    headers: {
      'WWW-Authenticate': `DPoP realm="trapeza", error="${error}", algs="${proofAlgorithms.join(' ')}"`,
      ...(nonce === undefined ? {} : { 'DPoP-Nonce': nonce }),
    },
  });

const fault = (detail: string): Problem => dpopRefusal('invalid_dpop_proof', detail);

/** A proof that was seen before: perhaps a replay. */
export class ReusedProof extends Problem {
  constructor() {
    const { slug, details } = fault('The DPoP proof was used before.');
    super(slug, details);
  }
}

interface Proof {
  readonly payload: JWTPayload;
  readonly thumbprint: string;
}

const readProof = async (text: string, now: RealTime): Promise<Proof> => {
  try {
    const { payload, protectedHeader } = await jwtVerify(text, EmbeddedJWK, {
      typ: 'dpop+jwt',
      algorithms: [...proofAlgorithms],
      currentDate: new Date(now),
    });
    return { payload, thumbprint: await calculateJwkThumbprint(protectedHeader.jwk ?? {}) };
  } catch {
    throw fault('The DPoP proof cannot be read, or is not signed with the key in it.');
  }
};

/** Query and fragment of both do not count; spelling of the host neither. */
const pageOf = (address: unknown): string | undefined => {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.search = '';
  url.hash = '';
  return url.href;
};

const CLAIM_DPOP_PROOF = 'insert into dpop_proofs (id, expires_at) values (?, ?) on conflict (id) do nothing';
const SWEEP = `
  delete from dpop_proofs where id in (select id from dpop_proofs where expires_at <= ? limit 500)`;

interface Used {
  readonly id: string;
  readonly expiresAt: number;
}

export class Proofs {
  readonly #parts: ProofParts;
  readonly #uses: GroupCommit<Used, boolean>;

  constructor(parts: ProofParts) {
    this.#parts = parts;
    const writesOf = ({ id, expiresAt }: Used) => [{ sql: CLAIM_DPOP_PROOF, params: [id, expiresAt] }];
    const { watch } = parts.db;
    this.#uses = new GroupCommit(
      inTransaction(parts.db, writesOf, ([isNew]) => isNew === 1),
      { watch },
    );
  }

  /** Throws unless the proof is for this very use, and new. */
  async check(text: string | undefined, use: ProvenUse): Promise<void> {
    if (text === undefined || text === '') throw fault('The DPoP header is missing.');
    if (text.length > MAX_LENGTH) throw fault('The DPoP proof is too long.');
    const now = this.#parts.clock.now();
    const { payload, thumbprint } = await readProof(text, now);
    const { htm, htu, ath, jti } = payload;
    if (typeof jti !== 'string' || jti === '') throw fault('The DPoP proof has no jti.');
    if (htm !== use.method) throw fault('The DPoP proof is for another method.');
    if (pageOf(htu) !== this.#addressOf(use.url)) throw fault('The DPoP proof is for another address.');
    if (ath !== sha256(use.token)) throw fault('The DPoP proof is for another access token.');
    if (thumbprint !== use.key) throw fault('The access token is bound to another key.');
    this.#checkAge(payload, now);
    const isNew = await this.#uses.add({ id: sha256(`${thumbprint} ${jti}`), expiresAt: now + PROOF_MS });
    if (!isNew) throw new ReusedProof();
  }

  #addressOf(url: string): string | undefined {
    return pageOf(`${this.#parts.baseUrl()}${url.replace(/^https?:\/\/[^/?#]*/i, '')}`);
  }

  /** By its time, or by a nonce of ours, which also helps a client whose clock is wrong. */
  #checkAge({ iat, nonce }: JWTPayload, now: RealTime): void {
    if (typeof iat !== 'number') throw fault('The DPoP proof has no iat.');
    const { nonces } = this.#parts;
    const isFresh =
      nonce === undefined
        ? Math.abs(now - iat * SECOND) <= WINDOW_MS
        : typeof nonce === 'string' && nonces.accepts(nonce);
    if (isFresh) return;
    const detail = 'The DPoP proof is not recent: make it anew, with the nonce in the header DPoP-Nonce.';
    throw dpopRefusal('use_dpop_nonce', detail, nonces.next());
  }

  /** Forgets some proofs that are too old to be accepted again; called by a job until nothing is left. */
  async sweep(db: Queries): Promise<number> {
    return db.run(SWEEP, [this.#parts.clock.now()]);
  }
}
