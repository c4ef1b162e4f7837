/** Limits: the quotas of a subscription, and the guard against guessing keys that a good key never meets. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.js';
import { createLimits } from '../../src/gate/limits/limits.js';
import { OwnQuotas } from '../../src/gate/limits/quotas.js';
import type { Access } from '../../src/model/caller.js';
import type { Problem } from '../../src/problem/problem.js';
import { type Answer, send, slugOf, type Wanted } from '../support/client.js';
import { ATMS, BUDGET, FUNDS, goodRequest, operationIds } from '../support/operations.js';
import { subscribe } from '../support/registry.js';
import { type Service, startService } from '../support/service.js';
import { useService } from '../support/use-service.js';

const verdict = (answer: Answer): string =>
  answer.status === 200 ? '200' : `${answer.status} ${slugOf(answer)}`;
const exceeded = '429 quota-exceeded';

const withKey = (service: Service, key: string, more: Partial<Wanted> = {}): Promise<Answer> =>
  service.call({ path: ATMS, ...more, headers: { 'Ocp-Apim-Subscription-Key': key } });

const times = async (count: number, call: () => Promise<Answer>): Promise<string[]> => {
  const verdicts: string[] = [];
  for (let done = 0; done < count; done += 1) verdicts.push(verdict(await call()));
  return verdicts;
};

describe('the quota of a minute', () => {
  const service = useService({ env: { TRAPEZA_QUOTA_PER_MINUTE: '3' } });

  it('is the setting, for every subscription by itself', async () => {
    const [first, second] = [await subscribe(service()), await subscribe(service())];
    expect(await times(5, () => withKey(service(), first.key))).toEqual([
      '200',
      '200',
      '200',
      exceeded,
      exceeded,
    ]);
    expect(await times(3, () => withKey(service(), second.key))).toEqual(['200', '200', '200']);
  });

  it('is told with the seconds to wait', async () => {
    const { key } = await subscribe(service());
    await times(3, () => withKey(service(), key));
    const { headers } = await withKey(service(), key);
    const seconds = Number(headers['retry-after']);
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.ratelimit).toBe(`"minute";r=0;t=${seconds}`);
    expect(headers['ratelimit-policy']).toBe('"minute";q=3;w=60');
  });

  it('counts both keys of a subscription together', async () => {
    const { key, secondary } = await subscribe(service());
    await times(2, () => withKey(service(), key));
    expect(await times(2, () => withKey(service(), secondary))).toEqual(['200', exceeded]);
  });

  it.each<Wanted>([
    { method: 'HEAD', path: ATMS },
    { path: `${ATMS}?if_None_Match=x` },
    // The contract's document names the plain path only.
    { path: '/psd2/v1/opendata/%61tm', outsideContract: true },
  ])('is spent by $method $path like by a plain read', async (way) => {
    const { key } = await subscribe(service());
    await times(3, () => withKey(service(), key, way));
    expect(verdict(await withKey(service(), key))).toBe(exceeded);
    expect((await withKey(service(), key, { method: 'HEAD' })).status).toBe(429);
  });

  it('is one for all operations', async () => {
    const { key } = await subscribe(service());
    const headers = { 'Ocp-Apim-Subscription-Key': key };
    for (const id of operationIds.slice(1)) await service().call({ ...goodRequest(service(), id), headers });
    const funds = await service().call({ ...goodRequest(service(), 'confirmFunds'), headers });
    expect(verdict(funds)).toBe(exceeded);
  });
});

describe('the period of a limit', () => {
  const limitsAt = (clock: { ms: number }, perDay: string) => {
    const quotas = { TRAPEZA_QUOTA_PER_MINUTE: '1', TRAPEZA_QUOTA_PER_DAY: perDay };
    const time = { now: () => clock.ms, elapsed: () => clock.ms };
    return createLimits(readConfig(quotas), new OwnQuotas(time), time);
  };
  /** What the next attempt is told: nothing, or the seconds to wait. */
  const waitOf = async (count: () => void | Promise<void>): Promise<string | undefined> => {
    try {
      await count();
      return undefined;
    } catch (error) {
      return (error as Problem).details.headers?.['Retry-After'];
    }
  };
  const access = { subscriptionId: 'one' } as Access;

  it('code M8: is a minute, to the millisecond, from the first call on', async () => {
    const clock = { ms: 0 };
    const { spend } = limitsAt(clock, '100');
    const spendOne = (): void | Promise<void> => spend(access);
    expect(await waitOf(spendOne)).toBeUndefined();
    expect(await waitOf(spendOne)).toBe('60');
    clock.ms += 59_999;
    expect(await waitOf(spendOne)).toBe('1');
    clock.ms += 1;
    expect(await waitOf(spendOne)).toBeUndefined();
  });

  it('code M8: is a day for the quota of a day', async () => {
    const clock = { ms: 0 };
    const { spend } = limitsAt(clock, '2');
    const spendOne = (): void | Promise<void> => spend(access);
    expect(await waitOf(spendOne)).toBeUndefined();
    clock.ms = 60_000;
    expect(await waitOf(spendOne)).toBeUndefined();
    clock.ms = 86_399_999;
    expect(await waitOf(spendOne)).toBe('1');
    clock.ms = 86_400_000;
    expect(await waitOf(spendOne)).toBeUndefined();
    clock.ms = 86_459_999;
    expect(await waitOf(spendOne)).toBe('1');
  });

  it('is not spent by calls that are refused', async () => {
    const clock = { ms: 0 };
    const { spend } = limitsAt(clock, '2');
    const spendOne = (): void | Promise<void> => spend(access);
    expect(await waitOf(spendOne)).toBeUndefined();
    for (let refused = 0; refused < 5; refused += 1) expect(await waitOf(spendOne)).toBe('60');
    clock.ms = 60_000;
    expect(await waitOf(spendOne)).toBeUndefined();
  });

  it('ends for the calls of a service when its clock says so', async () => {
    const service = await startService({ env: { TRAPEZA_QUOTA_PER_MINUTE: '1' } });
    const { key } = await subscribe(service);
    expect(await times(2, () => withKey(service, key))).toEqual(['200', exceeded]);
    service.clock.advance(60_000);
    expect(await times(1, () => withKey(service, key))).toEqual(['200']);
    await service.close();
  });
});

