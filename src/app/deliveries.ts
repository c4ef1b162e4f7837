/** The deliverer of this process: what is due in the store, signed with the keys for notifications, woken by every commit. */
import { Deliverer } from '../events/delivery/deliverer.js';
import { createDeliveryMetrics } from '../events/delivery/metrics.js';
import { type Attempt, Sender } from '../events/delivery/sender.js';
import { type NotificationKey, signedHeaders } from '../events/delivery/signature.js';
import { type EventBody, testEvent } from '../events/event.js';
import type { SigningKeys } from '../oauth/signing-keys.js';
import type { AccessRooms } from './access.js';
import type { Foundation } from './foundation.js';

const notificationKey = async (keys: SigningKeys): Promise<NotificationKey> => {
  const { key, privateKey } = await keys.current();
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
  return {
    keyid: key.kid,
    sign: async (data) => Buffer.from(await crypto.subtle.sign(algorithm, privateKey, new Uint8Array(data))),
  };
};

/** One attempt, of which nothing is kept. */
export const testSender = (base: Foundation, { webhookKeys }: AccessRooms) => {
  const { config, clock, bankTime, reach } = base;
  const sender = new Sender({ reach, proxy: config.egressProxy });
  return async (target: string): Promise<Attempt & { readonly event: EventBody }> => {
    const event = testEvent(await bankTime());
    const body = JSON.stringify(event);
    const key = await notificationKey(webhookKeys);
    const headers = await signedHeaders({ target, eventId: event.id, body }, key, clock.now());
    return { ...(await sender.send(target, headers, body)), event };
  };
};

export const openDeliverer = (base: Foundation, { webhookKeys }: AccessRooms): Deliverer => {
  const { config, db, storeClock: clock, log, metrics, reach, bankTime, announcer } = base;
  const deliverer = new Deliverer({
    db,
    clock,
    log,
    sender: new Sender({ reach, proxy: config.egressProxy }),
    key: () => notificationKey(webhookKeys),
    count: createDeliveryMetrics({ registry: metrics.registry, db, clock, bankTime }),
  });
  announcer.listen(() => deliverer.wake());
  return deliverer;
};
