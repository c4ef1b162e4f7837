/** What surprised readers of account data: which accounts a consent covers, and when a used-up read is free again. */
import { describe, expect, it } from 'vitest';
import { historyBank } from '../../api/ais/history-bank.js';
import { addAccess, pathOf, readIds, readUnattended } from '../../api/ais/support.js';
import { decide } from '../../payment/support.js';
import { slugOf } from '../../support/client.js';
import { engines } from '../../support/engines.js';
import { account, ibanOf, statusPath } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService } from '../../support/use-service.js';

const DAY_MS = 86_400_000;

const create = async (service: Service, path: string, body: object, psu: string): Promise<string> => {
  const answer = await service.call({ method: 'POST', path, body, as: { psu } });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.json as { consentId: string }).consentId;
};

const detailsOf = async (service: Service, path: string, psu: string): Promise<Record<string, unknown>> =>
  ((await service.call({ path, as: { psu } })).json as { details: Record<string, unknown> }).details;

describe.each(engines)('the accounts of a consent on %s', (engine) => {
  const service = useService({ engine });
  const access = '/ais/psd2/v1/consents';
  const body = { permissions: ['AccountsBasic'] };

  it('mission 10: a read names the accounts that the account holder picked', async () => {
    const id = await create(service(), access, body, 'eleni');
    expect((await detailsOf(service(), `${access}/${id}`, 'eleni')).accounts).toBeUndefined();
    await decide(service(), id, 'approve', [ibanOf('eleni', 101)]);
    expect((await detailsOf(service(), `${access}/${id}`, 'eleni')).accounts).toEqual([
      { iban: ibanOf('eleni', 101), currency: 'EUR' },
    ]);
  });

  it('mission 10: of the accounts that the third party named, those that were left out are gone', async () => {
    const [first, second] = [{ iban: ibanOf('eleni', 101) }, { iban: ibanOf('eleni', 102) }];
    const id = await create(service(), access, { ...body, accounts: [first, second] }, 'eleni');
    await decide(service(), id, 'approve', [second.iban]);
    expect((await detailsOf(service(), `${access}/${id}`, 'eleni')).accounts).toEqual([second]);
  });

  it('mission 10: a funds consent names the account that it is for', async () => {
    const path = '/piis/psd2/v1/consents';
    const named = { iban: ibanOf('eleni', 101) };
    const id = await create(service(), path, { account: named }, 'eleni');
    await decide(service(), id, 'approve');
    expect((await detailsOf(service(), `${path}/${id}`, 'eleni')).account).toEqual(named);
    const other = await create(service(), path, { account: named }, 'eleni');
    await decide(service(), other, 'approve', [ibanOf('eleni', 102)]);
    const { iban, currency } = account('eleni', 102);
    expect((await detailsOf(service(), `${path}/${other}`, 'eleni')).account).toEqual({ iban, currency });
  });

  it('mission 10: the status of the contract gains no member', async () => {
    const id = await create(service(), access, body, 'eleni');
    await decide(service(), id, 'approve', [ibanOf('eleni', 101)]);
    expect((await service().call({ path: statusPath(id), as: { psu: 'eleni' } })).json).toEqual({
      status: 'Valid',
    });
  });
});

describe('reads without the account holder', () => {
  const service = useService({ bank: historyBank() });

  it.each(readIds)(
    'item 7: the refusal of %s says in its body which kind and when it is free',
    async (id) => {
      const used = await addAccess(service(), { frequencyPerDay: 1 });
      const path = pathOf(id, used.first);
      const before = service().clock.now();
      expect((await readUnattended(service(), used, path)).status).toBe(200);
      const refused = await readUnattended(service(), used, path);
      const { extensions } = refused.json as { extensions: { access: { kind: string; retryAt: string } } };
      expect([refused.status, slugOf(refused)]).toEqual([429, 'access-exceeded']);
      expect(extensions).toEqual({
        error: { code: 'ACCESS_EXCEEDED', retryable: true, advice: 'wait' },
        access: { kind: extensions.access.kind, limit: 1, retryAt: expect.stringMatching(/Z$/) },
      });
      expect(`get${extensions.access.kind}`.toLowerCase()).toBe(id.toLowerCase());
      // Bank time is whole and may differ from ours by the age of the call.
      const free = Date.parse(extensions.access.retryAt) - before;
      expect(free).toBeGreaterThan(DAY_MS - 2000);
      expect(free).toBeLessThan(DAY_MS + 180_000);
    },
  );

  it('item 7: a one-off consent that is used up cannot be retried', async () => {
    const used = await addAccess(service(), { recurring: false, frequencyPerDay: 1 });
    const path = pathOf('getBalances', used.first);
    expect((await readUnattended(service(), used, path)).status).toBe(200);
    const refused = await readUnattended(service(), used, path);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, undefined]);
    expect(refused.json).toMatchObject({
      extensions: {
        error: { retryable: false, advice: 'new-consent' },
        access: { kind: 'balances', limit: 1 },
      },
    });
  });
});
