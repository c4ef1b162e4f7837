/** From the metadata of an application to what the register keeps of it; all faults of the metadata together. */
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { Static } from 'typebox';
import { certificateOf } from '../../certificate/certificate.js';
import { isWeakKey } from '../../certificate/path/strength.js';
import { redirectFault } from '../../lib/net/redirect.js';
import {
  type Area,
  areasOfRoles,
  type Binding,
  type Profile,
  type Registrant,
  type Role,
  roleOf,
  scopes,
} from '../../model/caller.js';
import { type FieldFault, fieldFault, isNoneOf, isRequired } from '../../problem/field.js';
import { Problem } from '../../problem/problem.js';
import type { RegistrationWish } from '../../tpp/registration.js';
import type { authMethods, RegistrationRequest } from './schema.js';

type Metadata = Static<typeof RegistrationRequest>;
type AuthMethod = (typeof authMethods)[number];
type Faults = Record<string, FieldFault[]>;

export interface WishRules {
  /** Client certificates reach the service. */
  readonly hasClientCertificates: boolean;
  readonly fapi2Only: boolean;
}

const isGoodKey = (jwk: object): boolean => {
  try {
    const key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
    return !('d' in jwk) && !isWeakKey(key);
  } catch {
    return false;
  }
};

const keyFaults = ({ jwks }: Metadata): Faults => {
  const bad = (jwks?.keys ?? []).flatMap((key, index) => (isGoodKey(key) ? [] : [index]));
  const fault = fieldFault('format', 'must be a public key: RSA from 2048 bits on, or EC', { format: 'jwk' });
  return Object.fromEntries(bad.map((index) => [`jwks.keys.${index}`, [fault]]));
};

const redirectFaults = ({ redirect_uris: uris }: Metadata): Faults => {
  const faults: Faults = {};
  for (const [index, uri] of uris.entries()) {
    const fault = redirectFault(uri);
    if (fault !== undefined)
      faults[`redirect_uris.${index}`] = [fieldFault('format', fault, { format: 'uri' })];
  }
  return faults;
};

const scopeNames = ({ scope }: Metadata): readonly string[] | undefined =>
  scope?.split(' ').filter((name) => name !== '' && name !== 'openid');

const isScope = (name: string): name is Area => scopes.some((each) => each === name);

const methodOf = (
  { token_endpoint_auth_method: method, jwks }: Metadata,
  { fapi2Only }: WishRules,
): AuthMethod => method ?? (jwks || fapi2Only ? 'private_key_jwt' : 'client_secret_basic');

const methodFaults = (sent: Metadata, rules: WishRules): Faults => {
  const method = methodOf(sent, rules);
  const faults: Faults = {};
  const allowed: readonly AuthMethod[] = [
    ...(rules.fapi2Only ? [] : (['client_secret_basic'] as const)),
    'private_key_jwt',
    ...(rules.hasClientCertificates ? (['tls_client_auth'] as const) : []),
  ];
  if (!allowed.includes(method)) faults.token_endpoint_auth_method = [isNoneOf(allowed)];
  if (sent.jwks && method !== 'private_key_jwt')
    faults.jwks = [
      fieldFault('conflict', 'belongs to token_endpoint_auth_method private_key_jwt', {
        with: 'token_endpoint_auth_method',
      }),
    ];
  // By value only: nothing is fetched from an address that a caller names.
  if ('jwks_uri' in sent) faults.jwks_uri = [fieldFault('unknown', 'is not read: send the keys in jwks')];
  return faults;
};

const bindingOf = (sent: Metadata): Binding => {
  if (
    sent.tls_client_certificate_bound_access_tokens ||
    sent.token_endpoint_auth_method === 'tls_client_auth'
  )
    return 'certificate';
  return sent.dpop_bound_access_tokens ? 'dpop' : 'none';
};

const bindingFaults = (sent: Metadata, rules: WishRules, profile: Profile): Faults => {
  const binding = bindingOf(sent);
  if (binding === 'certificate' && sent.dpop_bound_access_tokens)
    return {
      dpop_bound_access_tokens: [
        fieldFault('conflict', 'tokens are bound to a key or to a certificate, not to both', {
          with: 'tls_client_certificate_bound_access_tokens',
        }),
      ],
    };
  if (sent.tls_client_certificate_bound_access_tokens && !rules.hasClientCertificates)
    return { tls_client_certificate_bound_access_tokens: [isNoneOf(['false'])] };
  return binding === 'none' && profile === 'fapi2' ? { dpop_bound_access_tokens: [isRequired] } : {};
};

const certificateKeys = ({ certificate }: Registrant): string =>
  JSON.stringify({ keys: [certificateOf(certificate).publicKey.export({ format: 'jwk' })] });

const keysFor = (sent: Metadata, rules: WishRules, registrant: Registrant): string | null => {
  if (methodOf(sent, rules) !== 'private_key_jwt') return null;
  return sent.jwks ? JSON.stringify({ keys: sent.jwks.keys }) : certificateKeys(registrant);
};

/** Throws all faults together. `last`: the profile that an operator has given the application does not get weaker. */
export const wishOf = (
  sent: Metadata,
  registrant: Registrant,
  rules: WishRules,
  last: Profile = 'none',
): Omit<RegistrationWish, 'products'> & { readonly scopes: readonly Area[] | undefined } => {
  const isStrict = rules.fapi2Only || last === 'fapi2' || methodOf(sent, rules) === 'tls_client_auth';
  const profile = isStrict ? 'fapi2' : 'none';
  const named = scopeNames(sent);
  const errors: Faults = {
    ...redirectFaults(sent),
    ...keyFaults(sent),
    ...methodFaults(sent, rules),
    ...bindingFaults(sent, rules, profile),
    ...(named?.every(isScope) === false ? { scope: [isNoneOf(scopes)] } : {}),
  };
  if (Object.keys(errors).length > 0) throw new Problem('validation-failed', { errors });
  return {
    name: sent.client_name.trim(),
    redirectUris: [...new Set(sent.redirect_uris)],
    jwks: keysFor(sent, rules, registrant),
    binding: bindingOf(sent),
    profile,
    scopes: named?.filter(isScope),
  };
};

/** The products of a subscription: those asked for, or all; each within the roles of both the certificate and the register. */
export const productsFor = (
  wanted: readonly Area[] | undefined,
  registrant: Registrant,
  registered: readonly Role[],
): readonly Area[] => {
  const held = registrant.roles.filter((role) => registered.includes(role));
  const lacking = wanted?.find((area) => !areasOfRoles(held).includes(area));
  if (lacking !== undefined)
    throw new Problem('role-not-permitted', {
      detail: `The scope ${lacking} needs the role ${roleOf[lacking]}, which ${
        registrant.roles.some((role) => role === roleOf[lacking])
          ? 'the bank has not registered'
          : 'the certificate does not have'
      }.`,
    });
  return areasOfRoles(held).filter((area) => area === 'opendata' || (wanted?.includes(area) ?? true));
};
