/** An application that a developer registers can do what the demo ones can, and is still there after a reset. */
import { randomUUID, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Answer, done, sandboxToken, slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { ATMS, askForReset, FUNDS, fundsBody, ibanOf } from '../support/operations.js';
import { useService, withStore } from '../support/use-service.js';

interface Made {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly subscriptionKey: string;
  readonly secondaryKey: string;
  readonly registration: string;
  readonly redirectUris: readonly string[];
}

describe.each(engines)('an application of one’s own on %s', (engine) => {
  const use = useService({ engine });
  const ask = (body: object): Promise<Answer> =>
    use().call({
      method: 'POST',
      path: '/sandbox/applications',
      body,
      headers: { Authorization: undefined },
    });
  const register = async (more: object = {}): Promise<Made> =>
    done(await ask({ name: 'My first app', ...more })).json as Made;
  const headersOf = async ({ clientId, subscriptionKey }: Made) => ({
    'Ocp-Apim-Subscription-Key': subscriptionKey,
    Authorization: `Bearer ${await sandboxToken(use().url, { application: clientId })}`,
    'X-Request-ID': randomUUID(),
  });

  it('calls, gets a consent approved and a certificate, and survives a reset without its consents', async () => {
    const made = await register({ redirectUris: ['http://127.0.0.1:3000/callback'] });
    const call = async (path: string, body?: object) =>
      use().call({
        method: body ? 'POST' : 'GET',
        path,
        headers: await headersOf(made),
        ...(body ? { body } : {}),
      });
    expect((await call(ATMS)).status).toBe(200);
    const consent = done(await call('/piis/psd2/v1/consents', { account: { iban: ibanOf('eleni', 101) } }));
    const { consentId } = consent.json as { consentId: string };
    const decision = { method: 'POST', path: `/sandbox/consents/${consentId}/decision` };
    done(await use().call({ ...decision, body: { decision: 'approve' } }));
    expect((await call(FUNDS, fundsBody())).json).toEqual({ fundsAvailable: true });

    const issued = done(
      await use().call({
        method: 'POST',
        path: '/sandbox/pki/certificates',
        body: { application: made.clientId },
      }),
    );
    const { subject } = new X509Certificate((issued.json as { certificate: string }).certificate);
    expect(subject).toContain('My first app');
    expect(subject).toContain(made.registration);

    done(await askForReset(use()));
    expect((await call(ATMS)).status).toBe(200);
    expect((await call(`/piis/psd2/v1/consents/${consentId}/status`)).status).toBe(404);
    const second = { ...made, subscriptionKey: made.secondaryKey };
    expect((await use().call({ path: ATMS, headers: await headersOf(second) })).status).toBe(200);
  });

  it('has a page to come back to if it names none, whose commands have no secret', async () => {
    const made = await register();
    expect(made.redirectUris).toEqual([`${use().url}/sandbox/return/${made.clientId}`]);
    const page = await use().call({
      path: `/sandbox/return/${made.clientId}?code=abc`,
      headers: { Accept: 'text/html' },
      outsideContract: true,
    });
    expect(page.text).toContain('Back at My first app');
    expect(page.text).toContain(`${made.clientId}:$SECRET`);
    expect(page.text).not.toContain(made.clientSecret);
  });

  it('has the roles it asks for, and no others', async () => {
    const made = await register({ roles: ['PSP_AI'] });
    const answer = await use().call({
      method: 'POST',
      path: FUNDS,
      headers: await headersOf(made),
      body: fundsBody(),
    });
    expect([answer.status, slugOf(answer)]).toEqual([403, 'product-not-subscribed']);
  });

  it.each([
    ['redirectUris', { redirectUris: ['http://app.example/callback'] }, 'must be https'],
    ['redirectUris', { redirectUris: ['javascript:alert(1)'] }, 'must be a full https address'],
    ['webhook', { webhook: 'http://169.254.169.254/latest' }, 'must'],
    ['name', { name: '' }, ''],
    ['name', { name: ' ' }, ''],
    ['name', { name: 'x'.repeat(71) }, ''],
    ['roles', { roles: [] }, ''],
    ['secret', { secret: 'mine' }, ''],
  ])('says what is wrong with %s: %j', async (field, wish, words) => {
    const answer = await ask({ name: 'Mine', ...wish });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'validation-failed']);
    const { errors } = answer.json as { errors: Record<string, string[]> };
    const [told] = Object.entries(errors);
    expect(told?.[0]).toMatch(new RegExp(`^${field}`));
    expect(told?.[1].join()).toContain(words);
  });

  it('makes room among a thousand by the oldest one without a consent, and never by one in use', async () => {
    const made = await register();
    const body = { account: { iban: ibanOf('eleni', 101) } };
    done(
      await use().call({
        method: 'POST',
        path: '/piis/psd2/v1/consents',
        headers: await headersOf(made),
        body,
      }),
    );
    const change = (...statements: readonly (readonly [string, ...(string | number)[]])[]) =>
      withStore(use(), (db) =>
        db.transaction(async (tx) => {
          for (const [sql, ...values] of statements) await tx.run(sql, values);
        }),
      );
    const held = async (id: string) =>
      withStore(use(), (db) => db.one('select id from tpps where id = ?', [id]));
    const full = Array.from({ length: 1000 }, (_, index) => index);
    await change(
      ...full.map(
        (index) =>
          [
            `insert into tpps (id, name, registration, roles, status, created_at) values (?, 'x', ?, 'PSP_AI', 'active', ?)`,
            `full-${index}`,
            `PSDGR-BOG-DEVFULL${index}`,
            index,
          ] as const,
      ),
    );
    // As if its consents had grown too old: the feed of events goes on from where it was.
    const watcher = await register();
    const { clientId } = watcher;
    await change(
      [
        'update tpps set created_at = -1 where id in (select tpp_id from applications where client_id = ?)',
        clientId,
      ],
      ['insert into event_positions (client_id, last) values (?, 1)', clientId],
    );
    await register();
    expect([await held('full-1'), await held('full-2')]).toEqual([undefined, { id: 'full-2' }]);
    for (const each of [made, watcher])
      expect((await use().call({ path: ATMS, headers: await headersOf(each) })).status).toBe(200);

    await change([
      `insert into applications (client_id, tpp_id, name, redirect_uris, secret_hash, status, created_at)
         select id, id, 'x', '[]', 'x', 'active', 1 from tpps where id like 'full-%'`,
    ]);
    // What is announced to all is no use of an application.
    await use().app.admin.openIncident({ textEl: 'Βλάβη', textEn: 'Down' });
    await register();
    expect(await held('full-2')).toBeUndefined();

    await change(
      [
        `insert into event_positions (client_id, last) select client_id, 1 from applications
         where client_id not in (select client_id from event_positions)`,
      ],
      ['update event_positions set last = last + 1'],
    );
    const refused = await ask({ name: 'One too many' });
    expect([refused.status, slugOf(refused)]).toEqual([409, 'state-conflict']);
  });
});