describe('what a quota counts', () => {
  const service = useService({ env: { TRAPEZA_QUOTA_PER_MINUTE: '3' } });

  it('is every call with the key that reaches an operation, also a refused one', async () => {
    const { key } = await subscribe(service());
    const bad = { 'Ocp-Apim-Subscription-Key': key, Authorization: 'Bearer x' };
    expect((await service().call({ path: ATMS, headers: bad })).status).toBe(401);
    expect((await service().call({ path: FUNDS, headers: bad })).status).toBe(405);
    expect((await service().call({ path: '/nowhere', headers: bad })).status).toBe(404);
    expect(await times(3, () => withKey(service(), key))).toEqual(['200', '200', exceeded]);
  });

  it('admits as many of a crowd as it allows and no more', async () => {
    const { key } = await subscribe(service(), { quotaPerMinute: 10 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => withKey(service(), key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(answers.filter((answer) => verdict(answer) === exceeded)).toHaveLength(40);
  });
});

describe('the quota of a day', () => {
  const service = useService({ env: { TRAPEZA_QUOTA_PER_DAY: '2' } });

  it('is the setting, and is told as the day', async () => {
    const { key } = await subscribe(service());
    expect(await times(3, () => withKey(service(), key))).toEqual(['200', '200', exceeded]);
    const { headers } = await withKey(service(), key);
    expect(headers['ratelimit-policy']).toBe('"day";q=2;w=86400');
    expect(Number(headers['retry-after'])).toBeGreaterThan(60);
  });

  it('may be set for one subscription, larger or smaller', async () => {
    const large = await subscribe(service(), { quotaPerDay: 4 });
    expect(await times(5, () => withKey(service(), large.key))).toEqual([
      '200',
      '200',
      '200',
      '200',
      exceeded,
    ]);
    const small = await subscribe(service(), { quotaPerDay: 1, application: BUDGET });
    const call = (): Promise<Answer> =>
      service().call({
        path: ATMS,
        as: { application: BUDGET },
        headers: { 'Ocp-Apim-Subscription-Key': small.key },
      });
    expect(await times(2, call)).toEqual(['200', exceeded]);
  });
});

/** A try without a good key, from wherever the header says. */
const guess = (service: Service, forwardedFor?: string): Promise<Answer> =>
  send(service.url, {
    path: ATMS,
    headers: { 'Ocp-Apim-Subscription-Key': randomUUID(), 'X-Forwarded-For': forwardedFor },
  });

const wrongKey = '401 subscription-key-invalid';
const limited = '429 rate-limited';

describe('the guard against guessing', () => {
  const service = useService({ env: { TRAPEZA_FAILED_AUTH_PER_MINUTE: '3' } });

  it('stops an address after its failed attempts, never a good key from the same address', async () => {
    expect(await times(5, () => guess(service()))).toEqual([wrongKey, wrongKey, wrongKey, limited, limited]);
    const { headers } = await guess(service());
    expect(headers['ratelimit-policy']).toBe('"failed-attempts";q=3;w=60');
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    for (const id of operationIds)
      expect((await service().call(goodRequest(service(), id))).status).toBe(200);
    expect(verdict(await send(service().url, { path: ATMS }))).toBe(limited);
  });

  it('does not believe X-Forwarded-For of anybody', async () => {
    for (const address of ['203.0.113.1', '203.0.113.2', '127.0.0.1', '::1'])
      expect(verdict(await guess(service(), address))).toBe(limited);
  });

  it('does not count requests that lead nowhere', async () => {
    expect((await send(service().url, { path: '/nowhere' })).status).toBe(404);
  });
});

describe('behind a named proxy', () => {
  const service = useService({
    env: { TRAPEZA_FAILED_AUTH_PER_MINUTE: '2', TRAPEZA_TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.5' },
  });

  it('each client of the proxy has its own attempts', async () => {
    for (const address of ['203.0.113.1', '203.0.113.2', '2001:db8::7'])
      expect(await times(3, () => guess(service(), address))).toEqual([wrongKey, wrongKey, limited]);
  });

  it('what stands left of the last foreign hop is not believed', async () => {
    expect(verdict(await guess(service(), '198.51.100.9, 203.0.113.1'))).toBe(limited);
    expect(verdict(await guess(service(), '198.51.100.10, 203.0.113.1, 10.0.0.5'))).toBe(limited);
    expect(verdict(await guess(service(), 'nonsense, 203.0.113.1 , 127.0.0.9'))).toBe(limited);
  });

  it('a request that names nobody counts for the proxy', async () => {
    expect(await times(2, () => guess(service()))).toEqual([wrongKey, wrongKey]);
    expect(verdict(await guess(service(), 'nonsense'))).toBe(limited);
    expect(verdict(await guess(service(), '203.0.113.77'))).toBe(wrongKey);
  });
});
