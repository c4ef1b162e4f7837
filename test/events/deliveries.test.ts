/** From an approval to the receiver: an event is sent, signed, repeated under the same id until it arrives, and then no more. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { engines } from '../support/engines.js';
import { BUDGET, FINANCE } from '../support/operations.js';
import { suspend } from '../support/registry.js';
import { useService } from '../support/use-service.js';
import { answers, openReceiver, type Receiver } from './receiver.js';
import { decide, newConsent, readFeed, registerWebhook } from './support.js';
import { publishedKeys, verifyNotification } from './verify.js';

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine });
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await openReceiver();
    await registerWebhook(service(), receiver.url);
  });
  afterAll(() => receiver.close());
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.respond = answers(204);
  });
  const until = (count: number): Promise<void> => receiver.until(({ length }) => length >= count);

  it('an approval reaches the webhook at once, with ids and the new status alone', async () => {
    const id = await newConsent(service());
    await decide(service(), id, 'approve');
    await until(1);
    const [got] = receiver.received;
    expect(got?.event).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      position: expect.any(Number),
      type: 'consent',
      occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      consentId: id,
      consentType: 'ConfirmationOfFunds',
      consentStatus: 'Valid',
    });
    expect(got?.headers).toMatchObject({
      'content-type': 'application/json',
      'event-id': got?.event.id,
      'user-agent': expect.stringMatching(/^trapeza\/\d/),
    });
  });

  it('is signed as an independent library verifies, and only in the form it was sent', async () => {
    await decide(service(), await newConsent(service()), 'reject');
    await until(1);
    const [got] = receiver.received;
    if (!got) throw new Error('nothing came');
    const keys = await publishedKeys(service().url);
    const now = Math.floor(service().clock.now() / 1000);
    const verified = await verifyNotification(got, keys, now);
    expect(verified.parameters).toMatchObject({ alg: 'ecdsa-p256-sha256', tag: 'trapeza-event' });
    await expect(verifyNotification({ ...got, targetUri: `${got.targetUri}x` }, keys, now)).rejects.toThrow();
    await expect(verifyNotification({ ...got, body: `${got.body} ` }, keys, now)).rejects.toThrow();
    const headers = { ...got.headers, 'event-id': '00000000-0000-4000-8000-000000000000' };
    await expect(verifyNotification({ ...got, headers }, keys, now)).rejects.toThrow();
  });

  it('goes to the address of the consent where it has one', async () => {
    const target = `${receiver.url}/of-one-consent?token=1`;
    const id = await newConsent(service(), { notificationUri: target });
    await decide(service(), id, 'approve');
    await until(1);
    expect(receiver.received.map(({ targetUri }) => targetUri)).toEqual([target]);
  });

  it('has only the feed where the application has no webhook', async () => {
    const id = await newConsent(service(), { application: BUDGET });
    await decide(service(), id, 'reject');
    await service().app.runJobs();
    expect(receiver.received).toEqual([]);
    const { events } = await readFeed(service(), '?limit=500', { application: BUDGET });
    expect(events.map(({ consentId }) => consentId)).toContain(id);
  });

  it('waits while the application is suspended', async () => {
    const id = await newConsent(service());
    await decide(service(), id, 'approve');
    await until(1);
    await suspend(service(), 'application', FINANCE);
    // Nothing can be approved for it now, but an account holder can always withdraw.
    await decide(service(), id, 'revoke');
    await service().app.runJobs();
    expect(receiver.received).toHaveLength(1);
    await suspend(service(), 'application', FINANCE, false);
    await service().app.runJobs();
    expect(receiver.received.map(({ event }) => event.consentId)).toEqual([id, id]);
  });

  it('is told to the metrics, and the log names the host alone', async () => {
    receiver.respond = answers(500);
    const target = `${receiver.url}?token=do-not-tell`;
    await decide(service(), await newConsent(service(), { notificationUri: target }), 'approve');
    await until(1);
    await service().app.runJobs();
    const metrics = await (await fetch(`${service().app.managementUrl}/metrics`)).text();
    expect(metrics).toMatch(/trapeza_event_deliveries_total\{outcome="delivered"\} [1-9]/);
    expect(metrics).toMatch(/trapeza_event_deliveries_total\{outcome="failed"\} [1-9]/);
    expect(metrics).toMatch(/trapeza_event_backlog_seconds \d/);
    const logs = service().logs.join('');
    expect(logs).toContain(`"host":"${new URL(target).host}","outcome":"status 500","attempts":1`);
    expect(logs).not.toContain('do-not-tell');
  });
});
