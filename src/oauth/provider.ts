/**
 * oidc-provider, configured: authorization code with PKCE and refresh tokens, nothing else. No lifetime is left to the
 * library, nothing of the request decides an address, and the library keeps no login of its own: sessions.ts does.
 */
import type {
  AccessToken,
  Adapter,
  ClientAuthMethod,
  Configuration,
  KoaContextWithOIDC as Context,
  Provider,
} from 'oidc-provider';
import { nameBelow } from '../http/pages.js';
import { type BankTime, type Clock, DAY, SECOND } from '../lib/clock.js';
import { scopes } from '../model/caller.js';
import type { Db } from '../store/db.js';
import { ACCESS_TOKEN_SECONDS, type TokenRealm } from './access-token.js';
import { type ConsentRequests, detailFeature, refuseEmptyDetails } from './authorization-details.js';
import {
  type BindingParts,
  bindingFeatures,
  checkAssertion,
  dPoPSigningAlgValues,
  type ProviderKeys,
} from './binding/features.js';
import { clientAdapter, isSecretOf } from './clients.js';
import { Records, renewGrant } from './records.js';
import type { Revocations } from './revocations.js';

export const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revocation',
  introspection: '/oauth/introspection',
  jwks: '/oauth/jwks',
  par: '/oauth/par',
  login: '/oauth/login',
} as const;

const CODE_SECONDS = 60;
export const LOGIN_SECONDS = 900;

/** What applications of the profile `fapi2` may use; the others may use more. */
const fapi2Algorithms = ['PS256', 'ES256'] as const;
export const clientAssertionAlgorithms = (profile: unknown) =>
  profile === 'fapi2' ? fapi2Algorithms : ([...fapi2Algorithms, 'RS256'] as const);

/** Of all applications together. */
const acceptedAlgorithms = ({ fapi2Only }: ProviderParts) =>
  clientAssertionAlgorithms(fapi2Only ? 'fapi2' : undefined);

const authMethods = ({ clientCertificates, fapi2Only }: ProviderParts): readonly ClientAuthMethod[] => [
  ...(fapi2Only ? [] : (['client_secret_basic', 'client_secret_post'] as const)),
  'private_key_jwt',
  ...(clientCertificates.isAsked ? (['tls_client_auth'] as const) : []),
];

export interface ProviderParts extends BindingParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly revocations: Revocations;
  readonly grantDays: number;
  /** By which grants live. */
  readonly bankTime: () => Promise<BankTime>;
  /** Every other application is refused, and the metadata shows only what the profile allows. */
  readonly fapi2Only: boolean;
  /** Third parties register themselves. */
  readonly registers: boolean;
  /** Consents asked for within an authorization request. */
  readonly requests: ConsentRequests;
  /** Shown if the browser must not be sent back to the client. */
  readonly renderError: (ctx: Context, error: Error) => void;
}

/** A login of the library's own would outlive ours and know another person. */
const forgetful: Adapter = {
  find: async () => undefined,
  upsert: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
};

const off = { enabled: false } as const;

const lifetimes = (grantDays: number): Readonly<Record<string, number>> => {
  const grantSeconds = (grantDays * DAY) / SECOND;
  return {
    AccessToken: ACCESS_TOKEN_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    IdToken: ACCESS_TOKEN_SECONDS,
    Grant: grantSeconds,
    RefreshToken: grantSeconds,
    Interaction: LOGIN_SECONDS,
    Session: LOGIN_SECONDS,
    // Switched off, but never at a default.
    BackchannelAuthenticationRequest: CODE_SECONDS,
    ClientCredentials: CODE_SECONDS,
    DeviceCode: CODE_SECONDS,
    PreAuthorizedCode: CODE_SECONDS,
  };
};

const knownScopes = ['openid', ...scopes];
/** Of OpenID Connect Core, 5.4 and 11: clients ask for them by habit, and a provider without them ignores them. The token answer says what was granted. */
const ignoredScopes = ['profile', 'email', 'address', 'phone', 'offline_access'];

