/** The settings of the bank's own identity provider, for tokens and for logins. */
import { secretSetting, setting, spacedList, text, webAddress } from '../lib/setting.js';

const none: string | undefined = undefined;

export const identitySettings = {
  issuer: setting<string | undefined>(
    'TRAPEZA_ISSUER',
    webAddress,
    none,
    "Issuer of the bank's own identity provider, whose access tokens are accepted.",
    'the embedded one',
  ),
  jwksUri: setting<string | undefined>(
    'TRAPEZA_JWKS_URI',
    webAddress,
    none,
    "Address of that identity provider's signing keys.",
    'ISSUER/.well-known/jwks.json',
  ),
  audience: setting<string | undefined>(
    'TRAPEZA_AUDIENCE',
    text,
    none,
    'Audience that access tokens must name.',
    'BASE_URL',
  ),
  claimClientId: setting(
    'TRAPEZA_CLAIM_CLIENT_ID',
    text,
    'client_id',
    'Claim of an access token that names the application.',
  ),
  claimScope: setting('TRAPEZA_CLAIM_SCOPE', text, 'scope', 'Claim of an access token that has its scopes.'),
  claimPsu: setting(
    'TRAPEZA_CLAIM_PSU',
    text,
    'sub',
    'Claim of an access token that names the account holder.',
  ),
  loginIssuer: setting<string | undefined>(
    'TRAPEZA_LOGIN_ISSUER',
    webAddress,
    none,
    "Issuer of the bank's OpenID provider that account holders log in at, instead of our own form. Its client needs the redirect address BASE_URL/login/callback.",
  ),
  loginClientId: setting<string | undefined>('TRAPEZA_LOGIN_CLIENT_ID', text, none, 'Our client id there.'),
  loginClientSecret: secretSetting('TRAPEZA_LOGIN_CLIENT_SECRET', text, 'Our client secret there.'),
  loginAcrValues: setting<readonly string[] | undefined>(
    'TRAPEZA_LOGIN_ACR_VALUES',
    spacedList,
    none,
    'Authentication classes (`acr`) of that provider which are strong enough to approve, separated by spaces. If set, account holders can also confirm there, and its client needs the redirect address BASE_URL/login/confirmed.',
  ),
};
