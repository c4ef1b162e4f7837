/**
 * Tokens by the authorization code grant with PKCE. The request is pushed to the bank if it offers that (RFC 9126), so the browser
 * carries a short reference only.
 */
import { type Clock, type Fetch, systemClock, withoutSlash } from './clock.js';
import type { TokenSource } from './send.js';

/** What the bank publishes about its authorization server (RFC 8414). */
export interface OAuthMetadata {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
  readonly pushed_authorization_request_endpoint?: string;
  readonly authorization_details_types_supported?: readonly string[];
  /** Whether every answer of the server names it (RFC 9207). */
  readonly authorization_response_iss_parameter_supported?: boolean;
}

export interface OAuthOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** One that the application has registered. */
  readonly redirectUri: string;
  /** Read from the bank if absent. */
  readonly metadata?: OAuthMetadata;
  readonly fetch?: Fetch;
  readonly clock?: Pick<Clock, 'now'>;
}

export interface AuthorizationWish {
  /** `piis`, `ais` or `pis`; several with blanks between. */
  readonly scope: string;
  /** What the account holder brings back; random if absent. */
  readonly state?: string;
  /** What consent to ask for in the same visit (RFC 9396). */
  readonly authorizationDetails?: readonly object[];
}

/** Keep `state` and `verifier` with the visitor's session until they come back. */
export interface Authorization {
  /** Where to send the browser. */
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
  /** When a pushed request is over, in milliseconds. */
  readonly goodUntil?: number;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** In milliseconds. */
  readonly goodUntil: number;
  /** What was granted, with the id of the consent, if it was asked for in the same visit. */
  readonly authorizationDetails?: readonly Readonly<Record<string, unknown>>[];
}

/** `error` is that of OAuth, such as `access_denied` or `invalid_grant`, or `state_mismatch` or `issuer_mismatch`. */
export class OAuthError extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(`${error}: ${description}`);
    this.name = 'OAuthError';
    this.error = error;
  }
}

/** A token that is over in a moment would be refused on its way. */
const MARGIN_MS = 5_000;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

const challengeOf = async (verifier: string): Promise<string> =>
  base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

type Fields = Readonly<Record<string, string>>;
type Members = Readonly<Record<string, unknown>>;

const jsonOf = async (response: Response): Promise<Members> =>
  ((await response.json().catch(() => undefined)) ?? {}) as Members;

/** As RFC 6749 has it: both parts encoded as in a form. */
const basic = ({ clientId, clientSecret }: OAuthOptions): string => {
  const [id, secret] = [clientId, clientSecret].map((part) =>
    new URLSearchParams({ part }).toString().slice(5),
  );
  return `Basic ${btoa(`${id}:${secret}`)}`;
};

const tokensOf = (answer: Members, now: number, known?: string): Tokens => {
  const { access_token, refresh_token = known, expires_in, authorization_details } = answer;
  if (typeof access_token !== 'string') throw new OAuthError('invalid_response', 'there is no access token');
  return {
    accessToken: access_token,
    ...(typeof refresh_token === 'string' ? { refreshToken: refresh_token } : {}),
    goodUntil: now + Number(expires_in ?? 0) * 1000,
    ...(Array.isArray(authorization_details)
      ? { authorizationDetails: authorization_details as readonly Members[] }
      : {}),
  };
};

/** The application as a client of the bank's authorization server. */
export class OAuth {
  readonly #options: OAuthOptions;
  readonly #ask: Fetch;
  readonly #clock: Pick<Clock, 'now'>;
  #metadata: Promise<OAuthMetadata> | undefined;

  constructor(options: OAuthOptions) {
    this.#options = options;
    this.#ask = options.fetch ?? ((url, init) => fetch(url, init));
    this.#clock = options.clock ?? systemClock;
    this.#metadata = options.metadata && Promise.resolve(options.metadata);
  }

