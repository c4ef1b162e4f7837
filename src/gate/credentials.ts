/** Who calls, and whether it may: subscription key, quota, access token, and what the two together allow. */
import type { Exchange } from '../http/exchange.js';
import { HOUR } from '../lib/clock.js';
import type { Source } from '../lib/net/address.js';
import { type Completion, joinTurn } from '../lib/turn.js';
import { type Access, type CallArea, roleOf, scopeOf } from '../model/caller.js';
import type { TokenClaims, TokenVerifier } from '../oauth/access-token.js';
import { proofAlgorithms } from '../oauth/binding/proofs.js';
import type { Security } from '../observe/security-events.js';
import { challengeOf } from '../problem/challenge.js';
import { Problem, type ProblemSlug } from '../problem/problem.js';
import type { Directory } from '../tpp/directory.js';
import type { Guard } from './guard/guard.js';
import type { Limits } from './limits/limits.js';

export interface CredentialParts {
  readonly directory: Directory;
  readonly tokens: TokenVerifier;
  readonly limits: Limits;
  readonly guard: Guard;
  readonly sourceOf: (request: Exchange['request']) => Source;
  readonly security: Security;
}

const challenge = (slug: ProblemSlug): Problem =>
  new Problem(slug, { headers: { 'WWW-Authenticate': challengeOf(slug) } });

/**
 * Open data is served while the store is away, as far as calls were granted: for it, the keys and the revocations of the last hour count then. Everything else needs the
 * store anyway, and fails closed after five seconds without it.
 */
const OPEN_DATA_AGE_MS = HOUR;
const isOpenData = ({ operation }: Exchange): boolean => operation?.area === 'opendata';
const maxAgeFor = (exchange: Exchange): number | undefined =>
  isOpenData(exchange) ? OPEN_DATA_AGE_MS : undefined;

/** 401 by the key. An address that has failed too often gets 429 instead, but never for a key that is good. */
export const checkKey = (parts: CredentialParts) => {
  const refuse = async (exchange: Exchange, slug: ProblemSlug): Promise<never> => {
    parts.guard.failedKey(exchange);
    throw challenge(slug);
  };
  const find = async (exchange: Exchange, key: string): Promise<void> => {
    exchange.access =
      (await parts.directory.find(key, maxAgeFor(exchange))) ??
      (await refuse(exchange, 'subscription-key-invalid'));
  };
  return (exchange: Exchange): Completion => {
    const key = exchange.headers['ocp-apim-subscription-key'];
    if (key === undefined || key === '') return refuse(exchange, 'subscription-key-missing');
    exchange.access = parts.directory.recall(key, maxAgeFor(exchange));
    return exchange.access ? undefined : find(exchange, key);
  };
};

export const callerAccess = (exchange: Exchange): Access => {
  if (!exchange.access) throw new Error('the subscription key must be checked first');
  return exchange.access;
};

export const checkQuota =
  (parts: CredentialParts) =>
  (exchange: Exchange): Completion =>
    isOpenData(exchange)
      ? parts.limits.spendOpen(callerAccess(exchange))
      : parts.limits.spend(callerAccess(exchange));

const BEARER = 'Bearer ';
const SENT = /^(?:Bearer|(DPoP)) +([\w~+/.-]+=*)$/i;

/**
 * 401 by the token. The answer says if it is another application's, because a client that mixes up two applications would
 * otherwise refresh for ever. That is no secret: the caller has a valid key, and the holder of a JWT reads its `client_id`.
 */
export const checkToken = (parts: CredentialParts) => {
  const admit = (exchange: Exchange, claims: TokenClaims, token: string, isDpop: boolean): void => {
    const access = callerAccess(exchange);
    if (claims.clientId !== access.clientId) {
      parts.security.event('token-reuse', {
        reason: 'other-application',
        personId: claims.psuId,
        address: parts.sourceOf(exchange.request),
        clientId: access.clientId,
        requestId: exchange.requestId,
      });
      throw challenge('token-of-another-application');
    }
    exchange.caller = { clientId: claims.clientId, psuId: claims.psuId };
    exchange.scopes = claims.scopes;
    const { confirmation } = claims;
    if (confirmation !== undefined || isDpop || access.binding !== 'none')
      exchange.sender = { token, isDpop, confirmation };
  };
  const verify = async (exchange: Exchange, token: string, isDpop: boolean): Promise<void> => {
    try {
      const claims = await joinTurn(parts.tokens.verify(token, maxAgeFor(exchange)));
      admit(exchange, claims, token, isDpop);
    } catch (error) {
      const isRefused = error instanceof Problem && error.kind.status === 401;
      throw isRefused ? challenge(error.slug) : error;
    }
  };
  return (exchange: Exchange): Completion => {
    const authorization = exchange.headers.authorization;
    if (authorization === undefined || authorization === '') throw challenge('token-missing');
    // A token that was verified before needs no look at its letters.
    const plain = authorization.startsWith(BEARER) ? authorization.slice(BEARER.length) : undefined;
    const known = plain === undefined ? undefined : parts.tokens.recall(plain, maxAgeFor(exchange));
    if (plain !== undefined && known) return admit(exchange, known, plain, false);
    const [, dpop, token] = SENT.exec(authorization) ?? [];
    if (token === undefined)
      throw challenge(/^(Bearer|DPoP)\b/i.test(authorization) ? 'token-invalid' : 'token-missing');
    const isDpop = dpop !== undefined;
    const bound = isDpop ? parts.tokens.recall(token, maxAgeFor(exchange)) : undefined;
    return bound ? admit(exchange, bound, token, isDpop) : verify(exchange, token, isDpop);
  };
};

/** RFC 6750, section 3.1; a DPoP token is challenged in its own scheme (RFC 9449, section 7.1). */
const scopeChallenge = (scope: string, isDpop: boolean): string => {
  const named = `realm="trapeza", error="insufficient_scope", scope="${scope}"`;
  return isDpop ? `DPoP ${named}, algs="${proofAlgorithms.join(' ')}"` : `Bearer ${named}`;
};

/** 403: blocked, product, scope, role. */
export const checkPermission = (exchange: Exchange): void => {
  const access = callerAccess(exchange);
  const area = exchange.operation?.area as CallArea;
  if (access.blocked) throw new Problem('access-blocked');
  if (area !== 'events' && !access.products.includes(area)) throw new Problem('product-not-subscribed');
  const scope = scopeOf[area];
  if (scope !== undefined && !exchange.scopes.includes(scope)) {
    throw new Problem('insufficient-scope', {
      detail: `The access token does not have the scope ${scope}.`,
      headers: { 'WWW-Authenticate': scopeChallenge(scope, exchange.sender?.isDpop ?? false) },
    });
  }
  const role = roleOf[area];
  if (role !== undefined && !access.roles.includes(role)) {
    throw new Problem('role-not-permitted', {
      detail: `This area is for third parties with the role ${role}.`,
    });
  }
};
