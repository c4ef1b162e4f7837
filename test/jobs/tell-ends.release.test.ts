/** What a third party is told before an authentication or a consent ends: once each, seven days ahead, on any number of nodes. */
import { afterEach, describe, expect, it } from 'vitest';
import { DAY } from '../../src/lib/clock.js';
import { addAccess, pathOf, read } from '../api/ais/support.js';
import { readFeed } from '../events/support.js';
import { addFundsConsent } from '../support/consents.js';
import { createDatabase } from '../support/database.js';
import { engines, hasPostgres } from '../support/engines.js';
import { account, approve, moveBankClock, resetSandbox } from '../support/operations.js';
import { type Service, startService } from '../support/service.js';
import { type Use, useService } from '../support/use-service.js';

const noticesOf = async (service: Service, consentId: string) => {
  const { events } = await readFeed(service, '?limit=500');
  return events
    .filter((each) => each.consentId === consentId)
    .map(({ notice, consentStatus, scaValidUntil, validUntil }) => ({
      notice,
      consentStatus,
      until: Date.parse(scaValidUntil ?? validUntil ?? ''),
    }));
};

const kindsOf = async (service: Service, id: string) =>
  (await noticesOf(service, id)).map(({ notice }) => notice);

const advance = async (service: Use, days: number): Promise<void> => {
  await moveBankClock(service(), `P${days}D`);
  await service().app.runJobs();
  await service().app.runJobs();
};

const renew = async (service: Use, id: string): Promise<void> => {
  const started = await service().call({
    method: 'POST',
    path: `/ais/psd2/v1/consents/${id}/authorisations`,
  });
  expect(started.status, started.text).toBe(201);
  await approve(service(), id);
};

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine });
  afterEach(() => resetSandbox(service()));

  it('an authentication: seven days ahead, once, and anew after a renewal', async () => {
    const access = await addAccess(service(), { scaAgeMs: 0, expiresInMs: 1000 * DAY });
    const scaAt = service().clock.now();
    await advance(service, 172);
    expect(await noticesOf(service(), access.id)).toEqual([]);
    await advance(service, 2);
    const [told, ...more] = await noticesOf(service(), access.id);
    expect([told?.notice, told?.consentStatus, more]).toEqual(['authentication-ends', 'Valid', []]);
    expect(Math.abs((told?.until ?? 0) - scaAt - 180 * DAY)).toBeLessThan(60_000);
    await advance(service, 3);
    expect(await kindsOf(service(), access.id)).toEqual(['authentication-ends']);
    await renew(service, access.id);
    const renewed = (await noticesOf(service(), access.id)).at(-1);
    expect(renewed?.notice).toBe('renewed');
    expect(Math.abs((renewed?.until ?? 0) - scaAt - (177 + 180) * DAY)).toBeLessThan(60_000);
    // The events before that are no longer kept by then.
    await advance(service, 172);
    expect(await kindsOf(service(), access.id)).toEqual([]);
    await advance(service, 2);
    expect(await kindsOf(service(), access.id)).toEqual(['authentication-ends']);
  });

  it('a clock that jumped over the seven days is told late, but told, while the consent is Valid', async () => {
    const access = await addAccess(service(), { scaAgeMs: 0, expiresInMs: 1000 * DAY });
    await advance(service, 200);
    expect(await kindsOf(service(), access.id)).toEqual(['authentication-ends']);
    await resetSandbox(service());
    const gone = await addAccess(service(), { scaAgeMs: 0, expiresInMs: 100 * DAY });
    await advance(service, 101);
    expect(await kindsOf(service(), gone.id)).toEqual([undefined]);
  });

  it('a consent: once, if it was to last longer than that, and no other kind of end', async () => {
    const access = await addAccess(service(), { scaAgeMs: 0, expiresInMs: 30 * DAY });
    const short = await addAccess(service(), { scaAgeMs: 0, expiresInMs: 6 * DAY });
    const funds = await addFundsConsent(service(), {
      psu: 'eleni',
      accounts: [account('eleni', 102)],
      status: 'Valid',
      expiresInMs: 30 * DAY,
    });
    const oneOff = await addAccess(service(), { recurring: false, scaAgeMs: 0, expiresInMs: 30 * DAY });
    await advance(service, 22);
    expect(await kindsOf(service(), access.id)).toEqual([]);
    expect((await read(service(), oneOff, pathOf('getAccounts', oneOff.first))).status).toBe(200);
    await advance(service, 2);
    expect(await kindsOf(service(), access.id)).toEqual(['consent-ends']);
    expect(await kindsOf(service(), funds)).toEqual(['consent-ends']);
    await advance(service, 7);
    // No notice any more: its end.
    expect(await kindsOf(service(), access.id)).toEqual(['consent-ends', undefined]);
    for (const id of [short.id, oneOff.id]) expect(await kindsOf(service(), id)).toEqual([undefined]);
  });
});

describe.runIf(hasPostgres)('five nodes at once', () => {
  it('tell each end once', async () => {
    const database = await createDatabase('postgres');
    const nodes: Service[] = [];
    try {
      for (let count = 0; count < 5; count += 1)
        nodes.push(await startService({ databaseUrl: database.url }));
      const [first] = nodes;
      if (!first) throw new Error('no node');
      const wanted = Array.from({ length: 40 }, () => ({ scaAgeMs: 174 * DAY, expiresInMs: 300 * DAY }));
      const ids = [];
      for (const each of wanted) ids.push((await addAccess(first, each)).id);
      await Promise.all(nodes.map((node) => node.app.runJobs()));
      const { events } = await readFeed(first, '?limit=500');
      const told = events.filter(({ notice }) => notice !== undefined).map(({ consentId }) => consentId);
      expect(told.toSorted()).toEqual(ids.toSorted());
    } finally {
      for (const node of nodes) await node.close();
      await database.drop();
    }
  });
});