  async authorize({
    scope,
    state = randomText(),
    authorizationDetails,
  }: AuthorizationWish): Promise<Authorization> {
    const { clientId: client_id, redirectUri: redirect_uri } = this.#options;
    const server = await this.#server();
    const verifier = randomText();
    const fields: Fields = {
      response_type: 'code',
      ...{ client_id, redirect_uri, scope, state },
      code_challenge: await challengeOf(verifier),
      code_challenge_method: 'S256',
      ...(authorizationDetails ? { authorization_details: JSON.stringify(authorizationDetails) } : {}),
    };
    const urlWith = (query: Fields): string =>
      `${server.authorization_endpoint}?${new URLSearchParams(query)}`;
    const place = server.pushed_authorization_request_endpoint;
    if (place === undefined) return { url: urlWith(fields), state, verifier };
    const pushed = await this.#post(place, fields);
    const url = urlWith({ client_id, request_uri: String(pushed.request_uri) });
    return { url, state, verifier, goodUntil: this.#clock.now() + Number(pushed.expires_in) * 1000 };
  }

  /** Call it with the whole address at which the account holder came back, and with what was kept. */
  async redeem(
    callback: string | URL,
    { state, verifier }: Pick<Authorization, 'state' | 'verifier'>,
  ): Promise<Tokens> {
    const { searchParams: given } = new URL(callback);
    const { issuer, token_endpoint, ...server } = await this.#server();
    const unnamed = server.authorization_response_iss_parameter_supported ? undefined : issuer;
    if (given.get('state') !== state)
      throw new OAuthError('state_mismatch', 'this is not the answer to our request');
    if ((given.get('iss') ?? unnamed) !== issuer)
      throw new OAuthError('issuer_mismatch', 'another server has answered');
    const code = given.get('code');
    if (code === null)
      throw new OAuthError(given.get('error') ?? 'invalid_response', given.get('error_description') ?? '');
    const answer = await this.#post(token_endpoint, {
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.#options.redirectUri,
      code_verifier: verifier,
    });
    return tokensOf(answer, this.#clock.now());
  }

  async refresh(refreshToken: string): Promise<Tokens> {
    const { token_endpoint } = await this.#server();
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return tokensOf(await this.#post(token_endpoint, fields), this.#clock.now(), refreshToken);
  }

  /** For `createClient`: the access token, renewed when it is over or refused. Many calls at once renew it once. */
  tokenSource(first: Tokens, onRenewed?: (tokens: Tokens) => Promise<void>): TokenSource {
    let tokens = first;
    let renewal: Promise<void> | undefined;
    const renew = async (refreshToken: string): Promise<void> => {
      tokens = await this.refresh(refreshToken);
      await onRenewed?.(tokens);
    };
    return async (refused) => {
      const isOver = tokens.goodUntil <= this.#clock.now() + MARGIN_MS;
      if ((isOver || refused === tokens.accessToken) && tokens.refreshToken !== undefined) {
        renewal ??= renew(tokens.refreshToken).finally(() => {
          renewal = undefined;
        });
        await renewal;
      }
      return tokens.accessToken;
    };
  }

  #server(): Promise<OAuthMetadata> {
    this.#metadata ??= this.#discover().catch((error: unknown) => {
      this.#metadata = undefined;
      throw error;
    });
    return this.#metadata;
  }

  async #discover(): Promise<OAuthMetadata> {
    const issuer = withoutSlash(this.#options.baseUrl);
    const place = `${issuer}/.well-known/oauth-authorization-server`;
    const response = await this.#ask(place, { headers: { Accept: 'application/json' }, redirect: 'manual' });
    const metadata = (await response.json()) as OAuthMetadata;
    if (metadata.issuer !== issuer) throw new OAuthError('issuer_mismatch', `${place} is of another server`);
    return metadata;
  }

  async #post(url: string, fields: Fields): Promise<Members> {
    const response = await this.#ask(url, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        Authorization: basic(this.#options),
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams(fields).toString(),
      redirect: 'manual',
    });
    const json = await jsonOf(response);
    if (response.status < 400) return json;
    throw new OAuthError(String(json.error ?? response.status), String(json.error_description ?? 'refused'));
  }
}
