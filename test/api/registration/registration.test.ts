/** A third party comes in by its certificate alone (RFC 7591): from nothing to its first answer about funds, and nobody else. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { discover, obtainTokens } from '../../oauth/provider-journey.js';
import { signed } from '../../signature/support.js';
import { send } from '../../support/client.js';
import { engines, racingEngines } from '../../support/engines.js';
import { FUNDS } from '../../support/operations.js';
import { notice, suspend } from '../../support/registry.js';
import { startService } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import {
  approvedConsent,
  ask,
  askFunds,
  BACK,
  callWithKey,
  metadata,
  newParty,
  ownPath,
  question,
  REGISTRATION,
  type Registered,
  register,
  sealOf,
  successorOf,
  verdict,
} from './support.js';

/** How many at once: `npm run prove -- registrations` asks 500 times. */
const AT_ONCE = Number(process.env.TEST_REGISTRATIONS ?? '20');

describe.each(engines)('registration on %s', (engine) => {
  const use = useService({ engine });

  it('leads an unknown third party to its first answer about funds by HTTP alone', async () => {
    const service = use();
    const party = newParty();
    const made = await register(service, await sealOf(service, party), { ...metadata, scope: 'openid piis' });
    expect(made).toMatchObject({
      client_name: 'Newcomer',
      scope: 'piis',
      organisation: { name: party.name, organizationIdentifier: party.registration },
      registration_status: 'active',
      token_endpoint_auth_method: 'client_secret_basic',
      registration_client_uri: `${service.url}/registration/${made.client_id}`,
    });
    // Of all calls the one whose credential does not name its application.
    await expect
      .poll(() => service.logs.join(''))
      .toMatch(new RegExp(`"operation":"registerApplication","status":201,.*"clientId":"${made.client_id}"`));
    const application = {
      ...{ name: 'Newcomer', clientId: made.client_id, clientSecret: made.client_secret, redirectUri: BACK },
      ...{ subscriptionKey: made.subscription_keys.primary, roles: [] },
    };
    const place = { url: service.url, credentials: { ...service.credentials, applications: [application] } };
    const configuration = await discover(place, made.client_id);
    expect(configuration.serverMetadata().registration_endpoint).toBe(`${service.url}${REGISTRATION}`);
    const tokens = await obtainTokens(place, configuration, { scope: 'piis' });
    await approvedConsent(service, made);
    const answer = await send(service.url, {
      method: 'POST',
      path: FUNDS,
      body: question,
      headers: {
        'X-Request-ID': randomUUID(),
        'Ocp-Apim-Subscription-Key': made.subscription_keys.secondary,
        Authorization: `Bearer ${tokens.access_token}`,
      },
    });
    expect(answer.json).toEqual({ fundsAvailable: true });
  });

  it('refuses the same request again, and shows its secrets to nobody', async () => {
    const service = use();
    const [seal, requestId] = [await sealOf(service, newParty()), randomUUID()];
    const made = (await ask(service, seal, { requestId })).json as Registered;
    const again = await ask(service, seal, { requestId });
    expect(verdict(again)).toBe('409 request-id-conflict REQUEST_ID_CONFLICT');
    expect(again.text).not.toContain(made.client_id);
    const secret = { method: 'POST', path: `${ownPath(made)}/secrets`, requestId: randomUUID() };
    const wish = { ...secret, body: { secret: 'primary_key' } };
    const { value } = (await ask(service, seal, wish)).json as { value: string };
    expect(verdict(await ask(service, seal, wish))).toBe('409 request-id-conflict REQUEST_ID_CONFLICT');
    notice(service);
    const atms = { path: '/psd2/v1/opendata/atm' };
    expect((await callWithKey(service, made, atms)).status).toBe(401);
    expect((await callWithKey(service, made, { ...atms, key: value })).status).toBe(200);
  });

  it('takes a successor certificate: consents survive, and a role that is gone takes its product away', async () => {
    const service = use();
    const party = newParty();
    const seal = await sealOf(service, party);
    const made = await register(service, seal);
    expect(made.scope).toBe('piis ais pis');
    const consentId = await approvedConsent(service, made);
    const successor = await successorOf(service, party, seal, { roles: ['PSP_IC'] });
    const answer = await ask(service, successor, { method: 'PUT', path: ownPath(made) });
    expect(answer).toMatchObject({
      status: 200,
      json: { scope: 'piis', organisation: { roles: ['PSP_IC'] } },
    });
    notice(service);
    expect((await askFunds(service, made)).json).toEqual({ fundsAvailable: true });
    const path = `/piis/psd2/v1/consents/${consentId}/status`;
    expect((await callWithKey(service, made, { path })).json).toEqual({ status: 'Valid' });
    const accounts = {
      path: '/ais/psd2/v1/consents',
      body: { permissions: ['AccountsBasic'] },
      scope: 'ais',
    };
    expect(verdict(await callWithKey(service, made, accounts))).toBe(
      '403 product-not-subscribed PRODUCT_NOT_SUBSCRIBED',
    );
  });

  it('withdraws a third party without a good certificate, and has it back with a successor', async () => {
    const service = use();
    const party = newParty();
    const seal = await sealOf(service, party);
    const made = await register(service, seal);
    await approvedConsent(service, made);
    await send(service.url, { method: 'DELETE', path: `/sandbox/pki/certificates/${seal.serial}` });
    service.clock.advance(25 * 3_600_000);
    await service.app.runJobs();
    notice(service);
    expect(verdict(await askFunds(service, made))).toBe('403 access-blocked SERVICE_BLOCKED');
    expect(verdict(await ask(service, seal, { method: 'GET', path: ownPath(made) }))).toBe(
      '401 certificate-invalid CERTIFICATE_REVOKED certificate-revocation',
    );
    const successor = await successorOf(service, party, seal);
    expect((await ask(service, successor, { method: 'PUT', path: ownPath(made) })).status).toBe(200);
    notice(service);
    expect((await askFunds(service, made)).json).toEqual({ fundsAvailable: true });
  });

  it('does not let in whom an operator has suspended, and ends what its owner removes', async () => {
    const service = use();
    const party = newParty();
    const seal = await sealOf(service, party);
    const made = await register(service, seal);
    const find = 'select id from tpps where registration = ?';
    const tpp = await withStore(service, (db) => db.one<{ id: string }>(find, [party.registration]));
    await suspend(service, 'tpp', tpp?.id ?? '');
    const put = { method: 'PUT', path: ownPath(made) };
    expect(verdict(await ask(service, seal, put))).toBe('403 access-blocked SERVICE_BLOCKED');
    expect((await ask(service, seal, { ...put, method: 'GET' })).json).toMatchObject({
      registration_status: 'suspended',
    });
    await suspend(service, 'tpp', tpp?.id ?? '', false);
    expect((await ask(service, seal, { ...put, method: 'DELETE' })).status).toBe(204);
    notice(service);
    expect((await callWithKey(service, made, { path: '/psd2/v1/opendata/atm' })).status).toBe(401);
    expect((await ask(service, seal, { ...put, method: 'GET' })).status).toBe(404);
    expect((await register(service, seal)).client_id).not.toBe(made.client_id);
    const acts = 'select act from audit_log where actor = ? order by position';
    const rows = await withStore(service, (db) => db.all(acts, [`third-party:${party.registration}`]));
    const written = ['registration.register', 'registration.remove', 'registration.register'];
    expect(rows).toEqual(written.map((act) => ({ act })));
  });
});

