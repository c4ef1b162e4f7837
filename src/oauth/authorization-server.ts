/**
 * The embedded authorization server: oidc-provider behind the public listener, and the two endpoints the library does not
 * have for JWTs. A changed set of signing keys makes a new provider; all state is in the store.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeJwt } from 'jose';
import type { KoaContextWithOIDC as Context, Provider } from 'oidc-provider';
import { everybody } from '../http/audience.js';
import type { Exchange, Mount } from '../http/exchange.js';
import type { Page } from '../http/pages.js';
import { asProblem, type Site } from '../http/render.js';
import { Problem } from '../problem/problem.js';
import { StoreUnavailable } from '../store/db.js';
import type { TokenRealm, TokenVerifier } from './access-token.js';
import type { ProviderKeys } from './binding/features.js';
import { createProvider, type ProviderParts, paths } from './provider.js';
import { waitingParams } from './records.js';
import type { SigningKeys } from './signing-keys.js';
import { certificateEvent, type ProviderEventParts, watchProvider } from './status/refusal-events.js';
import { createTokenStatusPages } from './status/token-status.js';
import { type BeginningParts, isTooMuch, pageGuards } from './status/too-many.js';

/** Why a browser cannot continue; shown on a page of ours. */
export type FailureReason = 'refused' | 'expired' | 'unavailable';

export interface AuthorizationParts
  extends Omit<ProviderParts, 'renderError'>,
    ProviderEventParts,
    BeginningParts {
  /** The page for it, in the language of the browser. */
  readonly failurePage: (request: IncomingMessage, reason: FailureReason) => string | Buffer;
  readonly keys: SigningKeys;
  readonly realm: () => TokenRealm;
  readonly tokens: TokenVerifier;
  readonly site: Site;
}

export interface AuthorizationServer {
  readonly mount: Mount;
  readonly pages: readonly Page[];
  /** For the login pages, which end what the authorization endpoint has begun. */
  readonly provider: () => Promise<Provider>;
  /** Where a waiting interaction leads in the end, by the hash of its id; undefined once it is over. */
  readonly waiting: (hash: string) => Promise<{ readonly redirectUri: string } | undefined>;
  /** The resource that scopes are granted for. */
  readonly resource: () => string;
}

const METADATA = '/.well-known/oauth-authorization-server';

const applications = { name: 'application by its form' } as const;

const routes = [
  { method: 'GET', path: paths.authorize, audience: everybody },
  { method: 'GET', path: `${paths.authorize}/:uid`, audience: everybody },
  { method: 'POST', path: paths.token, audience: applications },
  { method: 'POST', path: paths.par, audience: applications },
  { method: 'GET', path: paths.jwks, audience: everybody },
  { method: 'GET', path: METADATA, audience: everybody },
  // RFC 8414, 3.1: the path of the issuer comes after the well-known part. A proxy in front must not take it away.
  { method: 'GET', path: `${METADATA}/*`, audience: everybody },
  { method: 'GET', path: '/.well-known/openid-configuration', audience: everybody },
] as const;

/** The library takes its address from the request. It gets the configured base address, whatever the caller sent. */
const setAddress = (request: IncomingMessage, baseUrl: string): void => {
  const { host, protocol, pathname } = new URL(baseUrl);
  request.headers['x-forwarded-host'] = host;
  request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  request.url = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '');
  Object.assign(request, { baseUrl: pathname.replace(/\/+$/, '') });
};

/** The library knows its metadata by the address without a path. */
const setMetadataPath = (request: IncomingMessage): void => {
  const { url = '', baseUrl = '' } = request as IncomingMessage & { readonly baseUrl?: string };
  const [path = '', query] = url.split('?', 2);
  if (!path.startsWith(`${METADATA}/`)) return;
  if (path !== `${METADATA}${baseUrl}`) throw new Problem('route-not-found');
  request.url = query === undefined ? METADATA : `${METADATA}?${query}`;
};

/** Only `query` reaches the library: its other modes render pages of its own or hide the answer from us. It refuses this one by a redirect. */
const REFUSED_MODE = 'unsupported';

const setResponseMode = (request: IncomingMessage): void => {
  const { url = '' } = request;
  const end = url.indexOf('?');
  const fields = new URLSearchParams(end === -1 ? '' : url.slice(end));
  // Without a value it counts as absent (RFC 6749, 3.1).
  if (fields.getAll('response_mode').every((mode) => mode === 'query' || mode === '')) return;
  fields.set('response_mode', REFUSED_MODE);
  request.url = `${url.slice(0, end)}?${fields}`;
};

