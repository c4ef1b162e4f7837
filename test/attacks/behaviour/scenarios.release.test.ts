/** The whole catalogue of scenarios: each gives its status and code, and a rehearsed refusal changes nothing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAccount } from '../../../packages/sandbox/src/bank/people.js';
import { orderWishes, scenariosOf } from '../../../packages/sandbox/src/scenarios/catalogue.js';
import { problemSlugs } from '../../../src/http/problem-schema.js';
import { orderStatuses } from '../../../src/payment/record.js';
import { approved, leftOn, orderIn, orderPath, readOrder, stage } from '../../payment/support.js';
import { type Answer, done, send, slugOf, type Wanted } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { type Service, startService } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { goodRequests, type Pair, pairs, type Requests, rehearsable, storeOf } from './scenario-support.js';

/** Those that are not named after the problem they end in. */
const faults = {
  'core-timeout': '408 processing-timeout PROCESSING_TIMEOUT',
  'core-down': '503 dependency-unavailable DEPENDENCY_UNAVAILABLE',
  'core-garbage': '503 dependency-unavailable DEPENDENCY_UNAVAILABLE',
} as const;

const outcomeOf = (answer: Answer): string => {
  const { error } = (answer.json as { extensions?: { error?: { code?: string } } })?.extensions ?? {};
  return answer.status < 400 ? `${answer.status}` : `${answer.status} ${slugOf(answer)} ${error?.code}`;
};

const HEADER = 'header.Sandbox-Scenario';
interface ValidationBody {
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly extensions: { readonly errors?: Readonly<Record<string, readonly object[]>> };
}

const tiny = { currency: 'EUR', amount: 1 };

const rehearsing = (service: Service, wanted: Wanted, scenario: string): Promise<Answer> =>
  service.call({ ...wanted, headers: { ...wanted.headers, 'Sandbox-Scenario': scenario } });

