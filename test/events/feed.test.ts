/** The feed of events: every later change of an application's consents, in order, for that application and nobody else. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { writeEvent } from '../../src/events/outbox.js';
import { commonStatuses } from '../api/common-statuses.js';
import { slugOf } from '../support/client.js';
import { engines } from '../support/engines.js';
import { ACCOUNTS, BUDGET, CARD, EVENTS, freshToken, moveBankClock } from '../support/operations.js';
import { type Use, useService, withStore } from '../support/use-service.js';
import { decide, newConsent, readFeed } from './support.js';

const statusesOf = async (service: Use, consentId: string): Promise<unknown[]> =>
  (await readFeed(service(), '?limit=500')).events
    .filter((event) => event.consentId === consentId)
    .map(({ consentStatus }) => consentStatus);

const changes = (service: Use): void => {
  it('a creation is no event; approval and withdrawal are, in this order', async () => {
    const id = await newConsent(service());
    expect(await statusesOf(service, id)).toEqual([]);
    await decide(service(), id, 'approve');
    await decide(service(), id, 'revoke');
    expect(await statusesOf(service, id)).toEqual(['Valid', 'RevokedByPsu']);
  });

  it('a refusal and an end by the third party itself are events', async () => {
    const refused = await newConsent(service());
    await decide(service(), refused, 'reject');
    expect(await statusesOf(service, refused)).toEqual(['Rejected']);
    const ended = await newConsent(service());
    for (let times = 0; times < 2; times += 1) {
      const path = `/piis/psd2/v1/consents/${ended}`;
      expect((await service().call({ method: 'DELETE', path })).status).toBe(204);
    }
    expect(await statusesOf(service, ended)).toEqual(['TerminatedByTpp']);
  });

  it('a recurring access that takes the place of another one gives an event for each', async () => {
    const create = async (): Promise<string> => {
      const body = { permissions: ['AccountsBasic'], recurring: true };
      const answer = await service().call({ method: 'POST', path: '/ais/psd2/v1/consents', body });
      return (answer.json as { consentId: string }).consentId;
    };
    const [older, newer] = [await create(), await create()];
    await decide(service(), older, 'approve');
    await decide(service(), newer, 'approve');
    expect(await statusesOf(service, older)).toEqual(['Valid', 'TerminatedByTpp']);
    expect(await statusesOf(service, newer)).toEqual(['Valid']);
  });

  it('a payment order is told with its own id and status', async () => {
    const { id: consentId } = service().consent('PaymentInitiation');
    const paymentId = randomUUID();
    const event = {
      clientId: service().credentials.applications[0]?.clientId ?? '',
      kind: 'payment',
      consentId,
      consentKind: 'PaymentInitiation',
      paymentId,
      status: 'ACSC',
      at: service().clock.now(),
    } as const;
    await withStore(service(), (db) => db.transaction((tx) => writeEvent(tx, event)));
    const { events } = await readFeed(service(), '?limit=500');
    expect(events.at(-1)).toEqual({
      id: expect.any(String),
      position: expect.any(Number),
      type: 'payment',
      occurredAt: expect.any(String),
      consentId,
      consentType: 'PaymentInitiation',
      paymentId,
      transactionStatus: 'ACSC',
    });
  });
};

const pages = (service: Use): void => {
  it('is read in pages without a gap or a repetition, and can always be continued', async () => {
    const as = { application: BUDGET };
    for (let count = 0; count < 5; count += 1)
      await decide(service(), await newConsent(service(), as), 'reject');
    const whole = (await readFeed(service(), '?limit=500', as)).events.map(({ id }) => id);
    const seen: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { events, _links } = await readFeed(service(), query, as);
      const { href = '' } = _links.next ?? {};
      expect(href).toBe(`${service().url}${EVENTS}?after=${events.at(-1)?.id ?? seen.at(-1)}&limit=2`);
      query = new URL(href).search;
      if (events.length === 0) break;
      seen.push(...events.map(({ id }) => id));
    }
    expect(seen).toEqual(whole);
    await decide(service(), await newConsent(service(), as), 'reject');
    expect((await readFeed(service(), query, as)).events).toHaveLength(1);
  });

  it('has nothing to continue from while there was no event', async () => {
    expect(await readFeed(service(), '', { application: ACCOUNTS })).toEqual({ events: [], _links: {} });
  });
};

const owners = (service: Use): void => {
  it('shows an application its own events alone, whoever its token stands for', async () => {
    const id = await newConsent(service(), { application: CARD });
    await decide(service(), id, 'reject');
    const own = await readFeed(service(), '?limit=500', { application: CARD, psu: 'nikos' });
    expect(own.events.map(({ consentId }) => consentId)).toContain(id);
    for (const application of [BUDGET, ACCOUNTS]) {
      const { events } = await readFeed(service(), '?limit=500', { application });
      expect(events.map(({ consentId }) => consentId)).not.toContain(id);
    }
  });
};

const badQueries = (service: Use): void => {
  it.each(['after=x', 'after=1', 'limit=0', 'limit=501', 'limit=ten', 'limit=1.5', 'limit=1&limit=2'])(
    'refuses %s',
    async (query) => {
      const answer = await service().call({ path: `${EVENTS}?${query}` });
      expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-query']);
    },
  );

  it('refuses an unknown or foreign event to continue from, alike, and says how to begin', async () => {
    await decide(service(), await newConsent(service(), { application: BUDGET }), 'reject');
    const foreign = (await readFeed(service(), '?limit=500', { application: BUDGET })).events.at(-1)?.id;
    for (const after of [randomUUID(), foreign]) {
      const answer = await service().call({ path: `${EVENTS}?after=${after}` });
      expect([answer.status, slugOf(answer)]).toEqual([400, 'page-expired']);
      const { errors } = answer.json as { errors: Record<string, string[]> };
      expect(errors['query.after']?.[0]).toContain('leave it out');
    }
  });

  it('demands a request id like every call', async () => {
    const answer = await service().call({ path: EVENTS, headers: { 'X-Request-ID': undefined } });
    expect([answer.status, slugOf(answer)]).toEqual([400, 'invalid-header']);
  });
};

/** Last, because it moves the bank's clock. */
const time = (service: Use): void => {
  it('what time does is an event, once it is written down', async () => {
    const id = await newConsent(service());
    await moveBankClock(service(), 'P2D');
    await service().app.runJobs();
    const headers = { Authorization: `Bearer ${await freshToken(service())}` };
    const answer = await service().call({ path: `${EVENTS}?limit=500`, headers });
    const { events } = answer.json as { events: { consentId: string; consentStatus: string }[] };
    const own = events.filter(({ consentId }) => consentId === id);
    expect(own.map(({ consentStatus }) => consentStatus)).toEqual(['Rejected']);
  });
};

describe.each(engines)('the feed of events on %s', (engine) => {
  const service = useService({ engine });
  describe('200 OK: what is an event', () => changes(service));
  describe('200 OK: pages', () => pages(service));
  describe('200 OK: whose events', () => owners(service));
  describe('400 Bad Request', () => badQueries(service));
  commonStatuses('getEvents', engine, service);
  describe('200 OK: time', () => time(service));
});
