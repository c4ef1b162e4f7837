/** What operators change of applications while the service runs: quotas, redirect addresses and secrets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/lib/clock.js';
import { applicationOf } from '../oauth/provider-journey.js';
import { type Answer, send } from '../support/client.js';
import { engines } from '../support/engines.js';
import { FINANCE, goodRequest } from '../support/operations.js';
import { notice, subscribe } from '../support/registry.js';
import { useService } from '../support/use-service.js';

const NEW_ADDRESS = 'https://new.example/callback';

describe.each(engines)('an operator, on %s', (engine) => {
  const use = useService({ engine });
  const admin = () => use().app.admin.as({ actor: 'operator:night', role: 'admin', reason: 'asked for' });
  const push = (secret: string, address: string): Promise<Answer> =>
    send(use().url, {
      method: 'POST',
      path: '/oauth/par',
      headers: {
        Authorization: `Basic ${Buffer.from(`${FINANCE}:${secret}`).toString('base64')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({
        client_id: FINANCE,
        response_type: 'code',
        redirect_uri: address,
        scope: 'piis',
        state: randomUUID(),
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
      }).toString(),
      outsideContract: true,
    });

  it('changes the quota of a subscription: a lower one holds, and the default comes back', async () => {
    const { id, key } = await subscribe(use(), { quotaPerMinute: 100, quotaPerDay: 1000 });
    const call = async (): Promise<number> => {
      const good = goodRequest(use(), 'getAtms');
      return (await use().call({ ...good, headers: { 'Ocp-Apim-Subscription-Key': key } })).status;
    };
    expect([await call(), await call()]).toEqual([200, 200]);
    await admin().setQuota(id, { perMinute: 1 });
    notice(use());
    // What this node was granted before may be used up first.
    const after: number[] = [];
    for (let calls = 0; calls < 20; calls += 1) after.push(await call());
    expect(after.at(-1)).toBe(429);
    expect(await admin().quotas(FINANCE)).toContainEqual({ subscriptionId: id, perMinute: 1, perDay: 1000 });
    await admin().setQuota(id, { perMinute: null });
    notice(use());
    expect(await admin().quotas(FINANCE)).toContainEqual({
      subscriptionId: id,
      perMinute: null,
      perDay: 1000,
    });
    expect(await call()).toBe(200);
    const [row] = await admin().audit({ act: 'key.quota' }, 1);
    expect(row).toMatchObject({ subject: `subscription:${id}`, reason: 'asked for' });
    await expect(admin().setQuota(id, { perDay: 0 })).rejects.toThrow('whole number');
    await expect(admin().setQuota(randomUUID(), { perDay: 5 })).rejects.toThrow('no subscription');
  });

  it('makes a new secret; the last one works for the hours that were said, or is refused at once', async () => {
    const { clientSecret: first, redirectUri: address } = applicationOf(use());
    const isAccepted = async (secret: string): Promise<boolean> =>
      (await push(secret, address)).status === 201;
    const second = await admin().rollSecret(FINANCE, { overlapHours: 24 });
    expect([await isAccepted(first), await isAccepted(second)]).toEqual([true, true]);
    use().clock.advance(24 * HOUR);
    expect([await isAccepted(first), await isAccepted(second)]).toEqual([false, true]);
    const third = await admin().rollSecret(FINANCE);
    expect([await isAccepted(second), await isAccepted(third)]).toEqual([false, true]);
    const [row] = await admin().audit({ act: 'application.secret' }, 1);
    expect(JSON.stringify(row)).not.toContain(third);
    await expect(admin().rollSecret(FINANCE, { overlapHours: 721 })).rejects.toThrow('720 hours');
    await expect(admin().rollSecret('nobody')).rejects.toThrow('no application');

    await admin().setRedirectUris(FINANCE, { uris: [NEW_ADDRESS] });
    expect((await push(third, NEW_ADDRESS)).status).toBe(201);
    expect((await push(third, address)).status).toBe(400);
  });
});