type Library = typeof import('oidc-provider');

/** The library leaves out what it does not know, and the application learns it from the first call that fails. */
const refuseUnknownScopes =
  ({ errors: { InvalidScope } }: Pick<Library, 'errors'>) =>
  async (_ctx: Context, asked = ''): Promise<void> => {
    const known = [...knownScopes, ...ignoredScopes];
    const unknown = asked.split(' ').filter((scope) => scope !== '' && !known.includes(scope));
    if (unknown.length > 0)
      throw new InvalidScope(`the known scopes are ${knownScopes.join(', ')}`, unknown.join(' '));
  };

const featuresOf = (
  { errors }: Library,
  parts: ProviderParts,
  realm: TokenRealm,
  { current, nonceKey }: ProviderKeys,
): Configuration['features'] => ({
  ...bindingFeatures(parts, nonceKey),
  devInteractions: off,
  rpInitiatedLogout: off,
  userinfo: off,
  // Both endpoints are ours: the library knows neither for JWTs.
  revocation: off,
  introspection: off,
  pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: parts.fapi2Only },
  richAuthorizationRequests: detailFeature(errors, parts.requests),
  // Every access token is a JWT for this service, whether the client names it or not.
  resourceIndicators: {
    enabled: true,
    defaultResource: async () => realm.issuer,
    useGrantedResource: async () => true,
    getResourceServerInfo: async (_ctx, resource) => {
      if (resource !== realm.issuer) throw new errors.InvalidTarget();
      return {
        scope: scopes.join(' '),
        audience: realm.audience,
        accessTokenTTL: ACCESS_TOKEN_SECONDS,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: current.algorithm, kid: current.kid } },
      };
    },
  },
});

const metadataOf = (
  { issuer }: TokenRealm,
  methods: readonly string[],
  algorithms: readonly string[],
  registers: boolean,
): Readonly<Record<string, unknown>> => ({
  revocation_endpoint: `${issuer}${paths.revocation}`,
  revocation_endpoint_auth_methods_supported: methods,
  revocation_endpoint_auth_signing_alg_values_supported: algorithms,
  introspection_endpoint: `${issuer}${paths.introspection}`,
  introspection_endpoint_auth_methods_supported: methods,
  introspection_endpoint_auth_signing_alg_values_supported: algorithms,
  ...(registers ? { registration_endpoint: `${issuer}/registration` } : {}),
  service_documentation: `${issuer}/docs`,
  ui_locales_supported: ['el', 'en'],
});

/**
 * Refresh tokens do not rotate: all our clients authenticate, so a stolen one is of no use, while an answer that is lost on its way
 * would end the login (RFC 9700, 2.2.2; FAPI 2.0). The library asks once all checks have passed; that is the use that renews.
 */
const renewLogin =
  ({ db, bankTime, grantDays }: ProviderParts) =>
  async ({ oidc }: Context): Promise<boolean> => {
    const grantId = oidc.entities.RefreshToken?.grantId;
    if (grantId !== undefined) await renewGrant(db, grantId, await bankTime(), grantDays * DAY);
    return false;
  };

