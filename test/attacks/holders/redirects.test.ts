/** Where browsers are sent: https, loopback excepted, and nothing in an address ends a directive of the content policy. */
import { describe, expect, it } from 'vitest';
import { redirectFault } from '../../../src/lib/net/redirect.js';
import { createApplication } from '../../../src/tpp/registry.js';
import { bumpVersion } from '../../../src/tpp/version.js';
import { addRequest, Visitor } from '../../account-pages/approve-support.js';
import { Browser, discover, startAuthorization } from '../../oauth/provider-journey.js';
import { slugOf } from '../../support/client.js';
import { FINANCE } from '../../support/operations.js';
import { useService, withStore } from '../../support/use-service.js';

const good = [
  'https://app.example/callback',
  'https://app.example:8443/callback?from=bank&x=%3B',
  'https://xn--vxakcx.example/cb',
  'http://127.0.0.1:3000/cb',
  'http://127.8.9.10/cb',
  'http://[::1]:3000/cb',
  'http://localhost:3000/cb',
];

const bad = [
  'http://app.example/callback',
  'http://localhost.evil.example/cb',
  'http://127.0.0.1.evil.example/cb',
  'http://10.0.0.1/cb',
  'http://[::ffff:8.8.8.8]/cb',
  'https://a;frame-ancestors.example/cb',
  'https://a,b.example/cb',
  "https://a'b.example/cb",
  'https://app.example/cb;script-src',
  'https://app.example/cb,other',
  'https://app.example/c b',
  'https://app.example/c\tb',
  'https://app.example/c\r\nSet-Cookie: x=1',
  'https://app.example/"x"',
  'https://app.example/<x>',
  'https://app.example/cb#part',
  'https://user@app.example/cb',
  'https://@app.example/cb',
  'https:app.example/cb',
  'ftp://app.example/cb',
  'javascript:alert(1)',
  'app.example/cb',
  'https://app.example/κλήση',
  '',
];

const service = useService();
const register = (uri: string) =>
  withStore(service(), async (db) => {
    const tpp = await db.one<{ tpp_id: string }>('select tpp_id from applications where client_id = ?', [
      FINANCE,
    ]);
    return db.transaction((tx) =>
      createApplication(
        tx,
        { tppId: tpp?.tpp_id ?? '', name: 'Tried', redirectUris: [uri] },
        service().clock.now(),
      ),
    );
  });
/** As a version before may have stored it. */
const store = (uri: string) =>
  withStore(service(), (db) =>
    db.transaction(async (tx) => {
      await bumpVersion(tx);
      await tx.run('update applications set redirect_uris = ? where client_id = ?', [
        JSON.stringify([uri]),
        FINANCE,
      ]);
    }),
  );

describe('security F9, mission 12, integrator S11: a redirect address', () => {
  it.each(good)('security F9: %s is registered', async (uri) => {
    expect((await register(uri)).clientId).not.toBe('');
  });

  it.each(bad)('security F9, mission 12: %j is refused, with what to do', async (uri) => {
    await expect(register(uri)).rejects.toThrow(/is not a redirect address: it must /);
    expect(redirectFault(uri)).toMatch(/^must /);
  });

  it('security F9: one that was stored before never gets into a content policy, nor on a way', async () => {
    const uri = 'https://a;frame-ancestors.example/cb';
    const id = await addRequest(service(), { redirectUri: uri, nokRedirectUri: uri });
    const visitor = new Visitor(service());
    const page = await visitor.open(id);
    expect(page.headers['content-security-policy']).not.toContain('frame-ancestors.example');
    const decided = await visitor.decide(id, page, { decision: 'refuse' });
    expect(decided.headers.location).toBe(`/authorise/${id}`);
    expect((await visitor.get(`/authorise/${id}`)).text).not.toContain('frame-ancestors.example');
  });

  it('security F9: a third party cannot use one that was stored before, in a request or in an authorization', async () => {
    const { redirectUri } =
      service().credentials.applications.find(({ clientId }) => clientId === FINANCE) ?? {};
    const configuration = await discover(service());
    await store('https://a;frame-ancestors.example/cb');
    service().clock.advance(10_000);
    const answer = await service().call({
      method: 'POST',
      path: '/ais/psd2/v1/consents',
      headers: { 'TPP-Redirect-URI': 'https://a;frame-ancestors.example/cb' },
      body: { permissions: ['AccountsBasic'], recurring: false },
    });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
    expect(answer.text).toContain('percent-encoded');
    const more = { redirect_uri: 'https://a;frame-ancestors.example/cb' };
    const started = await startAuthorization(service(), configuration, { more });
    const { page, leftTo } = await new Browser(service().url).visit(started.url.href);
    expect([page.status, leftTo]).toEqual([400, undefined]);
    await store(redirectUri ?? '');
  });
});
