/** The keys of notifications: published for everybody before they are used, and never those of access tokens. */
import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE } from '../../src/lib/clock.js';
import { Vault } from '../../src/lib/vault.js';
import { SigningKeys } from '../../src/oauth/signing-keys.js';
import { engines } from '../support/engines.js';
import { freshToken } from '../support/operations.js';
import { testSecret } from '../support/service.js';
import { useService, withStore } from '../support/use-service.js';
import { openReceiver } from './receiver.js';
import { decide, newConsent, registerWebhook } from './support.js';
import { publishedKeys, verifyNotification } from './verify.js';

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine });

  it('are public, may be kept for five minutes, and have no private half', async () => {
    const answer = await fetch(`${service().url}/events/psd2/v1/keys`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const { keys } = (await answer.json()) as { keys: Record<string, unknown>[] };
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('are others than those of access tokens', async () => {
    const token = decodeProtectedHeader(await freshToken(service())).kid;
    const tokenKeys = (await (await fetch(`${service().url}/oauth/jwks`)).json()) as {
      keys: { kid: string }[];
    };
    const ofNotifications = (await publishedKeys(service().url)).map(({ kid }) => kid);
    expect(tokenKeys.keys.map(({ kid }) => kid)).toContain(token);
    for (const { kid } of tokenKeys.keys) expect(ofNotifications).not.toContain(kid);
  });

  it('are published long before they are used, and stay for a day', async () => {
    const receiver = await openReceiver();
    await registerWebhook(service(), receiver.url);
    const sent = async (): Promise<string> => {
      await decide(service(), await newConsent(service()), 'reject');
      await receiver.until(({ length }) => length > 0);
      const [got] = receiver.received.splice(0);
      if (!got) throw new Error('nothing came');
      const now = Math.floor(service().clock.now() / 1000);
      const { parameters } = await verifyNotification(got, await publishedKeys(service().url), now);
      return String(parameters.keyid);
    };
    const tokenKid = async () => decodeProtectedHeader(await freshToken(service())).kid;
    const [before, tokenBefore] = [await sent(), await tokenKid()];
    const next = await withStore(service(), (db) =>
      new SigningKeys(db, new Vault(testSecret), service().clock, 'webhook').roll(),
    );
    const published = async () => (await publishedKeys(service().url)).map(({ kid }) => kid);
    service().clock.advance(MINUTE);
    expect(await published()).toEqual([before, next.kid]);
    // Longer than a copy of the published keys lasts.
    service().clock.advance(8 * MINUTE);
    expect(await sent()).toBe(before);
    service().clock.advance(2 * MINUTE);
    expect(await sent()).toBe(next.kid);
    expect(await tokenKid()).toBe(tokenBefore);
    service().clock.advance(DAY - 5 * MINUTE);
    expect(await published()).toEqual([before, next.kid]);
    service().clock.advance(10 * MINUTE);
    expect(await published()).toEqual([next.kid]);
    await receiver.close();
  });
});
