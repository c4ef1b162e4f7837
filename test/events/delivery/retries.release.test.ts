/** A receiver that fails is asked again on the schedule, with the same bytes, for three days; others do not wait for it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryDelay, retryDelays } from '../../../src/events/delivery/schedule.js';
import { DAY, HOUR, SECOND } from '../../../src/lib/clock.js';
import { createDatabase } from '../../support/database.js';
import { engines, hasPostgres } from '../../support/engines.js';
import { BUDGET } from '../../support/operations.js';
import { type Service, startService } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';
import { answers, openReceiver, type Receiver } from '../receiver.js';
import { decide, newConsent, registerWebhook } from '../support.js';
import { publishedKeys, verifyNotification } from '../verify.js';

describe('the schedule', () => {
  it('grows from ten seconds to six hours and ends within three days', () => {
    expect(retryDelays.slice(0, 8).map((ms) => ms / SECOND)).toEqual([
      10, 30, 60, 300, 900, 3600, 10_800, 21_600,
    ]);
    const whole = retryDelays.reduce((sum, ms) => sum + ms, 0);
    expect(whole).toBeLessThanOrEqual(3 * DAY);
    expect(whole).toBeGreaterThan(3 * DAY - 6 * HOUR);
  });

  it('is blurred by a tenth, and over after the last attempt', () => {
    expect([retryDelay(1, 0), retryDelay(1, 0.5), retryDelay(1, 1)]).toEqual([9000, 10_000, 11_000]);
    expect(retryDelay(retryDelays.length, 0.5)).toBe(6 * HOUR);
    expect(retryDelay(retryDelays.length + 1, 0.5)).toBeUndefined();
  });
});

interface Delivery {
  readonly attempts: number;
  readonly due_at: number | null;
  readonly outcome: string | null;
}

const deliveriesOf = (service: Service, consentId: string): Promise<Delivery[]> =>
  withStore(service, (db) =>
    db.all<Delivery>(
      `select d.attempts, d.due_at, d.outcome from deliveries d join events e on e.id = d.event_id where e.consent_id = ?`,
      [consentId],
    ),
  );

describe.each(engines)('on %s', (engine) => {
  const service = useService({ engine });
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await openReceiver();
    await registerWebhook(service(), receiver.url);
  });
  afterEach(async () => {
    await registerWebhook(service(), null);
    await receiver.close();
  });

  /** A failed first attempt, not yet due again. */
  const failed = async (): Promise<string> => {
    const id = await newConsent(service());
    await decide(service(), id, 'approve');
    await receiver.until(({ length }) => length === 1);
    await service().app.runJobs();
    return id;
  };

  it.each([
    ['400', answers(400)],
    ['500', answers(500)],
    ['503', answers(503)],
    ['302', answers(302, { Location: '/elsewhere' })],
    ['a broken connection', ((response) => void response.destroy()) satisfies Receiver['respond']],
  ])(
    '%s is tried again, not before its time, with the same bytes under the same id',
    async (_what, respond) => {
      receiver.respond = respond;
      const id = await failed();
      expect(await deliveriesOf(service(), id)).toMatchObject([{ attempts: 1 }]);
      service().clock.advance(5 * SECOND);
      await service().app.runJobs();
      expect(receiver.received).toHaveLength(1);
      receiver.respond = answers(202);
      service().clock.advance(7 * SECOND);
      await service().app.runJobs();
      const [first, second] = receiver.received;
      expect(receiver.received).toHaveLength(2);
      expect(second?.body).toBe(first?.body);
      expect(second?.headers['event-id']).toBe(first?.headers['event-id']);
      expect(await deliveriesOf(service(), id)).toEqual([
        { attempts: 2, due_at: null, outcome: 'status 202' },
      ]);
      service().clock.advance(3 * DAY);
      await service().app.runJobs();
      // Time has ended other consents meanwhile.
      expect(receiver.received.filter(({ event }) => event.consentId === id)).toHaveLength(2);
    },
  );

  it('every attempt is signed anew, so that its time is true', async () => {
    receiver.respond = answers(500);
    await failed();
    service().clock.advance(12 * SECOND);
    await service().app.runJobs();
    const keys = await publishedKeys(service().url);
    const created = [];
    for (const each of receiver.received)
      created.push(
        (await verifyNotification(each, keys, Math.floor(service().clock.now() / 1000))).parameters.created,
      );
    expect((created[1] ?? 0) - (created[0] ?? 0)).toBeGreaterThanOrEqual(11);
  });

  it('is given up after the last attempt, and that is told', async () => {
    receiver.respond = answers(500);
    const id = await failed();
    for (const delay of retryDelays) {
      service().clock.advance(delay * 1.2);
      await service().app.runJobs();
    }
    expect(receiver.received).toHaveLength(retryDelays.length + 1);
    expect(await deliveriesOf(service(), id)).toEqual([
      { attempts: retryDelays.length + 1, due_at: null, outcome: 'given up: not reached' },
    ]);
    expect(service().logs.join('')).toMatch(/"outcome":"status 500","attempts":19,"msg":"delivery given up"/);
  });
});

describe('a receiver that does not answer', () => {
  const service = useService();

  it('keeps nobody else waiting, and its attempts end', async () => {
    const [silent, other] = [await openReceiver(), await openReceiver()];
    silent.respond = () => undefined;
    await registerWebhook(service(), silent.url);
    await registerWebhook(service(), other.url, BUDGET);
    const ids = await Promise.all(Array.from({ length: 5 }, () => newConsent(service())));
    for (const id of ids) await decide(service(), id, 'reject');
    await silent.until(({ length }) => length >= 4);
    await decide(service(), await newConsent(service(), { application: BUDGET }), 'reject');
    await other.until(({ length }) => length === 1);
    // No more than a few at once.
    expect(silent.received).toHaveLength(4);
    silent.respond = answers(204);
    await service().app.runJobs();
    const outcomes = (await Promise.all(ids.map((id) => deliveriesOf(service(), id)))).flat();
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([...Array(4).fill('not reached'), 'status 204']);
    await Promise.all([silent.close(), other.close()]);
  });
});

describe.runIf(hasPostgres)('two nodes on one database', () => {
  it('send each event once between them', async () => {
    const database = await createDatabase('postgres');
    const nodes = [
      await startService({ databaseUrl: database.url }),
      await startService({ databaseUrl: database.url }),
    ] as const;
    const receiver = await openReceiver();
    try {
      const [first, second] = nodes;
      await registerWebhook(first, receiver.url);
      const ids = [];
      for (let count = 0; count < 15; count += 1) ids.push(await newConsent(first));
      // Both look for what is due again and again while it comes.
      for (const [index, id] of ids.entries()) {
        await decide(nodes[index % 2 === 0 ? 0 : 1], id, 'reject');
        void second.app.runJobs();
      }
      await Promise.all(nodes.map((node) => node.app.runJobs()));
      await receiver.until(({ length }) => length >= ids.length);
      await Promise.all(nodes.map((node) => node.app.runJobs()));
      expect(receiver.received.map(({ event }) => event.consentId).toSorted()).toEqual(ids.toSorted());
    } finally {
      for (const node of nodes) await node.close();
      await receiver.close();
      await database.drop();
    }
  });
});
