/**
 * The second way to recognise account holders: the bank's own OpenID provider. The browser goes there and comes back with a
 * code (PKCE, state and nonce always); what must be remembered meanwhile travels in a sealed cookie, so any node can finish.
 */

import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { type Clock, MINUTE } from '../../lib/clock.js';
import type { Vault } from '../../lib/vault.js';
import type { ClientId, PsuId } from '../../model/ids.js';
import { unavailable } from '../guard/answers.js';
import { secondsOf } from '../http/fault.js';

export interface OpenIdSettings {
  readonly issuer: string;
  readonly clientId: ClientId;
  readonly clientSecret: string;
  /** In the place of the network, for a provider within this process. */
  readonly fetch?: (url: string, options: { readonly body?: unknown }) => Promise<Response>;
}

interface Pending {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly returnTo: string;
  readonly until: number;
}

export interface Recognised {
  readonly psuId: PsuId;
  readonly name: string;
  readonly returnTo: string;
}

const LASTS_MS = 10 * MINUTE;
const TIMEOUT_SECONDS = 5;
const PLACE = 'login-note';
const SCOPE = 'openid profile';

const isLoopback = (issuer: string): boolean =>
  /^http:\/\/(127(\.\d+){3}|localhost|\[::1\])(:\d+)?(\/|$)/.test(issuer);

/** Pages tell people how long a provider is under maintenance, if it says so. */
export const passingOn = (error: unknown): never => {
  const { cause } = error instanceof Error ? error : {};
  const headers = cause instanceof Response && cause.status === 503 ? cause.headers : new Headers();
  const seconds = secondsOf({
    'retry-after': headers.get('retry-after') ?? undefined,
    date: headers.get('date') ?? undefined,
  });
  throw seconds === undefined ? error : unavailable(error, seconds);
};

export class OpenIdLogin {
  readonly #settings: OpenIdSettings;
  readonly #vault: Vault;
  readonly #clock: Clock;
  #configuration: Promise<Configuration> | undefined;

  constructor(settings: OpenIdSettings, vault: Vault, clock: Clock) {
    this.#settings = settings;
    this.#vault = vault;
    this.#clock = clock;
  }

  /** Discovered once; a provider that was away is asked again. */
  provider(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, fetch } = this.#settings;
    const execute = fetch || isLoopback(issuer) ? [allowInsecureRequests] : [];
    this.#configuration ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT_SECONDS,
      ...(fetch ? { [customFetch]: fetch } : {}),
    }).catch(passingOn);
    this.#configuration.catch(() => {
      this.#configuration = undefined;
    });
    return this.#configuration;
  }

  /** Where to send the browser, and the sealed note it must bring back. */
  async begin(
    callback: string,
    returnTo: string,
  ): Promise<{ readonly location: string; readonly note: string }> {
    const provider = await this.provider();
    const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()];
    const location = buildAuthorizationUrl(provider, {
      redirect_uri: callback,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const pending: Pending = { state, nonce, verifier, returnTo, until: this.#clock.now() + LASTS_MS };
    return { location: location.href, note: this.#vault.seal(JSON.stringify(pending), PLACE) };
  }

  /** The person who came back; undefined if the answer does not belong to our request. */
  async complete(answer: URL, note: string): Promise<Recognised | undefined> {
    const pending = this.#opened(note);
    if (!pending || pending.until <= this.#clock.now()) return undefined;
    const provider = await this.provider();
    const tokens = await authorizationCodeGrant(provider, answer, {
      expectedState: pending.state,
      expectedNonce: pending.nonce,
      pkceCodeVerifier: pending.verifier,
      idTokenExpected: true,
    }).catch(passingOn);
    const claims = tokens.claims();
    if (!claims) return undefined;
    const name = typeof claims.name === 'string' ? claims.name : '';
    return { psuId: claims.sub, name, returnTo: pending.returnTo };
  }

  #opened(note: string): Pending | undefined {
    try {
      return JSON.parse(this.#vault.open(note, PLACE)) as Pending;
    } catch {
      return undefined;
    }
  }
}