const racing = racingEngines(
  'registrations at once make one third party: on two nodes PostgreSQL decides by the key of its row, SQLite by its one writer',
);

describe.each(racing)('registration at the same moment on %s', (engine) => {
  const use = useService({ engine });

  it(`makes one third party of ${AT_ONCE} registrations at once`, async () => {
    const service = use();
    const party = newParty();
    const seal = await sealOf(service, party);
    const nodes = [service];
    // The certificates name the first node as the source of revocation.
    const env = { TRAPEZA_REVOCATION_HOSTS: new URL(service.url).host };
    if (engine === 'postgres') nodes.push(await startService({ databaseUrl: service.databaseUrl, env }));
    const asked = Array.from({ length: AT_ONCE }, (_, turn) =>
      ask(nodes[turn % nodes.length] ?? service, seal),
    );
    const answers = await Promise.all(asked);
    await nodes[1]?.close();
    const [made, ...more] = answers.filter(({ status }) => status === 201);
    expect(more).toEqual([]);
    const { client_id: id } = (made?.json ?? {}) as Registered;
    for (const answer of answers.filter((each) => each !== made))
      expect(answer).toMatchObject({
        status: 409,
        json: { extensions: { registration: { client_id: id } } },
      });
    const count = 'select count(*) as count from tpps where registration = ?';
    const rows = await withStore(service, (db) => db.one<{ count: number }>(count, [party.registration]));
    expect(Number(rows?.count)).toBe(1);
    expect((await ask(service, seal, { body: { ...metadata, software_id: 'second' } })).status).toBe(201);
  });
});

