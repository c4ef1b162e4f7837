/**
 * Applications as OAuth clients. A suspended application, or one of a suspended third party, is an unknown client. An
 * application that has registered a public key proves itself with it and with nothing else; the others have a secret, or in
 * the strict profile their certificate.
 */

import { timingSafeEqual } from 'node:crypto';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '../lib/clock.js';
import { sha256 } from '../lib/hash.js';
import { isPlainAddress } from '../lib/net/redirect.js';
import { areasOfRoles, type Role, scopeOf } from '../model/caller.js';
import type { ClientId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { jwksColumn, redirectUrisColumn } from '../tpp/columns.js';
import { detailScopes, detailTypes } from './authorization-details.js';
import { certificateMethod, type SecuredRow, securityMetadata } from './binding/features.js';

interface ApplicationRow extends SecuredRow {
  readonly name: string;
  readonly redirect_uris: string;
  readonly secret_hash: string | null;
  readonly last_secret_hash: string | null;
  readonly jwks: string | null;
  readonly party: string;
  readonly roles: string;
}

/** The secret before it counts while it lasts. */
const FIND = `select a.name, a.redirect_uris, a.secret_hash, a.jwks, a.token_binding, a.profile,
    case when a.last_secret_until > ? then a.last_secret_hash end as last_secret_hash,
    t.name as party, t.roles, t.registration
  from applications a join tpps t on t.id = a.tpp_id
  where a.client_id = ? and a.status = 'active' and t.status = 'active'`;

const credentialsOf = (row: ApplicationRow): AdapterPayload | undefined => {
  const { jwks, secret_hash: hash, last_secret_hash: last, profile } = row;
  if (jwks !== null) return { token_endpoint_auth_method: 'private_key_jwt', jwks: jwksColumn.read(jwks) };
  if (profile === 'fapi2') return certificateMethod(row);
  // The library demands a secret; it gets the hashes, and compares by `isSecretOf`.
  return hash === null
    ? undefined
    : {
        token_endpoint_auth_method: 'client_secret_basic',
        client_secret: last === null ? hash : `${hash} ${last}`,
      };
};

const scopesOf = (roles: string): string =>
  ['openid', ...areasOfRoles(roles.split(' ') as Role[]).flatMap((area) => scopeOf[area] ?? [])].join(' ');

/** An application asks only for the consents of its own roles. */
const detailTypesOf = (scopes: string): readonly string[] =>
  detailTypes.filter((type) => scopes.split(' ').includes(detailScopes[type]));

const metadataOf = (clientId: ClientId, row: ApplicationRow): AdapterPayload | undefined => {
  const credentials = credentialsOf(row);
  const redirectUris = redirectUrisColumn.read(row.redirect_uris).filter(isPlainAddress);
  if (!credentials || redirectUris.length === 0) return undefined;
  const scope = scopesOf(row.roles);
  return {
    client_id: clientId,
    client_name: row.name,
    party: row.party,
    redirect_uris: redirectUris,
    response_types: ['code'],
    response_modes: ['query'],
    grant_types: ['authorization_code', 'refresh_token'],
    scope,
    authorization_details_types: detailTypesOf(scope),
    ...securityMetadata(row),
    ...credentials,
  };
};

/** Read-only: applications are registered by the bank's operators. */
export const clientAdapter = (
  { db, clock }: { readonly db: Queries; readonly clock: Clock },
  hasCertificates: boolean,
  fapi2Only: boolean,
): Adapter => {
  const refuse = async (): Promise<never> => {
    throw new Error('applications are not changed here');
  };
  return {
    async find(clientId) {
      const row = await db.one<ApplicationRow>(FIND, [clock.now(), clientId]);
      // Without client certificates there is nothing that its tokens could be tied to.
      if (row?.token_binding === 'certificate' && !hasCertificates) return undefined;
      if (fapi2Only && row?.profile !== 'fapi2') return undefined;
      return row && metadataOf(clientId, row);
    },
    upsert: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
    findByUid: refuse,
    findByUserCode: refuse,
  };
};

/** Of the hashes, which a blank separates, it is one. */
export const isSecretOf = (hashes: string | undefined, secret: string): boolean => {
  const given = Buffer.from(sha256(secret));
  return (hashes ?? '').split(' ').some((hash) => {
    const known = Buffer.from(hash);
    return known.length === given.length && timingSafeEqual(known, given);
  });
};
