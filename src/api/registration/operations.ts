/**
 * `POST /registration` and what follows it. The certificate is the only credential: a registration belongs to the organisation that it
 * names, so there is no registration access token that could be lost. Answers with secrets are not kept, so their repetition is refused.
 */
import type { Static } from 'typebox';
import type { AuditLog } from '../../audit/audit-log.js';
import { once, onceUnrepeated, type ReplayParts } from '../../gate/request-ids.js';
import { type Call, type Field, type Operation, operation } from '../../http/operation.js';
import type { Clock } from '../../lib/clock.js';
import type { ClientId } from '../../model/ids.js';
import { fieldFault } from '../../problem/field.js';
import { fieldProblem, Problem } from '../../problem/problem.js';
import type { Queries } from '../../store/db.js';
import { endApplication, rollSecret } from '../../tpp/own-changes.js';
import {
  changeApplication,
  findRegistered,
  keepRegistrant,
  type RegisteredApplication,
  registerApplication,
} from '../../tpp/registration.js';
import { rollKey } from '../../tpp/registry.js';
import { requestId, signatureHeaders } from '../headers.js';
import { audit, demandUse, fitting, found, registrantOf } from './owned.js';
import {
  ChangeRequest,
  oauthError,
  PATH,
  RegisteredResponse,
  RegistrationRequest,
  RegistrationResponse,
  registeredExample,
  registrationArea,
  registrationExample,
  requestExample,
  SecretRequest,
  SecretResponse,
  type secretNames,
} from './schema.js';
import { shownRegistration, uriOf } from './shown.js';
import { productsFor, type WishRules, wishOf } from './wish.js';

export interface RegistrationParts extends ReplayParts, WishRules {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly site: { readonly baseUrl: string };
  /** `approve`: new applications wait for an operator. */
  readonly registration: 'auto' | 'approve';
}

const common = {
  area: registrationArea,
  headers: [requestId, ...signatureHeaders],
  query: [],
  oauthError,
} as const;
const registrantProblems = [
  'signature-headers-incomplete',
  'certificate-invalid',
  'access-blocked',
  'role-not-permitted',
  'quota-exceeded',
  'dependency-unavailable',
] as const;

const clientIdField: Field = {
  name: 'clientId',
  schema: { type: 'string' },
  description: 'The client_id of the application.',
};

const one = {
  ...common,
  path: `${PATH}/:clientId`,
  params: [clientIdField],
  problems: registrantProblems,
} as const;

const exists = (clientId: ClientId, { baseUrl }: RegistrationParts['site']): Problem =>
  new Problem('state-conflict', {
    detail:
      'This third party has registered the application before: read or change it at registration_client_uri, or send another software_id.',
    extensions: { registration: { client_id: clientId, registration_client_uri: uriOf(baseUrl, clientId) } },
  });

const register = (parts: RegistrationParts): Operation =>
  operation({
    ...common,
    id: 'registerApplication',
    method: 'POST',
    path: PATH,
    params: [],
    summary: 'Register by certificate',
    description:
      'Registers an application of the third party that the QWAC of the connection or the QSealC of the signature names, by RFC 7591. Name, registration and roles come from the certificate. The secret and the subscription keys are shown only this once. A third party has one application for each software_id, however often and on however many nodes it asks.',
    body: RegistrationRequest,
    bodyExample: requestExample,
    success: {
      status: 201,
      description: 'It is registered.',
      schema: RegisteredResponse,
      example: registeredExample,
    },
    problems: [...registrantProblems, 'state-conflict'],
    repeat: 'replayed',
    handle(call) {
      const registrant = registrantOf(call);
      const { scopes, ...wish } = wishOf(call.body, registrant, parts);
      return onceUnrepeated(parts, call, async (tx) => {
        const now = parts.clock.now();
        const tpp = await keepRegistrant(tx, registrant, now);
        const products = productsFor(scopes, registrant, tpp.roles);
        const waits = parts.registration === 'approve';
        const wanted = { ...wish, products, waits, softwareId: call.body.software_id ?? '' };
        const made = await fitting(() => registerApplication(tx, tpp, wanted, now));
        if ('existing' in made) throw exists(made.existing, parts.site);
        const { clientId, clientSecret, keys } = made;
        const [primary = '', secondary = ''] = keys.map(({ key }) => key);
        const row = await findRegistered(tx, registrant, clientId);
        if (!row) throw new Error('the application was not kept');
        const shown = shownRegistration(row, parts.site.baseUrl);
        const hasSecret = shown.token_endpoint_auth_method === 'client_secret_basic';
        await audit(tx, parts, registrant, ['register', clientId], { products, waits });
        return {
          status: 201,
          clientId,
          headers: { Location: shown.registration_client_uri },
          body: {
            ...shown,
            ...(hasSecret ? { client_secret: clientSecret, client_secret_expires_at: 0 } : {}),
            subscription_keys: { primary, secondary },
          },
        };
      });
    },
  });