describe('the policy of registration', () => {
  const use = useService();
  const node = (env: Readonly<Record<string, string>>) =>
    startService({ databaseUrl: use().databaseUrl, env });

  it('approve: keys work once an operator has approved', async () => {
    const service = await node({ TRAPEZA_REGISTRATION: 'approve' });
    try {
      const made = await register(service, await sealOf(service, newParty()));
      expect(made.registration_status).toBe('waiting');
      const atms = { path: '/psd2/v1/opendata/atm' };
      expect(verdict(await callWithKey(service, made, atms))).toBe('403 access-blocked SERVICE_BLOCKED');
      expect(await service.app.admin.approveRegistration(made.client_id)).toBe(1);
      expect(await service.app.admin.approveRegistration(made.client_id)).toBe(0);
      notice(service);
      expect((await callWithKey(service, made, atms)).status).toBe(200);
    } finally {
      await service.close();
    }
  });

  it('off: the path does not exist, and the metadata does not name it', async () => {
    const service = await node({ TRAPEZA_REGISTRATION: 'off' });
    try {
      const seal = await sealOf(use(), newParty());
      expect(verdict(await ask(service, seal))).toBe('404 route-not-found ROUTE_NOT_FOUND');
      const path = '/.well-known/oauth-authorization-server';
      const { json } = await send(service.url, { path, outsideContract: true });
      expect(json).not.toHaveProperty('registration_endpoint');
    } finally {
      await service.close();
    }
  });

  it('limits an address before it verifies anything, and a third party wherever it calls from', async () => {
    const service = await node({
      TRAPEZA_REGISTRATIONS_PER_MINUTE: '3',
      TRAPEZA_TRUSTED_PROXIES: '127.0.0.1',
    });
    const from = (address: string) => ({ 'X-Request-ID': randomUUID(), 'X-Forwarded-For': address });
    const empty = async (address: string) =>
      verdict(await send(service.url, { path: `${REGISTRATION}/x`, headers: from(address) }));
    try {
      for (let count = 0; count < 3; count += 1)
        expect(await empty('192.0.2.1')).toContain('CERTIFICATE_MISSING');
      expect(await empty('192.0.2.1')).toBe('429 quota-exceeded QUOTA_EXCEEDED');
      expect(await empty('192.0.2.2')).toContain('CERTIFICATE_MISSING');
      const seal = await sealOf(service, newParty());
      const path = `${REGISTRATION}/x`;
      const asked = async (address: string) => {
        const created = Math.floor(service.clock.now() / 1000);
        const headers = signed(seal, { method: 'GET', path, headers: from(address) }, { created });
        return verdict(await send(service.url, { path, headers }));
      };
      for (const host of [3, 4, 5]) expect(await asked(`192.0.2.${host}`)).toContain('404 ');
      expect(await asked('192.0.2.6')).toBe('429 quota-exceeded QUOTA_EXCEEDED');
    } finally {
      await service.close();
    }
  });
});
