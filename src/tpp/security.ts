/**
 * How strictly an application is treated: what its tokens are bound to, and its profile. A profile that the application cannot
 * keep is refused with everything that is missing. Every change is noticed by all nodes. Call within a transaction.
 */

import { type Binding, bindings, type Profile, profiles } from '../model/caller.js';
import type { ClientId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { type Jwk, jwksColumn, redirectUrisColumn } from './columns.js';
import { RegistryError } from './registry.js';
import { bumpVersion } from './version.js';

/** What is absent stays as it is. */
export interface SecurityWish {
  readonly binding?: string | undefined;
  readonly profile?: string | undefined;
}

export interface Security {
  readonly binding: Binding;
  readonly profile: Profile;
}

interface SecurityRow {
  readonly token_binding: string;
  readonly profile: string;
  readonly jwks: string | null;
  readonly redirect_uris: string;
}

const FIND = 'select token_binding, profile, jwks, redirect_uris from applications where client_id = ?';

const known = <T extends string>(name: string, all: readonly T[], what: string): T => {
  const found = all.find((each) => each === name);
  if (!found) throw new RegistryError(`"${name}" is not a ${what}; use ${all.join(', ')}`);
  return found;
};

/** Can sign with PS256 or ES256. */
const isStrong = ({ kty, crv, alg }: Jwk): boolean =>
  (kty === 'RSA' && (alg ?? 'PS256') === 'PS256') || (kty === 'EC' && crv === 'P-256');

const isSafeRedirect = (uri: string): boolean => {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
};

const fapi2Faults = ({ jwks, redirect_uris: uris }: SecurityRow, binding: Binding): string[] => {
  const keys = jwks === null ? [] : jwksColumn.read(jwks).keys;
  const faults: string[] = [];
  if (binding === 'none') faults.push('its tokens must be bound: --binding dpop or --binding certificate');
  if (jwks === null && binding !== 'certificate')
    faults.push(
      'it must prove itself without a secret: register it with --jwks, or bind its tokens to its certificate',
    );
  if (jwks !== null && !keys.some(isStrong))
    faults.push('its key set has no key for PS256 or ES256 (RSA, or EC on P-256)');
  if (!redirectUrisColumn.read(uris).every(isSafeRedirect))
    faults.push('its redirect addresses must be https (plain http is accepted for a loopback address only)');
  return faults;
};

export const setSecurity = async (tx: Queries, clientId: ClientId, wish: SecurityWish): Promise<Security> => {
  await bumpVersion(tx);
  const row = await tx.one<SecurityRow>(FIND, [clientId]);
  if (!row) throw new RegistryError(`there is no application ${clientId}`);
  const binding = known(wish.binding ?? row.token_binding, bindings, 'binding');
  const profile = known(wish.profile ?? row.profile, profiles, 'profile');
  const faults = profile === 'fapi2' ? fapi2Faults(row, binding) : [];
  if (faults.length > 0)
    throw new RegistryError(
      `the application does not fit the profile fapi2:\n${faults.map((each) => `  - ${each}`).join('\n')}`,
    );
  await tx.run('update applications set token_binding = ?, profile = ? where client_id = ?', [
    binding,
    profile,
    clientId,
  ]);
  return { binding, profile };
};
