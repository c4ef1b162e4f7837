/** A registration as its third party sees it. */
import type { Static } from 'typebox';
import { type Area, scopes } from '../../model/caller.js';
import type { ClientId } from '../../model/ids.js';
import { jwksColumn, redirectUrisColumn } from '../../tpp/columns.js';
import type { RegisteredApplication } from '../../tpp/registration.js';
import { type authMethods, PATH, type RegistrationResponse } from './schema.js';

export const uriOf = (baseUrl: string, clientId: ClientId): string => `${baseUrl}${PATH}/${clientId}`;

const methodOf = ({ jwks, profile }: RegisteredApplication): (typeof authMethods)[number] => {
  if (jwks !== null) return 'private_key_jwt';
  return profile === 'fapi2' ? 'tls_client_auth' : 'client_secret_basic';
};

const statusOf = ({ status, tppStatus, waitingSince }: RegisteredApplication) => {
  if (tppStatus !== 'active') return 'suspended';
  if (waitingSince !== null) return 'waiting';
  return status === 'active' ? 'active' : 'suspended';
};

export const shownRegistration = (
  row: RegisteredApplication,
  baseUrl: string,
): Static<typeof RegistrationResponse> => {
  const products = row.products.split(' ') as Area[];
  return {
    client_id: row.clientId,
    client_id_issued_at: Math.floor(row.createdAt / 1000),
    client_name: row.name,
    redirect_uris: [...redirectUrisColumn.read(row.redirectUris)],
    scope: scopes.filter((scope) => products.includes(scope)).join(' '),
    token_endpoint_auth_method: methodOf(row),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(row.jwks === null ? {} : { jwks: jwksColumn.read(row.jwks) }),
    dpop_bound_access_tokens: row.binding === 'dpop',
    tls_client_certificate_bound_access_tokens: row.binding === 'certificate',
    ...(row.softwareId === '' ? {} : { software_id: row.softwareId }),
    organisation: {
      name: row.tppName,
      organizationIdentifier: row.registration,
      roles: row.roles.split(' '),
    },
    registration_status: statusOf(row),
    registration_client_uri: uriOf(baseUrl, row.clientId),
  };
};
