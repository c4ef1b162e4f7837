/**
 * Revocation (RFC 7009) and introspection (RFC 7662) of access and refresh tokens. An application learns about and ends its
 * own tokens only; a foreign one looks exactly like an unknown one.
 */
import type { Client, Provider } from 'oidc-provider';
import type { Audience } from '../../http/audience.js';
import { type Page, type PageAnswer, type PageRequest, pageFor } from '../../http/pages.js';
import { type Clock, SECOND } from '../../lib/clock.js';
import type { Caller } from '../../model/caller.js';
import { Problem } from '../../problem/problem.js';
import type { TokenClaims, TokenRealm, TokenVerifier } from '../access-token.js';
import { type ConsentRequests, grantedDetails } from '../authorization-details.js';
import type { ClientCertificates } from '../binding/client-certificates.js';
import { paths } from '../provider.js';
import type { Revocations } from '../revocations.js';
import { authenticateClient, type Proof, proofInHeader } from './client-authentication.js';
import { certificateEvent, type ProviderEventParts } from './refusal-events.js';

export interface TokenStatusParts extends ProviderEventParts {
  readonly provider: () => Promise<Provider>;
  readonly realm: () => TokenRealm;
  readonly tokens: TokenVerifier;
  readonly revocations: Revocations;
  readonly requests: ConsentRequests;
  readonly clientCertificates: ClientCertificates;
  readonly clock: Clock;
}

const json = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): PageAnswer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
  headers,
  isPersonal: true,
});

const refused = ({ issuer }: TokenRealm, error_description = 'client authentication failed'): PageAnswer =>
  json(
    401,
    { error: 'invalid_client', error_description },
    { 'WWW-Authenticate': `Basic realm="${issuer}"` },
  );

const isJwt = (token: string): boolean => token.split('.').length === 3;

/** The claims of a valid access token of this client that is not revoked. */
const accessTokenOf = async (
  { tokens }: TokenStatusParts,
  client: Client,
  token: string,
): Promise<TokenClaims | undefined> => {
  try {
    const claims = await tokens.verify(token);
    return claims.clientId === client.clientId ? claims : undefined;
  } catch (error) {
    if (error instanceof Problem && error.kind.status === 401) return undefined;
    throw error;
  }
};

const refreshTokenOf = async (provider: Provider, client: Client, token: string) => {
  const found = await provider.RefreshToken.find(token);
  return found?.clientId === client.clientId ? found : undefined;
};

const revoke = async (parts: TokenStatusParts, provider: Provider, client: Client, token: string) => {
  if (isJwt(token)) {
    const tokenId = (await accessTokenOf(parts, client, token))?.tokenId;
    if (tokenId !== undefined) await parts.revocations.revokeToken(tokenId);
  } else {
    const refreshToken = await refreshTokenOf(provider, client, token);
    if (refreshToken?.grantId !== undefined) await parts.revocations.revokeGrant(refreshToken.grantId);
  }
  return json(200, {});
};

const inactive = json(200, { active: false });

/** The consent that was approved with the grant, if there is one. */
const consentMembers = async (
  { requests }: TokenStatusParts,
  grant: { readonly rar?: readonly object[] | undefined } | undefined,
  caller: Caller,
): Promise<object> => {
  const details = await grantedDetails(requests, grant?.rar, caller);
  return details ? { authorization_details: details } : {};
};

/** What the token is tied to (RFC 8705, 3.2; RFC 9449, 6.2). */
const confirmationMembers = ({ confirmation }: TokenClaims): object =>
  confirmation ? { cnf: { 'x5t#S256': confirmation.certificate, jkt: confirmation.key } } : {};

const introspectAccessToken = async (
  parts: TokenStatusParts,
  provider: Provider,
  client: Client,
  token: string,
): Promise<PageAnswer> => {
  const claims = await accessTokenOf(parts, client, token);
  if (!claims) return inactive;
  const { issuer, audience } = parts.realm();
  const grant = claims.grantId === undefined ? undefined : await provider.Grant.find(claims.grantId);
  return json(200, {
    active: true,
    token_type: claims.confirmation?.key === undefined ? 'Bearer' : 'DPoP',
    client_id: claims.clientId,
    sub: claims.psuId,
    scope: claims.scopes.join(' '),
    exp: claims.expiresAt / SECOND,
    iss: issuer,
    aud: audience,
    jti: claims.tokenId,
    ...confirmationMembers(claims),
    ...(await consentMembers(parts, grant, claims)),
  });
};

const introspectRefreshToken = async (
  parts: TokenStatusParts,
  provider: Provider,
  client: Client,
  token: string,
): Promise<PageAnswer> => {
  const found = await refreshTokenOf(provider, client, token);
  if (!found?.isValid || !(await provider.Grant.find(found.grantId ?? ''))) return inactive;
  const { accountId, scope, iat, exp } = found;
  const { clientId } = client;
  const iss = parts.realm().issuer;
  const consent = await consentMembers(parts, found, { clientId, psuId: accountId });
  return json(200, { active: true, client_id: clientId, sub: accountId, scope, iat, exp, iss, ...consent });
};

const introspect = (parts: TokenStatusParts, provider: Provider, client: Client, token: string) =>
  isJwt(token)
    ? introspectAccessToken(parts, provider, client, token)
    : introspectRefreshToken(parts, provider, client, token);

type Answer = typeof introspect;

const refuseClient = (parts: TokenStatusParts, { raw, requestId }: PageRequest): PageAnswer => {
  const address = parts.sourceOf(raw.request);
  parts.security.event('key-refused', { reason: 'client-credential', address, requestId });
  return refused(parts.realm());
};

/** Applications, as far as the headers tell: the proof may be in the form. */
const applications = (parts: TokenStatusParts): Audience<Proof> => ({
  name: 'application',
  admit: async (request) => {
    const refusal = await parts.clientCertificates.admit(request.raw.request);
    if (refusal !== undefined) {
      certificateEvent(parts, request.raw.request, request.requestId, refusal);
      return { answer: refused(parts.realm(), refusal) };
    }
    const proof = await proofInHeader(await parts.provider(), request.headers);
    return proof ? { visitor: proof } : { answer: refuseClient(parts, request) };
  },
});

const endpoint = (parts: TokenStatusParts, path: string, answer: Answer): Page =>
  pageFor({
    method: 'POST',
    path,
    audience: applications(parts),
    async render(request, proof) {
      const isRepeated = Object.values(request.formLists).some((values) => values.length > 1);
      if (isRepeated)
        return json(400, { error: 'invalid_request', error_description: 'a parameter is repeated' });
      const provider = await parts.provider();
      const { issuer } = parts.realm();
      const client = await authenticateClient(provider, request, { issuer, path, proof, ...parts });
      if (!client) return refuseClient(parts, request);
      const { token } = request.form;
      if (!token) return json(400, { error: 'invalid_request', error_description: 'token is missing' });
      return answer(parts, provider, client, token);
    },
  });

export const createTokenStatusPages = (parts: TokenStatusParts): readonly Page[] => [
  endpoint(parts, paths.revocation, revoke),
  endpoint(parts, paths.introspection, introspect),
];
