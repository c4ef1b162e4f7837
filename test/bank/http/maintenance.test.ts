/** A core under maintenance says when it ends: third parties, people and operators learn it, and the core is used again at once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BankUnavailable, dependableBank } from '../../../src/bank/guard/module.js';
import { addRequest, hiddenFields, Visitor } from '../../account-pages/approve-support.js';
import { send, useSimulators } from '../../core-kit/simulator/use-simulator.js';
import { account, FUNDS, fundsBody } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { bankWith } from '../banks.js';
import { behaves, somebody, useTestCore } from './raw-core.js';

const question = { accountId: 'a', currency: 'EUR', amountMinor: 1n, context: somebody } as const;

describe('integrator S10: a 503 with Retry-After', () => {
  const { core, adapter } = useTestCore();
  const says = (headers: Record<string, string>) => {
    core.behave = (_seen, response) => response.writeHead(503, headers).end();
  };

  it.each([
    ['600', '600'],
    ['0', '1'],
    ['999999999', '86400'],
    ['Sun, 15 Nov 2026 11:30:00 GMT', '7200'],
    ['Sun, 15 Nov 2026 09:00:00 GMT', undefined],
    ['soon', undefined],
  ])('of %s is passed on as %s, once and without a retry', async (told, passedOn) => {
    says({ 'Retry-After': told, Date: 'Sun, 15 Nov 2026 09:30:00 GMT' });
    const before = core.seen.length;
    const error = await adapter()
      .bank.hasFunds(question)
      .catch((each: unknown) => each);
    expect(error).toMatchObject({ slug: 'dependency-unavailable' });
    const { headers } = (error as { details: { headers?: Record<string, string> } }).details;
    expect(headers?.['Retry-After']).toBe(passedOn);
    if (passedOn === undefined) return;
    expect(core.seen.length).toBe(before + 1);
    expect(adapter().told.at(-1)?.outcome).toBe('maintenance');
  });

  it('never opens the breaker', async () => {
    says({ 'Retry-After': '60' });
    for (let times = 0; times < 30; times += 1)
      await adapter()
        .bank.hasFunds(question)
        .catch(() => undefined);
    expect(
      adapter()
        .told.slice(-30)
        .every(({ outcome }) => outcome === 'maintenance'),
    ).toBe(true);
    core.behave = behaves;
    expect(await adapter().bank.hasFunds(question)).toBe(true);
  });

  it('is what a module can say too', async () => {
    const hasFunds = () => Promise.reject(new BankUnavailable('maintenance', { retryAfter: 90 }));
    const bank = dependableBank({ ...bankWith({}), hasFunds }, 1000);
    await expect(bank.hasFunds(question)).rejects.toMatchObject({
      details: { headers: { 'Retry-After': '90' } },
    });
  });
});

describe('a service whose core is under maintenance', () => {
  const simulators = useSimulators('sqlite');
  let service: Service;
  let url = '';
  beforeAll(async () => {
    ({ url } = await simulators().start({ faults: [{ kind: 'maintenance' }] }));
    service = await startService({ env: { TRAPEZA_CORE_URL: url } });
  });
  afterAll(() => service.close());

  it('tells third parties, people and operators when it ends, and works afterwards', async () => {
    const ask = () => service.call({ method: 'POST', path: FUNDS, body: fundsBody() });
    const refused = await ask();
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '600']);

    const ready = await fetch(`${service.app.managementUrl}/health/ready`);
    expect(ready.status).toBe(200);
    const { checks } = (await ready.json()) as { checks: { core: string } };
    expect(checks.core).toMatch(/^maintenance \(until \d{4}-\d{2}-\d{2}T[\d:.]+Z\)$/);

    const id = await addRequest(service, { accounts: [account('eleni', 101)] });
    for (const [lang, words] of [
      ['el', 'Γίνονται εργασίες συντήρησης. Η τράπεζα θα είναι ξανά διαθέσιμη σε 10 λεπτά.'],
      ['en', 'Maintenance work is under way. The bank answers again in 10 minutes.'],
    ]) {
      const visitor = new Visitor(service);
      const form = await visitor.get(`/authorise/${id}?lang=${lang}`);
      const fields = { ...hiddenFields(form.text), username: 'eleni', password: 'eleni-demo' };
      const page = await visitor.post(`/authorise/${id}/login`, fields);
      expect(page.status).toBe(503);
      expect(page.text).toContain(words);
    }

    await send(url, 'PUT', '/simulator/faults', []);
    expect((await ask()).status).toBe(200);
  });
});
