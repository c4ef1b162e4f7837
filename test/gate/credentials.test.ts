/** Subscription keys and suspensions: which key opens, how soon a change acts, and that no other place for a key exists. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { demoApplications } from '../../packages/sandbox/src/applications.js';
import { SECOND } from '../../src/lib/clock.js';
import { derivedId } from '../../src/lib/id.js';
import { setSuspended } from '../../src/tpp/registry.js';
import { type Answer, send, slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { ATMS, BUDGET, freshToken, goodRequest, operationIds } from '../support/operations.js';
import { roll, subscribe, suspend } from '../support/registry.js';
import type { Service } from '../support/service.js';
import { type Use, useService, withStore } from '../support/use-service.js';

const withKey = (service: Service, key: string | undefined, path = ATMS): Promise<Answer> =>
  service.call({ path, headers: { 'Ocp-Apim-Subscription-Key': key } });

const verdict = (answer: Answer): string =>
  answer.status === 200 ? '200' : `${answer.status} ${slugOf(answer)}`;

const keys = (service: Use): void => {
  it('both keys of a subscription open', async () => {
    const [application] = demoApplications;
    for (const key of [application?.subscriptionKey, application?.secondaryKey])
      expect((await withKey(service(), key)).status).toBe(200);
  });

  it.each(operationIds)('%s needs one', async (id) => {
    for (const [key, slug] of [
      [undefined, 'subscription-key-missing'],
      ['', 'subscription-key-missing'],
      ['no-such-key', 'subscription-key-invalid'],
    ] as const) {
      const headers = { 'Ocp-Apim-Subscription-Key': key };
      const answer = await service().call({ ...goodRequest(service(), id), headers });
      expect(verdict(answer)).toBe(`401 ${slug}`);
    }
  });

  it('no other spelling of a good key opens', async () => {
    const key = service().keyOf();
    const others = [
      key.toUpperCase(),
      key.slice(0, -1),
      `${key}0`,
      `${key},${key}`,
      `"${key}"`,
      `Bearer ${key}`,
      encodeURIComponent(`${key} `),
      Buffer.from(key).toString('base64'),
      key.repeat(8),
      "' or '1'='1",
      '*',
    ];
    for (const other of others)
      expect(verdict(await withKey(service(), other))).toBe('401 subscription-key-invalid');
  });
};

const otherPlaces = (service: Use): void => {
  it.each(['subscription-key', 'Ocp-Apim-Subscription-Key', 'ocp-apim-subscription-key', 'access_token'])(
    'a key in the query as %s opens nothing',
    async (name) => {
      const answer = await withKey(service(), undefined, `${ATMS}?${name}=${service().keyOf()}`);
      expect(verdict(answer)).toBe('401 subscription-key-missing');
    },
  );

  it('a token in the query or in another scheme opens nothing', async () => {
    const token = await service().token();
    for (const [path, Authorization] of [
      [`${ATMS}?access_token=${token}`, undefined],
      [ATMS, `Basic ${token}`],
      [ATMS, token],
      [ATMS, `Token ${token}`],
    ] as const)
      expect(verdict(await service().call({ path, headers: { Authorization } }))).toBe('401 token-missing');
  });

  it('the scheme of the token may be written in any case', async () => {
    const token = await service().token();
    for (const scheme of ['bearer', 'BEARER', 'Bearer '])
      expect(
        (await service().call({ path: ATMS, headers: { Authorization: `${scheme} ${token}` } })).status,
      ).toBe(200);
  });

  it('an unknown address needs no key to be told so, an unknown key learns nothing more', async () => {
    const headers = { 'Ocp-Apim-Subscription-Key': 'no-such-key', 'X-Request-ID': randomUUID() };
    expect((await send(service().url, { path: '/pis/psd2/v1/a/b/c', headers })).status).toBe(404);
    const answers = await Promise.all(
      [service().consent('PaymentInitiation').id, randomUUID()].map((id) =>
        send(service().url, { path: `/pis/psd2/v1/${id}`, headers }),
      ),
    );
    expect(answers[0]?.text).toBe(answers[1]?.text);
  });
};

const rolling = (service: Use): void => {
  it('a rolled key is refused, its successor opens at once, and the other key never stops', async () => {
    const subscription = await subscribe(service());
    expect((await withKey(service(), subscription.key)).status).toBe(200);
    const next = await roll(service(), subscription.id, 'primary');
    expect((await withKey(service(), next)).status).toBe(200);
    expect((await withKey(service(), subscription.secondary)).status).toBe(200);
    expect(verdict(await withKey(service(), subscription.key))).toBe('401 subscription-key-invalid');
    const last = await roll(service(), subscription.id, 'secondary');
    expect(verdict(await withKey(service(), subscription.secondary))).toBe('401 subscription-key-invalid');
    for (const key of [next, last]) expect((await withKey(service(), key)).status).toBe(200);
  });

  it('the store holds no key, only its hash', async () => {
    const { key, secondary } = await subscribe(service());
    const rows = await withStore(service(), (db) => db.all('select * from subscription_keys'));
    const dump = JSON.stringify(rows);
    for (const secret of [key, secondary, service().keyOf()]) expect(dump).not.toContain(secret);
  });
};

const suspending = (service: Use): void => {
  const suspended: readonly ['tpp' | 'application' | 'key', (keyId: string) => string][] = [
    ['tpp', () => derivedId('tpp:PSDGR-BOG-DEMO0002')],
    ['application', () => BUDGET],
    ['key', (keyId) => keyId],
  ];

  it.each(suspended)(
    'a suspended %s is blocked on all operations, and works again afterwards',
    async (what, idOf) => {
      const { key, keyId } = await subscribe(service(), { application: BUDGET });
      const all = async (): Promise<string[]> => {
        const headers = {
          'Ocp-Apim-Subscription-Key': key,
          Authorization: `Bearer ${await freshToken(service(), { application: BUDGET })}`,
        };
        const answers = operationIds.map((id) => service().call({ ...goodRequest(service(), id), headers }));
        return (await Promise.all(answers)).map(verdict);
      };
      await suspend(service(), what, idOf(keyId));
      expect(new Set(await all())).toEqual(new Set(['403 access-blocked']));
      await suspend(service(), what, idOf(keyId), false);
      expect(await all()).not.toContain('403 access-blocked');
    },
  );

  it('acts within five seconds on a node that has seen the key before', async () => {
    const { key, keyId } = await subscribe(service());
    expect((await withKey(service(), key)).status).toBe(200);
    await withStore(service(), (db) => db.transaction((tx) => setSuspended(tx, 'key', keyId, true)));
    service().clock.advance(5 * SECOND);
    expect(verdict(await withKey(service(), key))).toBe('403 access-blocked');
  });

  it('a suspended key leaves the other key of its subscription alone', async () => {
    const { key, keyId, secondary } = await subscribe(service());
    await suspend(service(), 'key', keyId);
    expect(verdict(await withKey(service(), key))).toBe('403 access-blocked');
    expect((await withKey(service(), secondary)).status).toBe(200);
  });
};

describe.each(engines)('credentials on %s', (engine) => {
  const service = useService({ engine });
  describe('subscription keys', () => keys(service));
  describe('other places for credentials', () => otherPlaces(service));
  describe('rolled keys', () => rolling(service));
  describe('suspensions', () => suspending(service));
});
