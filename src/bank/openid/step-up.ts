/**
 * An approval at the bank's OpenID provider: the browser goes there once more, with what is approved, and the person authenticates as
 * strongly as `acr_values` demands. The nonce is made from what is approved, so an answer for something else never fits. What must be
 * remembered is the id of the challenge, so any node can finish.
 */
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  type IDToken,
  ResponseBodyError,
  randomPKCECodeVerifier,
  type TokenEndpointResponse,
} from 'openid-client';
import { type Clock, MINUTE, SECOND } from '../../lib/clock.js';
import { sha256 } from '../../lib/hash.js';
import { newSecret } from '../../lib/id.js';
import type { Vault } from '../../lib/vault.js';
import type { PsuId } from '../../model/ids.js';
import type { AccountHolders, Challenge, CodeOutcome, Method, ScaContext } from '../account-holders.js';
import { contextHash } from '../context-hash.js';
import { passingOn } from './openid-login.js';
import { stateOf } from './step-up-state.js';

export type StepUpFault =
  /** The challenge is not one of ours, or of another person. */
  | 'unknown-challenge'
  | 'expired'
  | 'other-state'
  /** The person has refused there. */
  | 'refused-there'
  | 'provider-error'
  /** The provider knows no such code, or has given its tokens already. */
  | 'code-refused'
  | 'other-issuer'
  | 'other-nonce'
  | 'other-details'
  | 'other-person'
  | 'other-acr'
  | 'no-auth-time'
  | 'old-authentication'
  /** Anything else that the library does not accept. */
  | 'bad-answer';

export interface StepUpParts {
  readonly provider: () => Promise<Configuration>;
  /** Any of them is strong enough. */
  readonly acrValues: readonly string[];
  /** The redirect address that the provider knows. */
  readonly callback: () => string;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly onRefused?: (fault: StepUpFault, psuId: PsuId) => void;
}

interface Pending {
  readonly seed: string;
  readonly state: string;
  readonly verifier: string;
  readonly begunAt: number;
}

/** RFC 9396: a type of our own. */
export const APPROVAL_DETAILS = 'trapeza_approval';

/** The id of the method, and how the ids of its challenges begin. */
const STEP_UP = 'step-up';
/** The one way of a bank that lists none: a code. */
const THEIRS = 'bank';
const LASTS_MS = 10 * MINUTE;
/** By which two clocks may differ. */
const TOLERANCE_MS = 30 * SECOND;

const placeOf = (psuId: PsuId): string => `step-up ${psuId}`;

const nonceOf = (seed: string, context: ScaContext): string => sha256(`${seed}.${contextHash(context)}`);

const detailsOf = ({ shownHash, payment }: ScaContext) => ({
  type: APPROVAL_DETAILS,
  ...(payment ?? {}),
  shownHash,
});

/** What the provider says it has granted, if it says so (RFC 9396, section 7). */
const hasOtherDetails = (tokens: TokenEndpointResponse, { shownHash }: ScaContext): boolean => {
  const granted = tokens.authorization_details;
  return (
    granted !== undefined &&
    !granted.some((each) => each.type === APPROVAL_DETAILS && each.shownHash === shownHash)
  );
};

/** The provider could not be asked: nothing is known about the answer. */
const UNREACHED: ReadonlySet<string | undefined> = new Set([
  undefined,
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
]);

/** What the library has found; undefined if the provider has not answered. */
const faultIn = (error: unknown): StepUpFault | undefined => {
  if (error instanceof AuthorizationResponseError)
    return error.error === 'access_denied' ? 'refused-there' : 'provider-error';
  if (error instanceof ResponseBodyError) return error.error === 'invalid_grant' ? 'code-refused' : undefined;
  if (!(error instanceof ClientError) || UNREACHED.has(error.code)) return undefined;
  const { cause } = error.cause instanceof Error ? error.cause : error;
  return (cause as { readonly claim?: unknown } | undefined)?.claim === 'nonce'
    ? 'other-nonce'
    : 'bad-answer';
};

export class OpenIdStepUp {
  readonly #parts: StepUpParts;

  constructor(parts: StepUpParts) {
    this.#parts = parts;
  }

