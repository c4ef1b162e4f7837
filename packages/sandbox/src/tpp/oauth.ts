/** The third party as an OAuth client, by the client package: pushed request, PKCE, state, code for tokens. */
import type { Tokens } from '@trapeza/client';
import { type ConsentId, newSecret } from 'trapeza/base';
import type { Turn } from './turn.js';

/** What the account holder brings back; it also says which walk it belongs to. */
export const newState = (walkId: string): string => `${walkId}.${newSecret(16)}`;

const pushWords = {
  two: 'The third party tells the bank in advance, over its own connection, that it wants a login. The browser will carry only a short reference, which nobody can change on the way.',
  one: 'The third party tells the bank in advance what it wants to be allowed, as authorization details (RFC 9396). Login and approval will be one visit.',
} as const;

/** False: the bank refused it, and the record says why. */
export const push = async (turn: Turn): Promise<boolean> => {
  const { walk, flow } = turn;
  const state = newState(walk.id);
  const details = [{ ...flow.details, ...flow.body(walk.entries) }];
  const about = { title: 'Push the authorization request', words: pushWords[walk.way] };
  try {
    const oauth = await turn.oauth(about);
    const wish = {
      scope: flow.scope,
      state,
      ...(walk.way === 'one' ? { authorizationDetails: details } : {}),
    };
    const { url, verifier, goodUntil = 0 } = await oauth.authorize(wish);
    turn.change({ stage: 'login', pushed: { url, goodUntil }, expected: { kind: 'code', state, verifier } });
    return true;
  } catch {
    return false;
  }
};

/** The consent that the token response names, in one redirect. */
const grantedConsent = ({ authorizationDetails: [first] = [] }: Tokens): string | undefined =>
  typeof first?.consentId === 'string' ? first.consentId : undefined;

export interface Redemption {
  readonly isDone: boolean;
  readonly consentId?: ConsentId;
}

/** Exchanges the code. The client checks state and issuer again, and proves by the verifier that it was us who asked. */
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
  try {
    const oauth = await turn.oauth(about);
    const tokens = await oauth.redeem(callback, expected);
    turn.change({ tokens });
    const consentId = grantedConsent(tokens);
    return { isDone: true, ...(consentId === undefined ? {} : { consentId }) };
  } catch {
    return { isDone: false };
  }
};
