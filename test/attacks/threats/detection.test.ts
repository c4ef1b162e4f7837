/** What an attacker does is seen: every refusal that matters is a security event, and so are patterns over many calls. */
import { randomUUID } from 'node:crypto';
import { composeIBAN } from 'ibantools';
import { describe, expect, it } from 'vitest';
import { addAccess, read } from '../../ais/support.js';
import { DashboardVisitor } from '../../dashboard/support.js';
import { authorize, discover, postToken, redemptionOf } from '../../oauth/provider-journey.js';
import { getSeal, signed } from '../../signature/support.js';
import { done, send } from '../../support/client.js';
import { leaksIn } from '../../support/leaks.js';
import {
  ATMS,
  account,
  BUDGET,
  CARD,
  FINANCE,
  FUNDS,
  fundsBody,
  ibanOf,
  psuId,
} from '../../support/operations.js';
import { suspend } from '../../support/registry.js';
import type { Service } from '../../support/service.js';
import { useService } from '../../support/use-service.js';
import { addRequest, hiddenFields, Visitor } from '../../web/approve-support.js';
import { attackVolume } from '../volume.js';

interface Line {
  readonly event?: string;
  readonly kind?: string;
  readonly reason?: string;
  readonly user?: string;
  readonly person?: string;
  readonly address?: string;
  readonly clientId?: string;
  readonly requestId?: string;
}

const eventsOf = ({ logs }: Service): Line[] =>
  logs
    .join('')
    .split('\n')
    .filter((line) => line.includes('"event":"security"'))
    .map((line) => JSON.parse(line) as Line);

const counted = async ({ app }: Service, kind: string): Promise<number> => {
  const metrics = await (await fetch(`${app.managementUrl}/metrics`)).text();
  const line = new RegExp(`^trapeza_security_events_total\\{kind="${kind}"\\} (\\d+)$`, 'm').exec(metrics);
  return Number(line?.[1] ?? Number.NaN);
};

/** The events that an attack has raised; each has been counted too. */
const raised = async (service: Service, attack: () => Promise<unknown>): Promise<Line[]> => {
  const before = eventsOf(service).length;
  await attack();
  const events = eventsOf(service).slice(before);
  for (const { kind = '' } of events) expect(await counted(service, kind)).toBeGreaterThan(0);
  return events;
};

const HASH = expect.stringMatching(/^[\w-]{16}$/);

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
      .filter((line) => line.includes('"event":"security"'));
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
