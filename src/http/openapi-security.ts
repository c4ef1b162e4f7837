/** The two credentials of a call, as the OpenAPI document describes them. */
import type { Scope } from '../model/caller.js';
import type { Json } from './openapi-schema.js';

const scopePurposes: Readonly<Record<Scope, string>> = {
  piis: 'Confirmations of funds.',
  ais: 'Account information.',
  pis: 'Payments.',
};

const TOKEN_NOTE =
  'An OAuth 2.0 access token from the authorization code grant with PKCE, issued to the application that owns the subscription key. One that is bound to a key (RFC 9449) is sent as `Authorization: DPoP <token>` with a proof in the header `DPoP`. The names listed with an operation are the scopes it demands.';

/** The bank may have an identity provider of its own. */
export const tokenScheme = (baseUrl: string, issuer: string | undefined): Json =>
  issuer
    ? {
        type: 'openIdConnect',
        description: TOKEN_NOTE,
        openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
      }
    : {
        type: 'oauth2',
        description: TOKEN_NOTE,
        flows: {
          authorizationCode: {
            authorizationUrl: `${baseUrl}/oauth/authorize`,
            tokenUrl: `${baseUrl}/oauth/token`,
            refreshUrl: `${baseUrl}/oauth/token`,
            scopes: scopePurposes,
          },
        },
      };

export const subscriptionKey = {
  type: 'apiKey',
  in: 'header',
  name: 'Ocp-Apim-Subscription-Key',
  description: 'A subscription key of the calling application.',
};
