/**
 * Access tokens: JWTs of type `at+jwt`, from the embedded keys or from the bank's own identity provider. A token is
 * verified once and then found by its bytes; its expiry is looked at every time.
 */

import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
  SignJWT,
} from 'jose';
import { type Clock, HOUR, SECOND } from '../lib/clock.js';
import { newId } from '../lib/id.js';
import { LruCache } from '../lib/lru-cache.js';
import type { Confirmation } from '../model/caller.js';
import type { ClientId, PsuId } from '../model/ids.js';
import { Problem } from '../problem/problem.js';
import type { Revocations } from './revocations.js';
import { type SigningKeys, signingAlgorithms } from './signing-keys.js';

export interface TokenClaims {
  readonly clientId: ClientId;
  readonly psuId: PsuId;
  readonly scopes: readonly string[];
  readonly expiresAt: number;
  readonly issuedAt: number | undefined;
  /** By these a token is taken back before it expires. */
  readonly tokenId: string | undefined;
  readonly grantId: string | undefined;
  /** Absent for a plain bearer token. */
  readonly confirmation: Confirmation | undefined;
}

/** What the identity provider calls the claims we need. */
export interface ClaimNames {
  readonly clientId: ClientId;
  readonly scope: string;
  readonly psu: string;
}

const ourClaims: ClaimNames = { clientId: 'client_id', scope: 'scope', psu: 'sub' };

/** Who issues tokens and for whom; a function, because the base address may be known late. */
export interface TokenRealm {
  readonly issuer: string;
  readonly audience: string;
}

export const ACCESS_TOKEN_SECONDS = 600;
const MAX_TOKEN_LENGTH = 8192;
const MAX_REMEMBERED = 20_000;
const SKEW_SECONDS = 10;

/** The key is found by the exact `kid` among our own; nothing in the header is fetched or trusted. */
export const localKeys =
  (keys: SigningKeys): JWTVerifyGetKey =>
  async (header) => {
    const key = typeof header.kid === 'string' ? await keys.find(header.kid) : undefined;
    if (!key || key.algorithm !== header.alg) throw new Problem('token-invalid');
    return key.publicKey;
  };

/** The identity provider's keys. While it cannot be reached, keys fetched within the last day are still good. */
export const remoteKeys = (jwksUri: string, clock: Clock): JWTVerifyGetKey => {
  const remote = createRemoteJWKSet(new URL(jwksUri), {
    timeoutDuration: 2000,
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  });
  let fetchedAt = 0;
  return async (header, token) => {
    try {
      const key = await remote(header, token);
      fetchedAt = clock.elapsed();
      return key;
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === 'ERR_JWKS_NO_MATCHING_KEY' || code === 'ERR_JWKS_MULTIPLE_MATCHING_KEYS')
        throw new Problem('token-invalid');
      const known = remote.jwks();
      if (known && clock.elapsed() - fetchedAt < 24 * HOUR) return createLocalJWKSet(known)(header, token);
      throw new Problem('dependency-unavailable', {
        detail: 'The identity provider cannot be reached.',
        cause: error,
      });
    }
  };
};

const stringClaim = (claim: unknown): string | undefined => (typeof claim === 'string' ? claim : undefined);

/** One text with blanks in between by the standard; some identity providers send a list. */
const scopesOf = (claim: unknown): readonly string[] | undefined => {
  if (claim === undefined) return [];
  if (typeof claim === 'string') return claim.split(' ');
  return Array.isArray(claim) && claim.every((each) => typeof each === 'string') ? claim : undefined;
};

/** A token that is tied to something we do not know is not taken for one that is tied to nothing. */
const confirmationOf = (claim: unknown): Confirmation | undefined => {
  if (claim === undefined) return undefined;
  const { 'x5t#S256': certificate, jkt: key } = (claim ?? {}) as Readonly<Record<string, unknown>>;
  const found = { certificate: stringClaim(certificate), key: stringClaim(key) };
  if (found.certificate === undefined && found.key === undefined) throw new Problem('token-invalid');
  return found;
};

const claimsOf = (payload: JWTPayload, names: ClaimNames): TokenClaims => {
  const [clientId, psuId] = [stringClaim(payload[names.clientId]), stringClaim(payload[names.psu])];
  const scopes = scopesOf(payload[names.scope]);
  const { exp, iat, jti: tokenId } = payload;
  if (clientId === undefined || psuId === undefined || scopes === undefined || exp === undefined)
    throw new Problem('token-invalid');
  return {
    clientId,
    psuId,
    scopes,
    expiresAt: exp * SECOND,
    issuedAt: iat === undefined ? undefined : iat * SECOND,
    tokenId,
    grantId: stringClaim(payload.gid),
    confirmation: confirmationOf(payload.cnf),
  };
};

