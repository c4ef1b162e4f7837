/** What is measured of deliveries: how they end, and how old the oldest one is that has not ended. */

import { Counter, Gauge, type Registry } from 'prom-client';
import type { BankTime } from '../../lib/clock.js';
import type { Queries } from '../../store/db.js';

const OLDEST = `
  select min(e.occurred_at) as oldest from deliveries d join events e on e.id = d.event_id where d.due_at is not null`;

export type DeliveryOutcome = 'delivered' | 'failed' | 'given up';

/** The bank's time, because events carry it; it differs from real time in the sandbox alone. */
const backlogSeconds = async (db: Queries, bankTime: () => Promise<BankTime>): Promise<number> => {
  const [now, row] = await Promise.all([bankTime(), db.one<{ oldest: number | null }>(OLDEST)]);
  const oldest = row?.oldest ?? null;
  return oldest === null ? 0 : Math.max(0, now - oldest) / 1000;
};

/** Returns what counts an ended attempt. */
export const createDeliveryMetrics = (
  registry: Registry,
  db: Queries,
  bankTime: () => Promise<BankTime>,
): ((outcome: DeliveryOutcome) => void) => {
  const attempts = new Counter({
    name: 'trapeza_event_deliveries_total',
    help: 'Attempts to deliver an event by outcome',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  new Gauge({
    name: 'trapeza_event_backlog_seconds',
    help: 'Age of the oldest event that is still to be delivered',
    registers: [registry],
    async collect() {
      // A store that is away must not take the other figures with it.
      this.set(await backlogSeconds(db, bankTime).catch(() => 0));
    },
  });
  return (outcome) => attempts.inc({ outcome });
};
