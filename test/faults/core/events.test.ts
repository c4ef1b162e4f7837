/** Deliveries that come late: what is true now can be told from what was true before. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SECOND } from '../../../src/lib/clock.js';
import { answers, openReceiver, type Receiver } from '../../events/receiver.js';
import { decide, newConsent, readFeed, registerWebhook } from '../../events/support.js';
import { useService } from '../../support/use-service.js';

const service = useService();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  await registerWebhook(service(), receiver.url);
});
afterAll(() => receiver.close());

it('faults 12: an event that is delivered late has the position that it has in the feed', async () => {
  const id = await newConsent(service());
  receiver.respond = answers(500);
  await decide(service(), id, 'approve');
  await receiver.until(({ length }) => length >= 1);
  await service().app.runJobs();
  receiver.respond = answers(204);
  // The next event of the consent waits for its turn.
  await decide(service(), id, 'revoke');
  await service().app.runJobs();
  expect(receiver.received).toHaveLength(1);
  service().clock.advance(12 * SECOND);
  await service().app.runJobs();
  await receiver.until(({ length }) => length >= 3);
  const [first, late, revoked] = receiver.received.map(({ event }) => event);
  expect(late).toEqual(first);
  expect([late?.consentStatus, revoked?.consentStatus]).toEqual(['Valid', 'RevokedByPsu']);
  expect(Number(late?.position)).toBeLessThan(Number(revoked?.position));
  const { events } = await readFeed(service(), '?limit=500');
  expect(events.filter(({ consentId }) => consentId === id)).toEqual([late, revoked]);
});
