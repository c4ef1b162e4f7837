/**
 * Who calls the revocation and introspection endpoints: the same proofs as at the token endpoint. An application has a
 * secret (in the header or in the form), signs an assertion with its registered key, which works once, or has a certificate.
 */

import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import type { Client, Provider } from 'oidc-provider';
import type { PageRequest } from '../../http/pages.js';
import type { Clock } from '../../lib/clock.js';
import type { ClientId } from '../../model/ids.js';
import type { ClientCertificates } from '../binding/client-certificates.js';
import { isAhead } from '../binding/features.js';
import { clientAssertionAlgorithms, paths } from '../provider.js';

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const SKEW_SECONDS = 15;

interface Secret {
  readonly clientId: ClientId;
  readonly secret: string;
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form before they are joined. */
const decoded = (part: string): string => decodeURIComponent(part.replaceAll('+', '%20'));

const basicSecret = (header: string): Secret | undefined => {
  const encoded = /^basic +([\w+/]+=*)$/i.exec(header)?.[1];
  const [, clientId, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  if (clientId === undefined || secret === undefined) return undefined;
  try {
    return { clientId: decoded(clientId), secret: decoded(secret) };
  } catch {
    return undefined;
  }
};

const bySecret = async (provider: Provider, { clientId, secret }: Secret): Promise<Client | undefined> => {
  const client = await provider.Client.find(clientId);
  const isHere =
    client?.clientAuthMethod === 'client_secret_basic' && (await client.compareClientSecret(secret));
  return isHere ? client : undefined;
};

const byAssertion = async (
  provider: Provider,
  assertion: string,
  { issuer, path, clock }: Endpoint,
): Promise<Client | undefined> => {
  const nowMs = clock.now();
  const clientId = subjectOf(assertion);
  const client = clientId === undefined ? undefined : await provider.Client.find(clientId);
  if (!client?.jwks || client.clientAuthMethod !== 'private_key_jwt') return undefined;
  const audiences = [issuer, `${issuer}${paths.token}`, `${issuer}${path}`];
  const verified = await jwtVerify(assertion, createLocalJWKSet(client.jwks as JSONWebKeySet), {
    issuer: client.clientId,
    subject: client.clientId,
    audience: client.profile === 'fapi2' ? issuer : audiences,
    algorithms: [...clientAssertionAlgorithms(client.profile)],
    requiredClaims: ['exp', 'jti'],
    clockTolerance: SKEW_SECONDS,
  }).catch(() => undefined);
  if (!verified || (client.profile === 'fapi2' && isAhead(nowMs, verified.payload))) return undefined;
  const { jti = '', exp = 0 } = verified.payload;
  const isFresh = await provider.ReplayDetection.unique(client.clientId, jti, exp + SKEW_SECONDS).catch(
    (error: { error?: string }) => {
      if (error.error === 'invalid_client') return false;
      throw error;
    },
  );
  return isFresh ? client : undefined;
};

/** Read before it is verified, only to find the key to verify with. */
const subjectOf = (assertion: string): string | undefined => {
  try {
    const payload = Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString();
    const { sub } = JSON.parse(payload) as { sub?: unknown };
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    return undefined;
  }
};

const byCertificate = async (
  provider: Provider,
  clientId: ClientId | undefined,
  request: PageRequest['raw']['request'],
  clientCertificates: ClientCertificates,
): Promise<Client | undefined> => {
  const client = clientId === undefined ? undefined : await provider.Client.find(clientId);
  if (client?.clientAuthMethod !== 'tls_client_auth') return undefined;
  return clientCertificates.admitted(request, client.registration) ? client : undefined;
};

/** What the headers prove; without a client the proof is in the form, or it is the certificate. */
export interface Proof {
  readonly client?: Client;
}

/** Undefined if they prove nothing although they try to. */
export const proofInHeader = async (
  provider: Provider,
  { authorization }: PageRequest['headers'],
): Promise<Proof | undefined> => {
  if (authorization === undefined) return {};
  const basic = basicSecret(authorization);
  const client = basic && (await bySecret(provider, basic));
  return client && { client };
};

/** Where the proof was sent, and the certificates that came with it. */
export interface Endpoint {
  readonly issuer: string;
  readonly path: string;
  readonly proof: Proof;
  readonly clientCertificates: ClientCertificates;
  readonly clock: Clock;
}

/** The application, or undefined if it is unknown, suspended, or fails to authenticate. */
export const authenticateClient = async (
  provider: Provider,
  { form, headers, raw }: Pick<PageRequest, 'form' | 'headers' | 'raw'>,
  endpoint: Endpoint,
): Promise<Client | undefined> => {
  const { authorization } = headers;
  const { client_id: clientId, client_secret: secret, client_assertion: assertion } = form;
  // More than one proof is no proof: which of them counts must not depend on the order of our checks.
  const proofs = [authorization, secret, assertion].filter((proof) => proof !== undefined).length;
  if (proofs > 1) return undefined;
  if (proofs === 0) return byCertificate(provider, clientId, raw.request, endpoint.clientCertificates);
  if (assertion !== undefined) {
    if (form.client_assertion_type !== ASSERTION_TYPE) return undefined;
    const client = await byAssertion(provider, assertion, endpoint);
    return clientId === undefined || client?.clientId === clientId ? client : undefined;
  }
  const { client } = endpoint.proof;
  if (client) return clientId === undefined || clientId === client.clientId ? client : undefined;
  return clientId === undefined ? undefined : bySecret(provider, { clientId, secret: secret ?? '' });
};
