/** The third party as an OAuth client: pushed request, PKCE, state, code for tokens, refresh tokens. */

import type { Configuration } from 'openid-client';
import { type ConsentId, newSecret, SECOND } from 'trapeza/base';
import type { Turn } from './turn.js';
import type { About } from './wire/wire.js';

/** The bank keeps a pushed request for a minute. */
const PUSHED_MS = 50 * SECOND;

/** Loaded by the first walk. */
const library = () => import('openid-client');

const configurationFor = async (turn: Turn, about: About): Promise<Configuration> => {
  const client = await library();
  const { application, capabilities } = turn.parts;
  const { metadata } = await capabilities(turn.baseUrl);
  const { clientId, clientSecret } = application;
  const configuration = new client.Configuration(
    metadata,
    clientId,
    undefined,
    client.ClientSecretBasic(clientSecret),
  );
  configuration[client.customFetch] = turn.fetch(about) as NonNullable<
    Configuration[typeof client.customFetch]
  >;
  // The sandbox of a laptop has no certificate.
  if (turn.baseUrl.startsWith('http:')) client.allowInsecureRequests(configuration);
  return configuration;
};

/** What the account holder brings back; it also says which walk it belongs to. */
export const newState = (walkId: string): string => `${walkId}.${newSecret(16)}`;

const pushWords = {
  two: 'The third party tells the bank in advance, over its own connection, that it wants a login. The browser will carry only a short reference, which nobody can change on the way.',
  one: 'The third party tells the bank in advance what it wants to be allowed, as authorization details (RFC 9396). Login and approval will be one visit.',
} as const;

/** False: the bank refused it, and the record says why. */
export const push = async (turn: Turn): Promise<boolean> => {
  const { buildAuthorizationUrlWithPAR, calculatePKCECodeChallenge, randomPKCECodeVerifier } =
    await library();
  const { walk, flow } = turn;
  const verifier = randomPKCECodeVerifier();
  const state = newState(walk.id);
  const details = [{ ...flow.details, ...flow.body(walk.entries) }];
  const about = { title: 'Push the authorization request', words: pushWords[walk.way] };
  try {
    const url = await buildAuthorizationUrlWithPAR(await configurationFor(turn, about), {
      redirect_uri: turn.redirectUri,
      scope: flow.scope,
      state,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(walk.way === 'one' ? { authorization_details: JSON.stringify(details) } : {}),
    });
    turn.change({
      stage: 'login',
      pushed: { url: url.href, goodUntil: turn.parts.clock.now() + PUSHED_MS },
      expected: { kind: 'code', state, verifier },
    });
    return true;
  } catch {
    return false;
  }
};

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

const keepTokens = (turn: Turn, tokens: Tokens): void => {
  const refresh = tokens.refresh_token ?? turn.walk.tokens?.refresh;
  turn.change({
    tokens: {
      access: tokens.access_token,
      ...(refresh === undefined ? {} : { refresh }),
      goodUntil: turn.parts.clock.now() + (tokens.expires_in ?? 0) * SECOND,
    },
  });
};

/** The consent that the token response names, in one redirect. */
const grantedConsent = (details: unknown): string | undefined => {
  const [first] = Array.isArray(details) ? (details as { consentId?: unknown }[]) : [];
  return typeof first?.consentId === 'string' ? first.consentId : undefined;
};

export interface Redemption {
  readonly isDone: boolean;
  readonly consentId?: ConsentId;
}

/** Exchanges the code. The library checks state and issuer again, and proves by the verifier that it was us who asked. */
export const redeem = async (
  turn: Turn,
  callback: URL,
  expected: { readonly state: string; readonly verifier: string },
): Promise<Redemption> => {
  const about = {
    title: 'Exchange the code for tokens',
    words:
      'The code works once and for a minute, only together with the verifier whose hash was pushed before, and only for this client.',
  };
  const { authorizationCodeGrant } = await library();
  try {
    const tokens = await authorizationCodeGrant(await configurationFor(turn, about), callback, {
      pkceCodeVerifier: expected.verifier,
      expectedState: expected.state,
    });
    keepTokens(turn, tokens);
    const consentId = grantedConsent(tokens.authorization_details);
    return { isDone: true, ...(consentId === undefined ? {} : { consentId }) };
  } catch {
    return { isDone: false };
  }
};

/** A new access token if the old one is over. */
export const freshToken = async (turn: Turn): Promise<void> => {
  const refresh = turn.walk.tokens?.refresh;
  if (turn.hasGoodToken() || refresh === undefined) return;
  const about = {
    title: 'Renew the access token',
    words:
      'Access tokens live ten minutes. The refresh token stays the same: without the credential of its application it is of no use.',
  };
  const { refreshTokenGrant } = await library();
  try {
    keepTokens(turn, await refreshTokenGrant(await configurationFor(turn, about), refresh));
  } catch {
    // The record says it; the call that follows will be refused, and say so too.
  }
};
