/** What an attacker does is seen: every refusal that matters is a security event, without personal data. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addRequest, hiddenFields, Visitor } from '../../account-pages/approve-support.js';
import { DashboardVisitor } from '../../account-pages/dashboard/support.js';
import { authorize, discover, postToken, redemptionOf } from '../../oauth/provider-journey.js';
import { getSeal, signed } from '../../signature/support.js';
import { done, send } from '../../support/client.js';
import { leaksIn } from '../../support/leaks.js';
import { ATMS, account, BUDGET, CARD, FINANCE, FUNDS, fundsBody, psuId } from '../../support/operations.js';
import { suspend } from '../../support/registry.js';
import { useService } from '../../support/use-service.js';
import { attackVolume } from '../volume.js';
import { counted, HASH, raised } from './events.js';

describe('security F8: refusals are security events', () => {
  const use = useService();

  it('security F8: a refused login, with hashes of the user name and the address', async () => {
    const service = use();
    const id = await addRequest(service);
    const wrong = 'not-the-password';
    const events = await raised(service, () => new Visitor(service).open(id, 'eleni', wrong));
    expect(events).toEqual([expect.objectContaining({ kind: 'login-refused', user: HASH, address: HASH })]);
    // The same person somewhere else has the same hash; another one has not.
    const [again] = await raised(service, () => new DashboardVisitor(service).logIn('eleni', wrong));
    const [other] = await raised(service, () => new DashboardVisitor(service).logIn('nikos', wrong));
    expect(again).toMatchObject({ user: events[0]?.user, address: events[0]?.address });
    expect(other?.user).not.toBe(events[0]?.user);
  });

  it('security F8: a wrong code, on an approval page and on the dashboard', async () => {
    const service = use();
    const id = await addRequest(service);
    const visitor = new Visitor(service);
    const page = await visitor.open(id);
    const wrong = '000000';
    const fields = { account: account('eleni', 101).id, code: wrong };
    const [atApproval] = await raised(service, () => visitor.decide(id, page, fields));
    expect(atApproval).toMatchObject({ kind: 'code-wrong', person: HASH, address: HASH });
    const guest = new DashboardVisitor(service);
    const codePage = await guest.logIn();
    const [atDashboard] = await raised(service, () => guest.tryCode(codePage, wrong));
    expect(atDashboard).toMatchObject({ kind: 'code-wrong', person: atApproval?.person });
  });

  it('security F8: a wrong subscription key, and the wrong secret of an application', async () => {
    const service = use();
    const requestId = randomUUID();
    const headers = { 'Ocp-Apim-Subscription-Key': 'x'.repeat(43), 'X-Request-ID': requestId };
    const byKey = await raised(service, () => service.call({ path: ATMS, headers }));
    expect(byKey).toEqual([
      expect.objectContaining({
        kind: 'key-refused',
        reason: 'subscription-key-invalid',
        requestId,
        address: HASH,
      }),
    ]);
    for (const path of ['/oauth/token', '/oauth/introspection']) {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' };
      const bySecret = await raised(service, () =>
        send(service.url, {
          method: 'POST',
          path,
          headers: {
            Authorization: `Basic ${Buffer.from(`${FINANCE}:wrong`).toString('base64')}`,
            'Content-Type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams(form).toString(),
          outsideContract: true,
        }),
      );
      expect(bySecret).toEqual([
        expect.objectContaining({ kind: 'key-refused', reason: 'client-credential', address: HASH }),
      ]);
    }
  });

  it('security F8: a code that is used twice or by another application, and a token of another application', async () => {
    const service = use();
    const form = redemptionOf(service, await authorize(service, await discover(service)));
    const stolen = await raised(service, () => postToken(service, form, BUDGET));
    expect(stolen).toEqual([
      expect.objectContaining({ kind: 'token-reuse', reason: 'other-application', clientId: BUDGET }),
    ]);
    expect((await postToken(service, form)).status).toBe(200);
    const twice = await raised(service, () => postToken(service, form));
    expect(twice).toEqual([
      expect.objectContaining({ kind: 'token-reuse', reason: 'used-before', clientId: FINANCE }),
    ]);
    const authorization = `Bearer ${await service.token({ application: FINANCE })}`;
    const headers = { Authorization: authorization };
    const mixed = await raised(service, () =>
      service.call({ path: ATMS, as: { application: BUDGET }, headers }),
    );
    expect(mixed).toEqual([
      expect.objectContaining({
        kind: 'token-reuse',
        reason: 'other-application',
        clientId: BUDGET,
        person: HASH,
      }),
    ]);
  });

  it('security F8: a bad signature, a changed body and a revoked certificate', async () => {
    const service = use();
    const body = JSON.stringify(fundsBody());
    const plain = { method: 'POST', path: FUNDS, body };
    const seal = await getSeal(service);
    const kindsOf = async (headers: Record<string, string>, sent = body): Promise<unknown[]> => {
      const events = await raised(service, () => service.call({ ...plain, body: sent, headers }));
      return events.map(({ kind, clientId }) => [kind, clientId]);
    };
    expect(await kindsOf(signed(seal, plain))).toEqual([]);
    expect(await kindsOf(signed(seal, plain, { signed: (text) => `${text} ` }))).toEqual([
      ['signature-refused', FINANCE],
    ]);
    expect(await kindsOf(signed(seal, plain), `${body} `)).toEqual([['signature-refused', FINANCE]]);
    const revoked = await getSeal(service);
    const path = `/sandbox/pki/certificates/${revoked.serial}`;
    done(await send(service.url, { method: 'DELETE', path }));
    expect(await kindsOf(signed(revoked, plain))).toEqual([['certificate-blocked', FINANCE]]);
  });

  it('security F8: a call of a suspended application', async () => {
    const service = use();
    await suspend(service, 'application', CARD);
    const events = await raised(service, () => service.call({ path: ATMS, as: { application: CARD } }));
    await suspend(service, 'application', CARD, false);
    expect(events).toEqual([
      expect.objectContaining({ kind: 'third-party-suspended', reason: 'access-blocked', clientId: CARD }),
    ]);
  });

  it('security F8: no event names a person, an address, an account or a secret', () => {
    const lines = use()
      .logs.join('')
      .split('\n')
      .filter((line) => line.includes('"msg":"security event"'));
    expect(lines.length).toBeGreaterThan(8);
    const text = lines.join('\n');
    expect(leaksIn(text)).toEqual([]);
    for (const secret of ['eleni', 'nikos', psuId('eleni'), '127.0.0.1', '::1', 'not-the-password', '000000'])
      expect(text).not.toContain(secret);
  });

  it('security F8: a flood is counted to the last event and fills no log', async () => {
    const service = use();
    const before = await counted(service, 'login-refused');
    const visitor = new DashboardVisitor(service);
    const login = hiddenFields((await visitor.get('/dashboard')).text);
    const attempts = attackVolume(30, 300);
    const events = await raised(service, async () => {
      for (let index = 0; index < attempts; index += 1)
        await visitor.post('/dashboard/login', { ...login, username: `nobody-${index}`, password: 'x' });
    });
    expect(await counted(service, 'login-refused')).toBe(before + attempts);
    expect(events.length).toBeLessThanOrEqual(10);
  });
});