  async challenge(psuId: PsuId, context: ScaContext): Promise<Challenge> {
    const { vault, clock, acrValues, callback } = this.#parts;
    const provider = await this.#parts.provider();
    const seed = newSecret();
    const pending: Pending = {
      seed,
      state: stateOf(context.returnTo ?? ''),
      verifier: randomPKCECodeVerifier(),
      begunAt: clock.now(),
    };
    const location = buildAuthorizationUrl(provider, {
      redirect_uri: callback(),
      scope: 'openid',
      state: pending.state,
      nonce: nonceOf(seed, context),
      code_challenge: await calculatePKCECodeChallenge(pending.verifier),
      code_challenge_method: 'S256',
      acr_values: acrValues.join(' '),
      // A person who is logged in there must authenticate anew.
      prompt: 'login',
      max_age: '0',
      login_hint: psuId,
      authorization_details: JSON.stringify([detailsOf(context)]),
      ...(context.language ? { ui_locales: context.language } : {}),
    });
    return {
      id: `${STEP_UP}:${vault.seal(JSON.stringify(pending), placeOf(psuId))}`,
      method: 'redirect',
      location: location.href,
      expiresAt: pending.begunAt + LASTS_MS,
    };
  }

  /** `query`: with which the browser came back. */
  async verify(psuId: PsuId, challengeId: string, context: ScaContext, query: string): Promise<CodeOutcome> {
    const fault = await this.#faultOf(psuId, challengeId, context, new URLSearchParams(query));
    if (fault === undefined) return 'right';
    this.#parts.onRefused?.(fault, psuId);
    return fault === 'refused-there' ? 'refused' : 'spent';
  }

  async #faultOf(
    psuId: PsuId,
    challengeId: string,
    context: ScaContext,
    query: URLSearchParams,
  ): Promise<StepUpFault | undefined> {
    const pending = this.#opened(psuId, challengeId);
    if (!pending) return 'unknown-challenge';
    if (pending.begunAt + LASTS_MS <= this.#parts.clock.now()) return 'expired';
    if (query.get('state') !== pending.state) return 'other-state';
    const provider = await this.#parts.provider();
    const issuer = query.get('iss');
    if (issuer !== null && issuer !== provider.serverMetadata().issuer) return 'other-issuer';
    const answer = new URL(this.#parts.callback());
    answer.search = query.toString();
    try {
      const tokens = await authorizationCodeGrant(provider, answer, {
        expectedState: pending.state,
        expectedNonce: nonceOf(pending.seed, context),
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
      });
      if (hasOtherDetails(tokens, context)) return 'other-details';
      return this.#claimsFault(tokens.claims(), psuId, pending);
    } catch (error) {
      return faultIn(error) ?? passingOn(error);
    }
  }

  #claimsFault(claims: IDToken | undefined, psuId: PsuId, { begunAt }: Pending): StepUpFault | undefined {
    if (claims?.sub !== psuId) return 'other-person';
    if (typeof claims.acr !== 'string' || !this.#parts.acrValues.includes(claims.acr)) return 'other-acr';
    if (typeof claims.auth_time !== 'number') return 'no-auth-time';
    return claims.auth_time * SECOND < begunAt - TOLERANCE_MS ? 'old-authentication' : undefined;
  }

  #opened(psuId: PsuId, challengeId: string): Pending | undefined {
    try {
      const sealed = challengeId.slice(STEP_UP.length + 1);
      return JSON.parse(this.#parts.vault.open(sealed, placeOf(psuId))) as Pending;
    } catch {
      return undefined;
    }
  }
}

/** What the bank offers, and the step-up beside it. */
export const withStepUp = (holders: AccountHolders, stepUp: OpenIdStepUp): AccountHolders => ({
  login: (username, password, language) => holders.login(username, password, language),
  methods: async (psuId, context) => {
    const listed = (await holders.methods?.(psuId, context)) ?? [];
    const theirs: readonly Method[] = listed.length === 0 ? [{ id: THEIRS, kind: 'code' }] : listed;
    return [...theirs, { id: STEP_UP, kind: 'redirect' }];
  },
  challenge: (psuId, context, methodId) => {
    if (methodId === STEP_UP) return stepUp.challenge(psuId, context);
    return holders.challenge(psuId, context, methodId === THEIRS ? undefined : methodId);
  },
  verify: (psuId, challengeId, context, answer, kind) =>
    challengeId.startsWith(`${STEP_UP}:`)
      ? stepUp.verify(psuId, challengeId, context, answer ?? '')
      : holders.verify(psuId, challengeId, context, answer, kind),
});