const setHeaders = (response: ServerResponse, requestId: string, site: Site): void => {
  response.setHeaders(new Headers(pageGuards));
  response.setHeader('X-Request-ID', requestId);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'no-referrer');
  if (site.baseUrl.startsWith('https:')) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
};

/** An authorization that was ended before is no mistake of the application. */
const reasonOf = (status: number, { name }: Error): FailureReason => {
  if (status >= 500) return 'unavailable';
  return name === 'SessionNotFound' ? 'expired' : 'refused';
};

const refuseClient = (response: ServerResponse, reason: string): void => {
  response.writeHead(401, { 'Content-Type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify({ error: 'invalid_client', error_description: reason }));
};

/** A bad client or address is explained on a page of ours: a redirect would trust what was just refused. */
const renderError =
  (parts: AuthorizationParts): ProviderParts['renderError'] =>
  (ctx, error) => {
    ctx.body = parts.failurePage(ctx.req, reasonOf(ctx.status, error));
    ctx.type = 'html';
    if (error instanceof StoreUnavailable) ctx.status = 503;
  };

/** A store that is away is no bug of ours. */
const tellOutage = (ctx: Context, error: Error): void => {
  if (!(error instanceof StoreUnavailable)) return;
  ctx.status = 503;
  ctx.set('Retry-After', '5');
  if (ctx.type === 'application/json') ctx.body = { error: 'temporarily_unavailable' };
};

/** Of a proof of possession that is not verified yet. */
const nonceIn = ({ headers: { dpop } }: IncomingMessage): string | undefined => {
  try {
    const { nonce } = typeof dpop === 'string' ? decodeJwt(dpop) : {};
    return typeof nonce === 'string' ? nonce : undefined;
  } catch {
    return undefined;
  }
};

export const createAuthorizationServer = (parts: AuthorizationParts): AuthorizationServer => {
  const { keys, realm, site } = parts;
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  /** One by each key of nonces that is in use: several only while the secret is changed. */
  const made = new Map<Buffer, { readonly name: string; readonly provider: Promise<Provider> }>();

  const create = async (signing: ProviderKeys): Promise<Provider> => {
    const provider = await createProvider({ ...parts, renderError: renderError(parts) }, realm(), signing);
    watchProvider(provider, parts);
    provider.on('server_error', (ctx, error) => {
      const exchange = exchanges.get(ctx.req);
      if (exchange) exchange.problem = asProblem(error);
      tellOutage(ctx, error);
    });
    return provider;
  };
  const madeFor = async (nonceKey: Buffer): Promise<Provider> => {
    const signing = await keys.signingSet();
    const name = [realm().issuer, ...signing.jwks.map(({ kid }) => kid)].join(' ');
    const known = made.get(nonceKey);
    if (known?.name === name) return known.provider;
    const provider = create({ ...signing, nonceKey });
    made.set(nonceKey, { name, provider });
    // What could not be made is tried again with the next request.
    provider.catch(() => made.delete(nonceKey));
    return provider;
  };
  const current = (): Promise<Provider> => madeFor(parts.nonces.keyOf(undefined));

  /** The token endpoint and the pushed requests are called by applications; everything else by browsers. */
  const refusalOf = async (request: IncomingMessage): Promise<string | undefined> =>
    request.method === 'POST' ? parts.clientCertificates.admit(request) : undefined;

  const serve: Mount['serve'] = async (request, response, exchange) => {
    exchanges.set(request, exchange);
    const provider = await madeFor(parts.nonces.keyOf(nonceIn(request)));
    setAddress(request, site.baseUrl);
    setMetadataPath(request);
    setResponseMode(request);
    setHeaders(response, exchange.requestId, site);
    if (isTooMuch(parts, exchange, request, response)) return;
    const refusal = await refusalOf(request);
    if (refusal !== undefined) {
      certificateEvent(parts, request, exchange.requestId, refusal);
      return refuseClient(response, refusal);
    }
    await provider.callback()(request, response);
  };

  return {
    mount: { name: 'oauth', routes, serve },
    pages: createTokenStatusPages({ ...parts, provider: current }),
    provider: current,
    waiting: async (hash) => {
      const { client_id: clientId = '', redirect_uri: redirectUri } =
        (await waitingParams(parts.db, hash, parts.clock.now())) ?? {};
      // A suspended application gets nothing, so account holders are not asked to approve anything for it.
      const client = await (await current()).Client.find(clientId);
      return client && redirectUri ? { redirectUri } : undefined;
    },
    resource: () => realm().issuer,
  };
};
