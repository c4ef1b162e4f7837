/** Attacks whose calls are fine one by one: the pattern is seen, and raises a security event. */
import { composeIBAN } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { addAccess, read } from '../../api/ais/support.js';
import { CARD, FINANCE, FUNDS, fundsBody, ibanOf } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { attackVolume } from '../volume.js';
import { counted, eventsOf, raised } from './events.js';

const ibanNumber = (index: number): string =>
  composeIBAN({ countryCode: 'GR', bban: `9990001${String(index).padStart(16, '0')}` }) ?? '';

describe('patterns over many calls are security events', () => {
  const use = useService();

  it('T-19: an application that asks for many accounts without a consent', async () => {
    const service = use();
    const ask = (iban: string) =>
      service.call({ method: 'POST', path: FUNDS, body: fundsBody({ account: { iban } }) });
    const once = await raised(service, async () => {
      // The same account again and again is a stale list of cards, not a search.
      for (let index = 0; index < 40; index += 1) expect((await ask(ibanNumber(700_000))).status).toBe(403);
    });
    expect(once).toEqual([]);
    const accounts = attackVolume(40, 1000);
    const answers = new Set<string>();
    const events = await raised(service, async () => {
      for (let index = 0; index < accounts; index += 1) {
        const iban = index % 2 === 0 ? ibanNumber(800_000 + index) : ibanOf('nikos', 201);
        const { status, json } = await ask(index % 4 === 1 ? iban : ibanNumber(800_000 + index));
        const { instance: _instance, ...rest } = json as Record<string, unknown>;
        answers.add(JSON.stringify([status, rest]));
      }
    });
    expect(answers.size).toBe(1);
    expect(events[0]).toMatchObject({ kind: 'account-probing', clientId: FINANCE });
    expect(await counted(service, 'account-probing')).toBeGreaterThanOrEqual(
      Math.floor((accounts * 0.75) / 20),
    );
  });

  const ask = async (service: Service, amount: number, application = FINANCE): Promise<boolean> => {
    const instructedAmount = { currency: 'EUR', amount };
    const answer = await service.call({
      method: 'POST',
      path: FUNDS,
      body: fundsBody({ instructedAmount }),
      as: { application },
    });
    return (answer.json as { fundsAvailable: boolean }).fundsAvailable;
  };

  it('T-23: purchases of any amounts are no search for a balance', async () => {
    const service = use();
    const amounts = [
      12.5, 80, 3000, 45.9, 2500, 9.99, 150, 20, 33.4, 700, 61, 18.2, 240, 5, 90, 2400, 77, 10,
    ];
    const events = await raised(service, async () => {
      for (const amount of amounts) await ask(service, amount);
    });
    expect(events).toEqual([]);
  });

  it.each([
    ['alone', FINANCE, 0],
    ['among other questions', CARD, 1],
  ])(
    'T-23: a search for a balance, %s, raises the event before it has found it',
    async (_how, application, decoys) => {
      const service = use();
      // In cents.
      let [low, high] = [0, 1_000_000];
      let widthAtEvent = 0;
      const seen = eventsOf(service).length;
      while (high - low > 1) {
        const amount = Math.floor((low + high) / 2);
        if (await ask(service, amount / 100, application)) low = amount;
        else high = amount;
        for (let index = 0; index < decoys; index += 1) await ask(service, 1 + index, application);
        if (widthAtEvent === 0 && eventsOf(service).length > seen) widthAtEvent = high - low;
      }
      expect(eventsOf(service).at(-1)).toMatchObject({ kind: 'funds-bisection', clientId: application });
      expect(widthAtEvent).toBeGreaterThan(100);
    },
  );

  it('T-51: reads of one consent that claim ever new addresses of the account holder', async () => {
    const service = use();
    const access = await addAccess(service);
    const path = '/ais/psd2/v1/accounts';
    const from = (address: string) => read(service, access, path, { headers: { 'PSU-IP-Address': address } });
    const honest = await raised(service, async () => {
      // One home network, and a phone on its way.
      for (let index = 1; index <= 30; index += 1)
        expect((await from(`2001:db8:1:1::${index}`)).status).toBe(200);
      for (let index = 1; index <= 8; index += 1) await from(`198.51.100.${index}`);
    });
    expect(honest).toEqual([]);
    const calls = attackVolume(30, 10_000);
    const events = await raised(service, async () => {
      for (let index = 0; index < calls; index += 1) await from(`10.${index >> 8}.${index & 255}.1`);
    });
    expect(events[0]).toMatchObject({ kind: 'presence-doubtful', clientId: FINANCE });
  });
});