describe.each(engines)('scenarios on %s', (engine) => {
  const service = useService({ engine, core: 'embedded' });
  let impatient: Service;
  let requests: Requests;
  beforeAll(async () => {
    impatient = await startService({
      databaseUrl: service().databaseUrl,
      env: { TRAPEZA_DEADLINE_MS: '2000' },
    });
    requests = await goodRequests(service());
  });
  afterAll(() => impatient?.close());

  const requestOf = (operationId: string): Wanted => requests[operationId] ?? { path: '/' };

  it('every operation that lists the header is tried', () => {
    expect(Object.keys(requests).sort()).toEqual([...rehearsable].sort());
  });

  it('the catalogue page names every scenario, and problems lead there', async () => {
    const read = async (path: string) => (await send(service().url, { path, outsideContract: true })).text;
    const page = await read('/docs/scenarios');
    const named = [...page.matchAll(/<th scope="row">.*?<code>([\w-]+)<\/code>/g)].map(([, name]) => name);
    const people = service().credentials.psus.map(({ username }) => username);
    expect(named.toSorted()).toEqual([...scenariosOf({ id: 'submitPayment' }), ...people].toSorted());
    expect(await read('/problems/quota-exceeded')).toContain('href="/docs/scenarios"');
  });

  it('every documented refusal of every operation is rehearsed with its status and code, and changes nothing', async () => {
    const before = await storeOf(service());
    const met: Pair[] = [];
    for (const id of rehearsable) {
      const own = pairs.filter(({ operationId }) => operationId === id);
      const ask = async ({ slug }: Pair): Promise<Pair> => {
        const answer = await rehearsing(service(), requestOf(id), slug);
        return { operationId: id, slug, outcome: outcomeOf(answer) };
      };
      met.push(...(await Promise.all(own.map(ask))));
    }
    expect(met).toEqual(pairs);
    expect(pairs.length).toBe(rehearsable.length * problemSlugs.length);
    expect(await storeOf(service())).toEqual(before);
    expect(service().logs.join('\n')).not.toContain('security event');
  });

  it.each(Object.keys(faults) as (keyof typeof faults)[])(
    'mission 4: %s is met by every operation and changes nothing',
    async (scenario) => {
      const node = scenario === 'core-timeout' ? impatient : service();
      const before = await storeOf(service());
      const met = await Promise.all(
        rehearsable.map(async (id) => [id, outcomeOf(await rehearsing(node, requestOf(id), scenario))]),
      );
      expect(met).toEqual(rehearsable.map((id) => [id, faults[scenario]]));
      expect(await storeOf(service())).toEqual(before);
    },
  );

  it('core-late: the usual answer, after one that was asked for later', async () => {
    const order: string[] = [];
    const ask = async (scenario: string | undefined) => {
      const { path, headers } = requestOf('getBalances');
      const answer = await impatient.call({ path, headers: { ...headers, 'Sandbox-Scenario': scenario } });
      order.push(scenario ?? 'plain');
      return answer;
    };
    const [late, plain] = await Promise.all([ask('core-late'), ask(undefined)]);
    expect([late.status, late.json, order]).toEqual([200, plain.json, ['plain', 'core-late']]);
  });

  it('mission 4: a refused write leaves its X-Request-ID free, and a repetition can be rehearsed too', async () => {
    const headers = { 'X-Request-ID': randomUUID() };
    const wanted = {
      method: 'POST',
      path: '/ais/psd2/v1/consents',
      body: { permissions: ['AccountsBasic'] },
      headers,
    };
    expect((await rehearsing(service(), wanted, 'core-down')).status).toBe(503);
    const first = await service().call(wanted);
    expect(first.status).toBe(201);
    expect((await rehearsing(service(), wanted, 'core-down')).status).toBe(503);
    expect((await service().call(wanted)).text).toBe(first.text);
  });

  it('mission 4: an ended consent was still Valid after the rehearsal', async () => {
    const { consentId } = (await stage(service())).json as { consentId: string };
    const path = `/pis/psd2/v1/${consentId}`;
    expect((await rehearsing(service(), { method: 'DELETE', path }, 'core-down')).status).toBe(503);
    expect((await service().call({ path: `${path}/status` })).json).toEqual({ status: 'Received' });
    expect((await service().call({ method: 'DELETE', path })).status).toBe(204);
  });

  it.each([
    ['answer-lost', 'socket hang up'],
    ['answer-timeout', '408 processing-timeout PROCESSING_TIMEOUT'],
  ])('%s: the payment is booked once, and its repetition gets the stored answer', async (scenario, seen) => {
    const consentId = await approved(service());
    const wanted = {
      method: 'POST',
      path: orderPath(consentId),
      headers: { 'X-Request-ID': randomUUID() },
    };
    const { id } = demoAccount(101);
    const before = await leftOn(service(), id);
    const node = scenario === 'answer-lost' ? service() : impatient;
    const met = await rehearsing(node, wanted, scenario).then(outcomeOf, (error: Error) => error.message);
    expect(met).toBe(seen);
    expect(await leftOn(service(), id)).toBe(before - 1030);
    const again = await service().call(wanted);
    expect([again.status, orderIn(again).transactionStatus]).toEqual([201, 'ACSC']);
    expect((await service().call(wanted)).text).toBe(again.text);
    expect(await leftOn(service(), id)).toBe(before - 1030);
  });

  it('a name that nobody knows is refused with the nearest one, at the operation that it is for', async () => {
    const ask = async (id: string, scenario: string) => {
      const { status, json } = await rehearsing(service(), requestOf(id), scenario);
      const { errors, extensions } = json as ValidationBody;
      return [status, errors?.[HEADER], extensions.errors?.[HEADER]];
    };
    const known = 'is no scenario of this operation';
    expect(await ask('getAtms', 'quota_exeeded')).toEqual([
      400,
      [`${known}; did you mean quota-exceeded?`],
      [{ code: 'unknown', nearest: 'quota-exceeded' }],
    ]);
    const nowhere = [400, [`${known}; /docs/scenarios lists all of them`], [{ code: 'unknown' }]];
    expect(await ask('getAtms', 'x'.repeat(8000))).toEqual(nowhere);
    expect(await ask('getPayment', 'order-ACSP')).toEqual(nowhere);
  });

  // Last: time goes on.
  it('an order gets every status that is asked for, with every reason, and keeps it for a day', async () => {
    const orders: [scenario: string, consentId: string, status: string, settled: string][] = [];
    for (const [scenario, { status }] of orderWishes) {
      const consentId = await approved(service(), { body: { instructedAmount: tiny } });
      const path = orderPath(consentId);
      const answer = await rehearsing(service(), { method: 'POST', path }, scenario);
      expect([scenario, answer.status]).toEqual([scenario, 201]);
      const isFinal = ['ACSC', 'RJCT', 'CANC'].includes(status);
      orders.push([scenario, consentId, status, isFinal ? status : 'ACSC']);
    }
    expect(new Set(orders.map(([, , status]) => status))).toEqual(new Set(orderStatuses));
    const read = async () =>
      Promise.all(
        orders.map(async ([scenario, consentId]) => {
          const { transactionStatus, statusReason } = await readOrder(service(), consentId);
          const isNamed = transactionStatus === 'RJCT';
          return [scenario, transactionStatus, isNamed ? scenario.endsWith(statusReason?.code ?? '?') : true];
        }),
      );
    const pass = async (advance: string): Promise<void> => {
      done(await service().call({ method: 'PUT', path: '/sandbox/clock', body: { advance } }));
      await service().app.runJobs();
    };
    const expected = orders.map(([scenario, , status]) => [scenario, status, true]);
    expect(await read()).toEqual(expected);
    await pass('PT23H');
    expect(await read()).toEqual(expected);
    await pass('PT2H');
    expect(await read()).toEqual(orders.map(([scenario, , , settled]) => [scenario, settled, true]));
  });
});
