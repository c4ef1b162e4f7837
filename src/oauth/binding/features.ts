/** For oidc-provider: tokens tied to certificates and keys, the client's certificate as its proof, and the strict profile. */
import type { Client, Context, errors as OidcErrors } from 'oidc-provider';
import type { ClientCertificates } from './client-certificates.js';
import { proofAlgorithms } from './proofs.js';

export interface BindingParts {
  readonly clientCertificates: ClientCertificates;
  readonly nonceKey: Buffer;
}

/** The certificate as it was verified before the library was asked; one of another third party is none. */
const certificateOf = (clientCertificates: ClientCertificates, { req, oidc }: Context) =>
  clientCertificates.admitted(req, oidc.client.registration)?.x509;

const mutualTls = (clientCertificates: ClientCertificates) =>
  clientCertificates.isAsked
    ? {
        enabled: true,
        certificateBoundAccessTokens: true,
        tlsClientAuth: true,
        selfSignedTlsClientAuth: false,
        getCertificate: (ctx: Context) => certificateOf(clientCertificates, ctx),
        // It is handed out only where both are so.
        certificateAuthorized: () => true,
        certificateSubjectMatches: () => true,
      }
    : { enabled: false };

export const bindingFeatures = ({ clientCertificates, nonceKey }: BindingParts) => ({
  dPoP: { enabled: true, nonceSecret: nonceKey, requireNonce: () => false },
  mTLS: mutualTls(clientCertificates),
  fapi: {
    enabled: true,
    profile: (_ctx: Context, client: Client | undefined) => (client?.profile === 'fapi2' ? '2.0' : undefined),
  },
});

export const dPoPSigningAlgValues = [...proofAlgorithms];

/** FAPI 2.0: assertions are for the issuer and nobody else, and RSA signs with PSS. */
export const checkAssertion =
  ({ InvalidClientAuth }: typeof OidcErrors) =>
  async (
    { oidc }: Context,
    { aud }: { readonly aud?: unknown },
    { alg }: { readonly alg?: unknown },
    { profile }: Client,
  ): Promise<void> => {
    if (profile !== 'fapi2') return;
    if (aud !== oidc.issuer) throw new InvalidClientAuth('the audience must be the issuer');
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
  token_endpoint_auth_method: 'tls_client_auth',
  tls_client_auth_subject_dn: `organizationIdentifier=${registration}`,
});
