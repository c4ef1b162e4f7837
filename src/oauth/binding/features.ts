/** For oidc-provider: tokens tied to certificates and keys, the client's certificate as its proof, and the strict profile. */
import type { Client, KoaContextWithOIDC as Context, errors as OidcErrors } from 'oidc-provider';
import { type Clock, MINUTE, type RealTime, SECOND } from '../../lib/clock.js';
import type { SigningSet } from '../signing-keys.js';
import type { ClientCertificates } from './client-certificates.js';
import type { Nonces } from './nonces.js';
import { proofAlgorithms } from './proofs.js';

export interface BindingParts {
  readonly clientCertificates: ClientCertificates;
  readonly nonces: Nonces;
}

/** The library knows one key of nonces. */
export interface ProviderKeys extends SigningSet {
  readonly nonceKey: Buffer;
}

/** The certificate as it was verified before the library was asked; one of another third party is none. */
const certificateOf = (clientCertificates: ClientCertificates, { req, oidc }: Context) =>
  clientCertificates.admitted(req, oidc.client?.registration)?.x509;

const mutualTls = (clientCertificates: ClientCertificates) =>
  clientCertificates.isAsked
    ? {
        enabled: true,
        certificateBoundAccessTokens: true,
        tlsClientAuth: true,
        selfSignedTlsClientAuth: false,
        getCertificate: (ctx: Context) => certificateOf(clientCertificates, ctx),
        // Presented only if both are true.
        certificateAuthorized: () => true,
        certificateSubjectMatches: () => true,
      }
    : { enabled: false };

export const bindingFeatures = ({ clientCertificates }: BindingParts, nonceKey: Buffer) => ({
  dPoP: { enabled: true, nonceSecret: nonceKey, requireNonce: () => false },
  mTLS: mutualTls(clientCertificates),
  fapi: {
    enabled: true,
    profile: (_ctx: Context, client: Client | undefined) => (client?.profile === 'fapi2' ? '2.0' : undefined),
  },
});

export const dPoPSigningAlgValues = [...proofAlgorithms];

const AHEAD_MS = MINUTE;

/** FAPI 2.0, 5.3.2.1: made or valid from more than a minute ahead, by a clock that is wrong or for later use. */
export const isAhead = (
  nowMs: RealTime,
  { iat, nbf }: { readonly iat?: unknown; readonly nbf?: unknown },
): boolean => [iat, nbf].some((time) => typeof time === 'number' && time * SECOND > nowMs + AHEAD_MS);

interface AssertionClaims {
  readonly aud?: unknown;
  readonly iat?: unknown;
  readonly nbf?: unknown;
}

/** FAPI 2.0: assertions are for the issuer alone and current, and RSA signs with PSS. */
export const checkAssertion =
  ({ InvalidClientAuth }: typeof OidcErrors, clock: Clock) =>
  async (
    { oidc }: Context,
    claims: AssertionClaims,
    { alg }: { readonly alg?: unknown },
    { profile }: Client,
  ): Promise<void> => {
    if (profile !== 'fapi2') return;
    if (claims.aud !== oidc.issuer) throw new InvalidClientAuth('the audience must be the issuer');
    if (isAhead(clock.now(), claims)) throw new InvalidClientAuth('the assertion is from the future');
    if (alg === 'RS256') throw new InvalidClientAuth('RS256 is not accepted in this profile');
  };

export interface SecuredRow {
  readonly token_binding: string;
  readonly profile: string;
  readonly registration: string;
}

/** What the library knows of an application's security. */
export const securityMetadata = ({ token_binding: binding, profile, registration }: SecuredRow) => ({
  registration,
  profile,
  ...(binding === 'dpop' ? { dpop_bound_access_tokens: true } : {}),
  ...(binding === 'certificate' ? { tls_client_certificate_bound_access_tokens: true } : {}),
  ...(profile === 'fapi2' ? { require_pushed_authorization_requests: true } : {}),
});

export const certificateMethod = ({ registration }: SecuredRow) => ({
  token_endpoint_auth_method: 'tls_client_auth' as const,
  tls_client_auth_subject_dn: `organizationIdentifier=${registration}`,
});
