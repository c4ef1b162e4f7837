/** Registration by certificate (RFC 7591 and 7592): the area, the metadata of an application, and what is answered about it. */
import { type Static, Type } from 'typebox';
import type { OpenArea } from '../../http/operation.js';
import type { Problem } from '../../problem/problem.js';
import { LONGEST_NAME, MOST_REDIRECTS } from '../../tpp/own-changes.js';
import { oneOf, someOf } from '../schema.js';

export const PATH = '/registration';

export const registrationArea: OpenArea = {
  id: 'registration',
  title: 'Registration',
  audience: 'For every authorised third party',
  purpose:
    'Come in by your qualified certificate alone: register an application, change it, replace its keys, remove it. No form, no mail, no waiting, unless the bank approves each registration by hand.',
  description:
    'Registration of third parties by their qualified certificate (RFC 7591). A bank that leaves registration to its operators does not have it.',
  asks: 'certificate',
};

export const authMethods = ['client_secret_basic', 'private_key_jwt', 'tls_client_auth'] as const;
const grantTypes = ['authorization_code', 'refresh_token'] as const;

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

const Jwk = Type.Object(
  { kty: oneOf(['RSA', 'EC'], 'Kind of the key.') },
  { description: 'A public key: RSA from 2048 bits on, or EC on P-256.' },
);

const metadata = {
  client_name: Type.String({
    minLength: 1,
    maxLength: LONGEST_NAME,
    format: 'plain-text',
    description: 'Name of the application, shown to account holders beside that of the certificate.',
  }),
  redirect_uris: Type.Array(text(2048, 'A full https address, compared exactly.'), {
    minItems: 1,
    maxItems: MOST_REDIRECTS,
    description: 'Where account holders may be sent back to.',
  }),
  scope: Type.Optional(
    text(
      100,
      'Products, separated by blanks: `piis`, `ais`, `pis`. Each needs its role in the certificate; absent: all that the roles allow.',
    ),
  ),
  token_endpoint_auth_method: Type.Optional(
    oneOf(
      authMethods,
      'How the application proves itself to the authorization server. Absent: `private_key_jwt` if `jwks` is sent, else `client_secret_basic`.',
    ),
  ),
  jwks: Type.Optional(
    Type.Object(
      { keys: Type.Array(Jwk, { minItems: 1, maxItems: 10 }) },
      { description: 'Public keys for `private_key_jwt`. Absent: the key of the certificate.' },
    ),
  ),
  grant_types: Type.Optional(
    Type.Array(oneOf(grantTypes, 'A grant.'), { maxItems: 2, description: 'Always both.' }),
  ),
  response_types: Type.Optional(Type.Array(oneOf(['code'], 'A response type.'), { maxItems: 1 })),
  dpop_bound_access_tokens: flag('Tokens are bound to a key of the application (RFC 9449).'),
  tls_client_certificate_bound_access_tokens: flag('Tokens are bound to the client certificate (RFC 8705).'),
};

const softwareId = Type.Optional(
  Type.String({
    maxLength: 100,
    pattern: '^[A-Za-z0-9._:-]+$',
    description: 'Tells several applications of one third party apart. It has one application for each.',
  }),
);

const ignored = 'Members that are not described here are ignored, as RFC 7591 demands.';

export const RegistrationRequest = Type.Object(
  { ...metadata, software_id: softwareId },
  { description: ignored },
);

export const ChangeRequest = Type.Object(
  {
    ...metadata,
    client_id: Type.Optional(text(64, 'The id of the application, if it is sent.')),
  },
  { description: `All metadata anew: what is left out has its default. ${ignored}` },
);

