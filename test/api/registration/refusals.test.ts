/** Who does not come in, each with its own reason: by signature, and by the certificate of a TLS connection. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Pki } from '../../oauth/binding/support.js';
import type { Seal } from '../../signature/support.js';
import { type Answer, type Identity, send } from '../../support/client.js';
import { FUNDS } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import {
  approvedConsent,
  ask,
  callWithKey,
  metadata,
  newParty,
  ownPath,
  question,
  REGISTRATION,
  type Registered,
  register,
  sealOf,
  verdict,
} from './support.js';

describe('a signed registration', () => {
  let seal: Seal;
  const use = useService({}, async (service) => {
    seal = await sealOf(service, newParty());
  });

  it('is refused for the signature', async () => {
    const service = use();
    const created = Math.floor(service.clock.now() / 1000) - 600;
    const covered = ['digest', 'x-request-id'];
    const refused = async (spoil: object) => verdict(await ask(service, seal, { spoil }));
    expect(await refused({ created })).toBe('401 signature-invalid SIGNATURE_INVALID time');
    expect(await refused({ covered })).toBe('401 signature-invalid SIGNATURE_INVALID coverage');
    expect(await refused({ signed: () => 'another' })).toBe(
      '401 signature-invalid SIGNATURE_INVALID signature',
    );
    const requestId = { 'X-Request-ID': randomUUID() };
    const nothing = { method: 'POST', path: REGISTRATION, body: metadata, headers: requestId };
    expect(verdict(await send(service.url, nothing))).toBe('401 certificate-invalid CERTIFICATE_MISSING');
  });

  it('is refused for the certificate', async () => {
    const service = use();
    const revoked = await sealOf(service, newParty());
    await send(service.url, { method: 'DELETE', path: `/sandbox/pki/certificates/${revoked.serial}` });
    const refused = async (by: Seal, body: object = metadata) => verdict(await ask(service, by, { body }));
    expect(await refused(revoked)).toBe('401 certificate-invalid CERTIFICATE_REVOKED certificate-revocation');
    const web = await sealOf(service, newParty(), { use: 'web' });
    expect(await refused(web)).toBe('401 certificate-invalid CERTIFICATE_INVALID certificate-use');
    const bank = await sealOf(service, newParty(), { roles: ['PSP_AS'] });
    expect(await refused(bank)).toBe('403 role-not-permitted ROLE_INVALID');
    const reader = await sealOf(service, newParty(), { roles: ['PSP_AI'] });
    expect(await refused(reader, { ...metadata, scope: 'ais pis' })).toBe(
      '403 role-not-permitted ROLE_INVALID',
    );
  });

  it('of another third party looks absent', async () => {
    const service = use();
    const made = await register(service, await sealOf(service, newParty()));
    const other = await sealOf(service, newParty());
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(verdict(await ask(service, other, { method, path: ownPath(made) }))).toBe(
        '404 resource-not-found RESOURCE_UNKNOWN',
      );
    const body = { secret: 'client_secret' };
    expect((await ask(service, other, { path: `${ownPath(made)}/secrets`, body })).status).toBe(404);
    const demo = await ask(service, other, { method: 'GET', path: `${REGISTRATION}/demo-finance-app` });
    expect(demo.status).toBe(404);
  });

  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' });
  const secretKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

  it.each<[string, object, string]>([
    ['invalid_redirect_uri', { redirect_uris: ['http://newcomer.example'] }, 'redirect_uris.0'],
    ['invalid_redirect_uri', { redirect_uris: ['https://a.example/#x'] }, 'redirect_uris.0'],
    ['invalid_redirect_uri', { redirect_uris: [] }, 'redirect_uris'],
    ['invalid_client_metadata', { client_name: '\u202e' }, 'client_name'],
    ['invalid_client_metadata', { scope: 'piis admin' }, 'scope'],
    ['invalid_client_metadata', { token_endpoint_auth_method: 'none' }, 'token_endpoint_auth_method'],
    [
      'invalid_client_metadata',
      { token_endpoint_auth_method: 'tls_client_auth' },
      'token_endpoint_auth_method',
    ],
    ['invalid_client_metadata', { jwks: { keys: [weak] } }, 'jwks.keys.0'],
    ['invalid_client_metadata', { jwks: { keys: [secretKey] } }, 'jwks.keys.0'],
    ['invalid_client_metadata', { jwks_uri: 'https://newcomer.example/jwks' }, 'jwks_uri'],
    ['invalid_client_metadata', { grant_types: ['password'] }, 'grant_types.0'],
    [
      'invalid_client_metadata',
      { tls_client_certificate_bound_access_tokens: true },
      'tls_client_certificate_bound_access_tokens',
    ],
  ])('is refused as %s for %j', async (error, change, field) => {
    const answer = await ask(use(), seal, { body: { ...metadata, ...change } });
    expect(answer).toMatchObject({ status: 400, json: { error, status: 400 } });
    const { errors, error_description: description, detail } = answer.json as Record<string, unknown>;
    expect(Object.keys(errors as object)).toEqual([field]);
    expect(description).toBe(detail);
  });

  it('takes the key of the certificate, and ignores metadata that it does not know', async () => {
    const service = use();
    const wish = { token_endpoint_auth_method: 'private_key_jwt', dpop_bound_access_tokens: true };
    const answer = await ask(service, seal, {
      body: { ...metadata, ...wish, logo_uri: 'https://a.example' },
    });
    expect(answer).toMatchObject({ status: 201, json: { ...wish, jwks: { keys: [{ kty: 'EC' }] } } });
    expect(answer.json).not.toHaveProperty('client_secret');
  });
});

describe('a registration over mutual TLS', () => {
  let pki: Pki;
  let service: Service;
  beforeAll(async () => {
    pki = await Pki.open();
    service = await startService({ env: { ...pki.tlsEnv, TRAPEZA_TLS_CLIENT_CERTIFICATE: 'optional' } });
  });
  afterAll(async () => {
    await service?.close();
    await pki?.close();
  });
  const post = (identity: Identity | undefined, body: object = metadata): Promise<Answer> =>
    send(service.url, {
      method: 'POST',
      path: REGISTRATION,
      body,
      headers: { 'X-Request-ID': randomUUID() },
      ...(identity ? { identity } : {}),
    });

  it('leads to the first answer about funds', async () => {
    const party = newParty();
    const answer = await post(pki.holder({ ...party, roles: ['PSP_IC'] }));
    expect(answer).toMatchObject({
      status: 201,
      json: { scope: 'piis', organisation: { name: party.name } },
    });
    const made = answer.json as Parameters<typeof approvedConsent>[1];
    await approvedConsent(service, made);
    const funds = await callWithKey(service, made, { path: FUNDS, body: question });
    expect(funds.json).toEqual({ fundsAvailable: true });
  });

  it('goes on with a successor that has another key, because its issuer has checked whose it is', async () => {
    const party = { ...newParty(), roles: ['PSP_IC'] } as const;
    const { client_id: id } = (await post(pki.holder(party))).json as Registered;
    expect(await post(pki.holder(party))).toMatchObject({
      status: 409,
      json: { extensions: { registration: { client_id: id } } },
    });
    const answer = await send(service.url, {
      method: 'PUT',
      path: `${REGISTRATION}/${id}`,
      body: metadata,
      headers: { 'X-Request-ID': randomUUID() },
      identity: pki.holder(party),
    });
    expect(answer.status).toBe(200);
  });

  it('is refused with its own reason', async () => {
    const party = newParty();
    const selfSigned = pki.holder(party, (plan) => ({ ...plan, issuer: plan.subject }));
    expect(verdict(await post(selfSigned))).toBe('401 certificate-invalid CERTIFICATE_INVALID');
    expect(verdict(await post(pki.holder(party, undefined, Date.now())))).toBe(
      '401 certificate-invalid CERTIFICATE_REVOKED',
    );
    const past = pki.holder(party, (plan) => ({ ...plan, notAfter: Date.now() - 1000 }));
    expect(verdict(await post(past))).toBe('401 certificate-invalid CERTIFICATE_EXPIRED');
    expect(verdict(await post(undefined))).toBe('401 certificate-invalid CERTIFICATE_MISSING');
    const card = pki.holder({ ...party, roles: ['PSP_IC'] });
    expect(verdict(await post(card, { ...metadata, scope: 'pis' }))).toBe(
      '403 role-not-permitted ROLE_INVALID',
    );
  });
});