export interface VerifierOptions {
  readonly names?: ClaimNames;
  /** Absent if another identity provider issues the tokens: it decides how long they live. */
  readonly revocations?: Revocations;
  /** Of our own tokens: whether one that was issued before then was revoked may be forgotten. */
  readonly notBefore?: () => number;
}

export class TokenVerifier {
  readonly #key: JWTVerifyGetKey;
  readonly #realm: () => TokenRealm;
  readonly #clock: Clock;
  readonly #names: ClaimNames;
  readonly #revocations: Revocations | undefined;
  readonly #notBefore: () => number;
  readonly #verified = new LruCache<TokenClaims>(MAX_REMEMBERED);

  constructor(key: JWTVerifyGetKey, realm: () => TokenRealm, clock: Clock, options: VerifierOptions = {}) {
    this.#key = key;
    this.#realm = realm;
    this.#clock = clock;
    this.#names = options.names ?? ourClaims;
    this.#revocations = options.revocations;
    this.#notBefore = options.notBefore ?? (() => 0);
  }

  /** The claims of a token that was verified before and is known to be still good; undefined if only `verify` can tell. */
  recall(token: string, maxAgeMs?: number): TokenClaims | undefined {
    const known = this.#verified.get(token);
    if (!known || this.#isExpired(known)) return undefined;
    return this.#revocations && this.#revocations.recall(known, maxAgeMs) !== false ? undefined : known;
  }

  /**
   * Throws `token-expired` for a token that was good, and `token-invalid` for every other one, without telling why. The first
   * is no oracle: who holds a JWT reads its `exp`, and checks its signature with the published keys. Whether it was revoked is
   * what only the bank knows.
   */
  async verify(token: string, maxAgeMs?: number): Promise<TokenClaims> {
    const claims = this.#verified.get(token) ?? (await this.#verifyNew(token));
    if (this.#isExpired(claims)) {
      this.#verified.delete(token);
      throw new Problem('token-expired');
    }
    if (await this.#revocations?.isRevoked(claims, maxAgeMs)) throw new Problem('token-invalid');
    return claims;
  }

  #isExpired({ expiresAt, issuedAt = 0 }: TokenClaims): boolean {
    // Tokens know seconds. Of the second itself they are younger: before, none was issued for want of a store.
    if (issuedAt + SECOND <= this.#notBefore()) return true;
    return expiresAt + SKEW_SECONDS * SECOND <= this.#clock.now();
  }

  async #verifyNew(token: string): Promise<TokenClaims> {
    if (token.length > MAX_TOKEN_LENGTH) throw new Problem('token-invalid');
    const { issuer, audience } = this.#realm();
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        issuer,
        audience,
        typ: 'at+jwt',
        algorithms: [...signingAlgorithms],
        clockTolerance: SKEW_SECONDS,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['exp', this.#names.psu, this.#names.clientId],
      });
      const claims = claimsOf(payload, this.#names);
      this.#verified.set(token, claims);
      return claims;
    } catch (error) {
      if (error instanceof Problem) throw error;
      const code = (error as { code?: unknown }).code;
      // Thrown last, after the signature and every other claim have passed.
      if (code === 'ERR_JWT_EXPIRED') throw new Problem('token-expired');
      if (typeof code === 'string' && code.startsWith('ERR_J')) throw new Problem('token-invalid');
      throw error;
    }
  }
}

/** Signs a token with the current key. */
export const issueToken = async (
  keys: SigningKeys,
  realm: TokenRealm,
  claims: { readonly psuId: PsuId; readonly clientId: ClientId; readonly scope: string },
  clock: Clock,
): Promise<string> => {
  const { key, privateKey } = await keys.current();
  const issuedAt = Math.floor(clock.now() / SECOND);
  return new SignJWT({ client_id: claims.clientId, scope: claims.scope })
    .setProtectedHeader({ alg: key.algorithm, kid: key.kid, typ: 'at+jwt' })
    .setIssuer(realm.issuer)
    .setAudience(realm.audience)
    .setSubject(claims.psuId)
    .setJti(newId())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + ACCESS_TOKEN_SECONDS)
    .sign(privateKey);
};