const configurationOf = (
  library: Library,
  parts: ProviderParts,
  realm: TokenRealm,
  signing: ProviderKeys,
): Configuration => {
  const { db, clock, bankTime, revocations, renderError } = parts;
  const grantMs = parts.grantDays * DAY;
  const recordParts = { db, clock, bankTime, grantMs, revocations, errors: library.errors };
  return {
    adapter: (kind) => {
      if (kind === 'Client') return clientAdapter(parts, parts.clientCertificates.isAsked, parts.fapi2Only);
      return kind === 'Session' ? forgetful : new Records(kind, recordParts);
    },
    jwks: { keys: signing.jwks },
    routes: {
      authorization: paths.authorize,
      token: paths.token,
      jwks: paths.jwks,
      pushed_authorization_request: paths.par,
    },
    features: featuresOf(library, parts, realm, signing),
    extraParams: {
      authorization_details: refuseEmptyDetails(library.errors),
      scope: refuseUnknownScopes(library),
    },
    discovery: metadataOf(realm, authMethods(parts), acceptedAlgorithms(parts), parts.registers),
    scopes: knownScopes,
    responseTypes: ['code'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: authMethods(parts),
    assertJwtClientAuthClaimsAndHeader: checkAssertion(library.errors, clock),
    clientDefaults: { id_token_signed_response_alg: signing.current.algorithm },
    extraClientMetadata: { properties: ['party', 'registration', 'profile'] },
    enabledJWA: {
      clientAuthSigningAlgValues: [...acceptedAlgorithms(parts)],
      idTokenSigningAlgValues: ['ES256', 'PS256'],
      dPoPSigningAlgValues,
    },
    // Browsers send the origin with every POST, and the provider refuses one it does not know: the console of our own pages needs it.
    // No other page may read an answer; cookies are no credential here, and the answer allows none.
    clientBasedCORS: (_ctx, origin) => origin === new URL(realm.issuer).origin,
    ttl: lifetimes(parts.grantDays),
    expiresWithSession: async () => false,
    issueRefreshToken: async () => true,
    rotateRefreshToken: renewLogin(parts),
    extraTokenClaims: async (_ctx, token) => ({ gid: (token as AccessToken).grantId }),
    formats: {
      customizers: {
        // One clock: the gate judges tokens by ours.
        jwt: (_ctx, _token, { payload }) => {
          payload.iat = Math.floor(clock.now() / SECOND);
          payload.exp = Math.floor(clock.now() / SECOND) + ACCESS_TOKEN_SECONDS;
          // Account numbers do not belong into a token that goes with every call; introspection tells them.
          delete payload.authorization_details;
        },
      },
    },
    findAccount: async (_ctx, psuId) => ({
      accountId: psuId,
      claims: async () => ({ sub: psuId }),
    }),
    interactions: {
      url: async (_ctx, { uid }) => `${realm.issuer}${paths.login}/${uid}`,
    },
    cookies: {
      names: {
        session: nameBelow(realm.issuer, 'oauth'),
        interaction: nameBelow(realm.issuer, 'oauth_login'),
        resume: nameBelow(realm.issuer, 'oauth_resume'),
      },
      long: { httpOnly: true, sameSite: 'lax' },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    renderError: async (ctx, _out, error) => renderError(ctx, error),
  };
};

/** The library lists modes that no client of ours may use. */
const showResponseModes = async (ctx: Context, next: () => Promise<void>): Promise<void> => {
  await next();
  if (ctx.oidc?.route === 'discovery')
    Object.assign(ctx.body as object, { response_modes_supported: ['query'] });
};

/** RFC 6749, 5.1: the library names the scopes of the access token alone, as if the id token beside it had not been granted. */
const showGrantedScopes = async (ctx: Context, next: () => Promise<void>): Promise<void> => {
  await next();
  const { id_token: idToken, scope = '' } = (ctx.body ?? {}) as { id_token?: string; scope?: string };
  if (ctx.oidc?.route === 'token' && idToken !== undefined)
    Object.assign(ctx.body as object, {
      scope: [...new Set(['openid', ...scope.split(' ').filter(Boolean)])].join(' '),
    });
};

/** Loaded on first use: the library is large, and most commands and nodes never need it. */
export const createProvider = async (
  parts: ProviderParts,
  realm: TokenRealm,
  signing: ProviderKeys,
): Promise<Provider> => {
  const library = await import('oidc-provider');
  const provider = new library.Provider(realm.issuer, configurationOf(library, parts, realm, signing));
  // What it believes about its own address is what the server has put into the request, and that is the base address.
  provider.proxy = true;
  provider.use(showResponseModes);
  provider.use(showGrantedScopes);
  provider.Client.prototype.compareClientSecret = function compare(secret: string): boolean {
    return isSecretOf(this.clientSecret, secret);
  };
  return provider;
};
