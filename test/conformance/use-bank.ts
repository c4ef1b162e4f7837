/** A sandbox whose notifications go through a proxy, behind another one if answers are to be altered. */
import { afterAll, beforeAll } from 'vitest';
import type { Engine } from '../support/engines.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { withStore } from '../support/use-service.js';
import { SendingProxy } from './egress.js';
import { AlteringProxy } from './proxy.js';

interface BankInUse {
  readonly service: Service;
  /** Where the kit finds it. */
  readonly url: string;
  readonly proxy: AlteringProxy;
  readonly sending: SendingProxy;
}

/** In the next second, so that it is signed at another time. */
const SOON_MS = 1100;
const BRING_FORWARD = `update deliveries set due_at = ? where due_at > ?
  and client_id in (select client_id from deliveries where attempts = 1 and due_at is not null)`;

/** What was refused is tried again soon instead of ten seconds later. */
const hurry = (service: Service): Promise<unknown> =>
  withStore(service, (db) =>
    until(async () => {
      const soon = service.clock.now() + SOON_MS;
      return (await db.run(BRING_FORWARD, [soon, soon])) > 0;
    }),
  );

export const useBank = ({ engine, isBehind }: { engine: Engine; isBehind: boolean }): (() => BankInUse) => {
  const proxy = new AlteringProxy();
  const sending = new SendingProxy();
  let service: Service | undefined;
  beforeAll(async () => {
    await proxy.up();
    const env = { TRAPEZA_EGRESS_PROXY: await sending.up(), ...(isBehind ? { BASE_URL: proxy.url } : {}) };
    const started = await startService({ engine, env });
    proxy.target = started.app.listenUrl;
    sending.onRefused = () => void hurry(started);
    service = started;
  });
  afterAll(async () => {
    await service?.close();
    await sending.down();
    await proxy.down();
  });
  return () => {
    if (!service) throw new Error('the bank has not started');
    return { service, url: isBehind ? proxy.url : service.url, proxy, sending };
  };
};
