/** What the bank announces is an event of every active application: in its feed and, signed, at its webhook. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeAnnouncement } from '../../src/events/announcement.js';
import { DAY, HOUR } from '../../src/lib/clock.js';
import { instantText } from '../../src/lib/instant.js';
import { engines } from '../support/engines.js';
import { ACCOUNTS, BUDGET, FINANCE } from '../support/operations.js';
import { suspend } from '../support/registry.js';
import { type Use, useService, withStore } from '../support/use-service.js';
import { answers, openReceiver, type Receiver } from './receiver.js';
import { decide, newConsent, readFeed, registerWebhook } from './support.js';
import { publishedKeys, verifyNotification } from './verify.js';

const texts = { textEl: 'Αργές απαντήσεις', textEn: 'Slow answers' };
const text = { el: texts.textEl, en: texts.textEn };

const announced = async (service: Use, application = FINANCE) =>
  (await readFeed(service(), '?limit=500', { application })).events.filter(
    ({ announcement }) => announcement,
  );

const statuses = async (service: Use, id: string, application?: string): Promise<unknown[]> =>
  (await announced(service, application))
    .filter(({ announcement }) => announcement?.id === id)
    .map(({ type, announcement }) => `${type} ${announcement?.status}`);

const announcing = (service: Use, receiver: () => Receiver): void => {
  const admin = () => service().app.admin.as({ actor: 'operator:test', role: 'service', reason: 'test' });
  const arrived = (id: string, count: number): Promise<void> =>
    receiver().until((got) => got.filter(({ event }) => event.announcement?.id === id).length >= count);

  it('a planned downtime reaches every application, in full, and so does its end', async () => {
    const from = service().clock.now() + 3 * DAY;
    const id = await admin().announceDowntime({ ...texts, from, to: from + HOUR });
    await admin().cancelDowntime(id);
    for (const application of [FINANCE, BUDGET, ACCOUNTS])
      expect(await statuses(service, id, application)).toEqual(['downtime announced', 'downtime cancelled']);
    const window = { from: instantText(from), to: instantText(from + HOUR) };
    expect((await announced(service)).at(-2)).toEqual({
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/),
      position: expect.any(Number),
      type: 'downtime',
      occurredAt: expect.any(String),
      announcement: { id, status: 'announced', ...window, text },
    });
  });

  it('an incident is sent signed from its first word to its last, one after the other, and can be sent again', async () => {
    const id = await admin().openIncident(texts);
    await arrived(id, 1);
    await admin().updateIncident(id, texts);
    await admin().closeIncident(id, texts);
    await arrived(id, 3);
    const got = receiver().received.filter(({ event }) => event.announcement?.id === id);
    expect(got.map(({ event }) => event.announcement?.status)).toEqual(['opened', 'updated', 'closed']);
    expect(got.map(({ event }) => event.announcement?.to !== undefined)).toEqual([false, false, true]);
    const keys = await publishedKeys(service().url);
    for (const each of got) await verifyNotification(each, keys, Math.floor(service().clock.now() / 1000));
    const [first] = got;
    expect(await admin().redeliverEvent(FINANCE, { eventId: first?.event.id ?? '' })).toBe(true);
    await service().app.runJobs();
    await arrived(id, 4);
    expect(receiver().received.at(-1)?.body).toBe(first?.body);
  });

  it('stands in the feed among the changes of consents, in pages without a gap', async () => {
    const consent = await newConsent(service());
    await decide(service(), consent, 'approve');
    const incident = await admin().openIncident(texts);
    await decide(service(), consent, 'revoke');
    const { events } = await readFeed(service(), '?limit=500');
    const last = events.slice(-4);
    expect(last.slice(1).map(({ type }) => type)).toEqual(['consent', 'incident', 'consent']);
    const page = await readFeed(service(), `?limit=2&after=${last[0]?.id}`);
    expect(page.events).toEqual(last.slice(1, 3));
    const next = await readFeed(service(), new URL(page._links.next?.href ?? '').search);
    expect(next.events).toEqual(last.slice(3));
    await admin().closeIncident(incident, texts);
  });

  it('is not for an application that is suspended', async () => {
    await suspend(service(), 'application', BUDGET);
    const id = await admin().openIncident(texts);
    await suspend(service(), 'application', BUDGET, false);
    expect(await statuses(service, id, BUDGET)).toEqual([]);
    expect(await statuses(service, id)).toEqual(['incident opened']);
    await admin().closeIncident(id, texts);
    expect(await statuses(service, id, BUDGET)).toEqual(['incident closed']);
  });

  it('is written wholly or not at all', async () => {
    const before = (await announced(service)).length;
    const about = { kind: 'incident', status: 'opened', subjectId: 'x', from: 1, to: null, at: 1 } as const;
    const fails = withStore(service(), (db) =>
      db.transaction(async (tx) => {
        await writeAnnouncement(tx, { ...about, ...texts });
        throw new Error('killed');
      }),
    );
    await expect(fails).rejects.toThrow('killed');
    await expect(admin().cancelDowntime('x')).rejects.toThrow('there is no planned downtime');
    expect(await announced(service)).toHaveLength(before);
  });
};

describe.each(engines)('an announcement on %s', (engine) => {
  const service = useService({ engine });
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await openReceiver();
    receiver.respond = answers(204);
    await registerWebhook(service(), receiver.url);
  });
  afterAll(() => receiver.close());
  announcing(service, () => receiver);
});