const shown = {
  client_id: Type.String({ description: 'For OAuth.' }),
  client_id_issued_at: Type.Integer({ description: 'Seconds since 1970.' }),
  client_name: Type.String(),
  redirect_uris: Type.Array(Type.String()),
  scope: Type.String({ description: 'The products, separated by blanks; open data belongs to every one.' }),
  token_endpoint_auth_method: oneOf(authMethods, 'How the application proves itself.'),
  grant_types: Type.Array(Type.String()),
  response_types: Type.Array(Type.String()),
  jwks: Type.Optional(
    Type.Unsafe<object>({ type: 'object', additionalProperties: true, description: 'Its public keys.' }),
  ),
  dpop_bound_access_tokens: Type.Boolean(),
  tls_client_certificate_bound_access_tokens: Type.Boolean(),
  software_id: Type.Optional(Type.String()),
  organisation: Type.Object(
    { name: Type.String(), organizationIdentifier: Type.String(), roles: Type.Array(Type.String()) },
    { additionalProperties: false, description: 'The third party, as its certificate says.' },
  ),
  registration_status: someOf(
    ['active', 'waiting', 'suspended'],
    '`waiting`: the bank must approve it; its keys work from then on.',
  ),
  registration_client_uri: Type.String({ description: 'Where it is read, changed and removed.' }),
};

const strict = { additionalProperties: false } as const;

export const RegistrationResponse = Type.Object(shown, { title: 'Registration', ...strict });

export const RegisteredResponse = Type.Object(
  {
    ...shown,
    client_secret: Type.Optional(
      Type.String({ description: 'For `client_secret_basic`. Shown only this once.' }),
    ),
    client_secret_expires_at: Type.Optional(Type.Integer({ description: '0: it does not expire.' })),
    subscription_keys: Type.Object(
      { primary: Type.String(), secondary: Type.String() },
      { ...strict, description: 'Values of Ocp-Apim-Subscription-Key. Shown only this once.' },
    ),
  },
  strict,
);

export const secretNames = ['client_secret', 'primary_key', 'secondary_key'] as const;

export const SecretRequest = Type.Object(
  { secret: oneOf(secretNames, 'Which one is replaced; it works no longer.') },
  strict,
);
export const SecretResponse = Type.Object(
  {
    secret: oneOf(secretNames, 'Which one.'),
    value: Type.String({ description: 'The new one. Shown only this once.' }),
  },
  strict,
);

export const requestExample: Static<typeof RegistrationRequest> = {
  client_name: 'Agora Pay',
  redirect_uris: ['https://agora.example/back'],
  scope: 'piis ais',
};

export const registrationExample: Static<typeof RegistrationResponse> = {
  client_id: '3f0a7c1e-5d0b-4f5e-8a43-5b6f0d1c2e77',
  client_id_issued_at: 1_794_735_000,
  client_name: 'Agora Pay',
  redirect_uris: ['https://agora.example/back'],
  scope: 'piis ais',
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: [...grantTypes],
  response_types: ['code'],
  dpop_bound_access_tokens: false,
  tls_client_certificate_bound_access_tokens: false,
  organisation: {
    name: 'Agora Payments SA',
    organizationIdentifier: 'PSDGR-BOG-12345',
    roles: ['PSP_AI', 'PSP_IC'],
  },
  registration_status: 'active',
  registration_client_uri: 'https://bank.example/registration/3f0a7c1e-5d0b-4f5e-8a43-5b6f0d1c2e77',
};

export const registeredExample: Static<typeof RegisteredResponse> = {
  ...registrationExample,
  client_secret: 'n1Yh0r5mCkz4uQ2vXb7tLd9eWg3sPa6f',
  client_secret_expires_at: 0,
  subscription_keys: {
    primary: '4bQm8rVt2kXz7pYc1nWd5sGh9jLf3eRa',
    secondary: '9tHs2vKc6mXp1zRq4wYb8nDf5gLj7eUa',
  },
};

/** RFC 7591, 3.2.2: every 400 is one of two. */
export const oauthError = ({ kind, details }: Problem): string | undefined => {
  if (kind.status !== 400) return undefined;
  const named = Object.keys(details.errors ?? {});
  return named.some((name) => name.startsWith('redirect_uris'))
    ? 'invalid_redirect_uri'
    : 'invalid_client_metadata';
};
