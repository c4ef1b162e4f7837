/** What is measured of deliveries: how attempts end, how many receivers take them, and for how long each third party has waited. */

import { Gauge, type Registry } from 'prom-client';
import { type BankTime, type Clock, HOUR } from '../../lib/clock.js';
import type { ClientId } from '../../model/ids.js';
import { createCounter } from '../../observe/counter.js';
import type { Queries } from '../../store/db.js';

/** Those that have waited longest are shown by themselves: enough to be called for, few enough to be kept. */
const SHOWN = 100;
const WAITING = `
  select d.client_id as "clientId", t.name, min(e.occurred_at) as oldest
  from deliveries d join events e on e.id = d.event_id
  join applications a on a.client_id = d.client_id join tpps t on t.id = a.tpp_id
  where d.due_at is not null
  group by d.client_id, t.name order by min(e.occurred_at), d.client_id limit ${SHOWN}`;

interface Waiting {
  readonly clientId: ClientId;
  /** Of the third party. */
  readonly name: string;
  readonly oldest: number;
}

const outcomes = ['delivered', 'failed', 'given up'] as const;
export type DeliveryOutcome = (typeof outcomes)[number];

const states = ['taking', 'failing'] as const;
/** An application that was sent nothing for so long says nothing about the way out. */
const REMEMBERED_MS = HOUR;

/** How the last attempt to each application ended, on this node: one that is dead must not look like a closed way out. */
class Receivers {
  readonly #clock: Pick<Clock, 'elapsed'>;
  readonly #last = new Map<ClientId, { readonly at: number; readonly isTaking: boolean }>();

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  note(clientId: ClientId, isTaking: boolean): void {
    this.#last.set(clientId, { at: this.#clock.elapsed(), isTaking });
  }

  count(isTaking: boolean): number {
    const since = this.#clock.elapsed() - REMEMBERED_MS;
    for (const [clientId, { at }] of this.#last) if (at < since) this.#last.delete(clientId);
    return [...this.#last.values()].filter((each) => each.isTaking === isTaking).length;
  }
}

export interface DeliveryMetricParts {
  readonly registry: Registry;
  readonly db: Queries;
  readonly clock: Pick<Clock, 'elapsed'>;
  /** The bank's time, because events carry it; it differs from real time in the sandbox alone. */
  readonly bankTime: () => Promise<BankTime>;
}

const showWaiting = ({ registry, db, bankTime }: DeliveryMetricParts): void => {
  const registers = [registry];
  const oldest = new Gauge({
    name: 'trapeza_event_backlog_seconds',
    help: 'Age of the oldest event that is still to be delivered',
    registers,
  });
  new Gauge({
    name: 'trapeza_event_waiting_seconds',
    help: `Age of the oldest event that an application still has to get, of the ${SHOWN} that have waited longest`,
    labelNames: ['application', 'tpp'],
    registers,
    async collect() {
      // A store that is away must not take the other figures with it, nor say that all is well.
      const found = await Promise.all([bankTime(), db.all<Waiting>(WAITING)]).catch(() => undefined);
      this.reset();
      oldest.set(found ? 0 : Number.NaN);
      if (!found) return;
      const [now, rows] = found;
      const age = (row: Waiting): number => Math.max(0, now - row.oldest) / 1000;
      for (const row of rows) this.set({ application: row.clientId, tpp: row.name }, age(row));
      const [first] = rows;
      if (first) oldest.set(age(first));
    },
  });
};

/** Returns what counts an ended attempt. */
export const createDeliveryMetrics = (
  parts: DeliveryMetricParts,
): ((outcome: DeliveryOutcome, clientId: ClientId) => void) => {
  const { registry, clock } = parts;
  const attempts = createCounter(registry, {
    name: 'trapeza_event_deliveries_total',
    help: 'Attempts to deliver an event by outcome',
    labels: { outcome: outcomes },
  });
  const receivers = new Receivers(clock);
  new Gauge({
    name: 'trapeza_event_receivers',
    help: 'Applications that were sent something within the hour, by how the last attempt of this node ended',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const state of states) this.set({ state }, receivers.count(state === 'taking'));
    },
  });
  showWaiting(parts);
  return (outcome, clientId) => {
    attempts.inc({ outcome });
    receivers.note(clientId, outcome === 'delivered');
  };
};