const read = (parts: RegistrationParts): Operation =>
  operation({
    ...one,
    id: 'getRegistration',
    method: 'GET',
    summary: 'Read a registration',
    description:
      'The application as it is registered, without its secrets, of which the bank has only hashes.',
    success: { status: 200, description: 'It.', schema: RegistrationResponse, example: registrationExample },
    repeat: 'ignored',
    async handle(call) {
      return { status: 200, body: shownRegistration(await found(parts.db, call), parts.site.baseUrl) };
    },
  });

const change = (parts: RegistrationParts): Operation =>
  operation({
    ...one,
    id: 'changeRegistration',
    method: 'PUT',
    summary: 'Change a registration, or bring a successor certificate',
    description:
      'Replaces the metadata. The certificate of the call is kept: a successor with the same organizationIdentifier takes over, its roles count from now on, and a product whose role is gone is taken away. Consents, keys and tokens stay.',
    body: ChangeRequest,
    bodyExample: requestExample,
    success: {
      status: 200,
      description: 'As it is now.',
      schema: RegistrationResponse,
      example: registrationExample,
    },
    repeat: 'replayed',
    async handle(call) {
      const { client_id: named } = call.body;
      if (named !== undefined && named !== call.params.clientId)
        throw fieldProblem('client_id', fieldFault('conflict', 'is not that of the path', { with: 'path' }));
      return once(parts, call, (tx) => changeIn(tx, parts, call));
    },
  });

const changeIn = async (tx: Queries, parts: RegistrationParts, call: Call<Static<typeof ChangeRequest>>) => {
  const registrant = registrantOf(call);
  const row = await found(tx, call);
  const { clientId, profile } = row;
  const { scopes, ...wish } = wishOf(call.body, registrant, parts, profile);
  const tpp = await keepRegistrant(tx, registrant, parts.clock.now());
  const products = productsFor(scopes, registrant, tpp.roles);
  await fitting(() => changeApplication(tx, clientId, { ...wish, products }));
  const body = shownRegistration(await found(tx, call), parts.site.baseUrl);
  await audit(tx, parts, registrant, ['change', clientId], { products });
  return { status: 200, body };
};

const remove = (parts: RegistrationParts): Operation =>
  operation({
    ...one,
    id: 'removeRegistration',
    method: 'DELETE',
    summary: 'Remove a registration',
    description:
      'Its keys and tokens are refused from now on. What account holders have allowed stays in their records.',
    success: { status: 204, description: 'It is removed.' },
    repeat: 'replayed',
    handle: (call) =>
      once(parts, call, async (tx) => {
        const { clientId } = await found(tx, call);
        await endApplication(tx, clientId, parts.clock.now());
        await audit(tx, parts, registrantOf(call), ['remove', clientId]);
        return { status: 204 };
      }),
  });

const renewed = async (
  tx: Queries,
  { clientId, subscriptionId }: RegisteredApplication,
  secret: (typeof secretNames)[number],
  clock: Clock,
): Promise<string> => {
  if (secret === 'client_secret') return rollSecret(tx, clientId);
  const slot = secret === 'primary_key' ? 'primary' : 'secondary';
  return (await rollKey(tx, subscriptionId, slot, clock.now())).key;
};

const renewSecret = (parts: RegistrationParts): Operation =>
  operation({
    ...one,
    id: 'renewRegistrationSecret',
    method: 'POST',
    path: `${PATH}/:clientId/secrets`,
    summary: 'Replace a key or the secret',
    description:
      'Makes a new subscription key or client secret; the one before is refused from now on. The other key goes on working, so a rotation needs no outage. Also for an answer of the registration that got lost.',
    body: SecretRequest,
    bodyExample: { secret: 'secondary_key' },
    success: {
      status: 201,
      description: 'The new one.',
      schema: SecretResponse,
      example: { secret: 'secondary_key', value: '9tHs2vKc6mXp1zRq4wYb8nDf5gLj7eUa' },
    },
    repeat: 'replayed',
    handle: (call) =>
      onceUnrepeated(parts, call, async (tx) => {
        const row = await found(tx, call);
        demandUse(row);
        const { secret } = call.body;
        const value = await renewed(tx, row, secret, parts.clock);
        await audit(tx, parts, registrantOf(call), ['secret', row.clientId], { secret });
        return { status: 201, body: { secret, value } };
      }),
  });

export const createRegistrationApi = (parts: RegistrationParts): readonly Operation[] => [
  register(parts),
  read(parts),
  change(parts),
  remove(parts),
  renewSecret(parts),
];
