/**
 * Sends the events that are due. Every node has one; a delivery is taken by moving its time ahead, so that in the normal case
 * one node sends it, and when that node dies another one does. Delivered at least once, always under the same event id. What one consent
 * has for one address goes out one after the other, on all nodes: an event waits until those before it have arrived or are given up.
 */

import { randomInt } from 'node:crypto';
import { SECOND, type SharedClock } from '../../lib/clock.js';
import type { ClientId } from '../../model/ids.js';
import { errorFields, type Log } from '../../observe/log.js';
import type { Db } from '../../store/db.js';
import { overAt } from '../../store/deadline.js';
import { OutboxRunner } from '../../store/outbox-runner.js';
import { ANNOUNCED, EVENT_COLUMNS, eventBody, type StatusEvent } from '../event.js';
import type { DeliveryOutcome } from './metrics.js';
import { DELIVERY_MOST_MS, retryDelay } from './schedule.js';
import { ATTEMPT_MS, NOT_STARTED, type Sender } from './sender.js';
import { type NotificationKey, signedHeaders } from './signature.js';

export interface DelivererParts {
  readonly db: Db;
  readonly clock: SharedClock;
  readonly sender: Pick<Sender, 'send' | 'abort'>;
  readonly key: () => Promise<NotificationKey>;
  readonly log: Log;
  readonly count: (outcome: DeliveryOutcome, clientId: ClientId) => void;
  /** From 0 to 1. */
  readonly random?: () => number;
}

/** Longer than an attempt can take, with a start that takes its time. */
const LEASE_MS = ATTEMPT_MS + 5 * SECOND;
/** On shutdown: what has not ended by then is left to the next attempt. */
const GRACE_MS = 2 * SECOND;
const AT_ONCE = 64;
/** A receiver that does not answer keeps the others waiting no longer than these few take. */
const AT_ONCE_PER_APPLICATION = 8;
/** Half of them: while one is free, at most one address is full, and others of the application go past it. */
const AT_ONCE_PER_ADDRESS = AT_ONCE_PER_APPLICATION / 2;

const precise = 2 ** 32;
const anyFraction = (): number => randomInt(precise) / precise;

const APPLICATIONS_WITH_DUE = `
  select a.client_id as "clientId" from applications a join tpps t on t.id = a.tpp_id
  where a.status = 'active' and t.status = 'active'
    and (exists (select 1 from deliveries d where d.client_id = a.client_id and d.due_at <= ?)
      or exists (select 1 from deliveries d where d.client_id = a.client_id and d.due_at > ?))`;
const DELIVERIES = `
  select d.target, d.attempts, d.due_at as "dueAt", d.client_id as "clientId", ${EVENT_COLUMNS}
  from deliveries d join events e on e.id = d.event_id ${ANNOUNCED}`;
const IS_FIRST = `not exists (
  select 1 from events b join deliveries p on p.event_id = b.id
  where b.consent_id = e.consent_id and b.position < e.position and p.target = d.target and p.due_at is not null)`;
const DUE = `
  select * from (${DELIVERIES} where d.client_id = ? and d.due_at <= ? and d.target <> ? and ${IS_FIRST}
    order by d.due_at, d.position limit ?) past
  union all
  select * from (${DELIVERIES} where d.client_id = ? and d.due_at > ? and d.target <> ? and ${IS_FIRST} limit ?) far`;
const CLAIM = 'update deliveries set due_at = ? where event_id = ? and target = ? and due_at = ?';
const END = `update deliveries set due_at = null, ended_at = ?, outcome = ?, attempts = attempts + 1
  where event_id = ? and target = ? and ended_at is null`;
/** Only the node with the claim may do so: a slow node does not disturb the one that has taken over. */
const POSTPONE = `update deliveries set due_at = ?, outcome = ?, attempts = attempts + 1
  where event_id = ? and target = ? and due_at = ?`;

/** Those that wait for it are not looked at before it is due again. */
const POSTPONE_NEXT = `update deliveries set due_at = ?
  where target = ? and due_at < ? and event_id in (select id from events where consent_id = ? and position > ?)`;

interface Due extends StatusEvent {
  readonly clientId: ClientId;
  readonly target: string;
  readonly attempts: number;
  readonly dueAt: number;
}

export class Deliverer extends OutboxRunner {
  readonly #parts: DelivererParts;
  /** The addresses of the deliveries under way, by application. */
  readonly #addresses = new Map<ClientId, readonly string[]>();

  constructor(parts: DelivererParts) {
    super({
      onPollError: (error) => parts.log.warn(errorFields(error), 'deliveries cannot be read'),
      graceMs: GRACE_MS,
      mayClaim: () => parts.clock.isRight(),
      abort: () => parts.sender.abort(),
    });
    this.#parts = parts;
  }

  #free(clientId: ClientId): number {
    const ofApplication = AT_ONCE_PER_APPLICATION - (this.#addresses.get(clientId)?.length ?? 0);
    return Math.min(ofApplication, AT_ONCE - this.runningCount);
  }

  #isFull(clientId: ClientId, target: string): boolean {
    const running = this.#addresses.get(clientId) ?? [];
    return running.filter((each) => each === target).length >= AT_ONCE_PER_ADDRESS;
  }

  #fullAddress(clientId: ClientId): string {
    return this.#addresses.get(clientId)?.find((target) => this.#isFull(clientId, target)) ?? '';
  }

  /** Receivers with the fewest deliveries under way come first, so that none waits behind a slow receiver. */
  protected async claimDue(): Promise<void> {
    const { db, clock, log } = this.#parts;
    const over = overAt(clock.now(), DELIVERY_MOST_MS);
    const applications = await db.all<{ clientId: ClientId }>(APPLICATIONS_WITH_DUE, over);
    const inOrder = applications
      .map(({ clientId }) => clientId)
      .toSorted((a, b) => this.#free(b) - this.#free(a));
    for (const clientId of inOrder) {
      const free = this.#free(clientId);
      if (free <= 0) continue;
      for (const due of await this.#due(clientId, over, free)) {
        const { target } = due;
        const id = `${due.id} ${target}`;
        if (!this.mayStart(id) || this.#isFull(clientId, target)) continue;
        // Each claim begins when it is made: those before it may have taken long.
        const lease = clock.now() + LEASE_MS;
        if ((await db.run(CLAIM, [lease, due.id, target, due.dueAt])) !== 1) continue;
        this.#addresses.set(clientId, [...(this.#addresses.get(clientId) ?? []), target]);
        const work = this.#deliver(due, lease).finally(() => this.#leave(clientId, target));
        this.start(id, work, (error) => log.warn(errorFields(error), 'delivery'));
      }
    }
  }

  async #due(clientId: ClientId, [past, far]: readonly [number, number], free: number): Promise<Due[]> {
    const full = this.#fullAddress(clientId);
    const due = await this.#parts.db.all<Due>(DUE, [clientId, past, full, free, clientId, far, full, free]);
    return due.slice(0, free);
  }

  #leave(clientId: ClientId, target: string): void {
    const running = this.#addresses.get(clientId) ?? [];
    const left = running.toSpliced(running.indexOf(target), 1);
    if (left.length === 0) this.#addresses.delete(clientId);
    else this.#addresses.set(clientId, left);
  }

  /** With those of the same consent that wait for it. */
  #postpone({ id, target, consentId, position }: Due, lease: number, dueAt: number, outcome: string) {
    return this.#parts.db.transaction(async (tx) => {
      const isHeld = (await tx.run(POSTPONE, [dueAt, outcome, id, target, lease])) === 1;
      if (isHeld) await tx.run(POSTPONE_NEXT, [dueAt, target, dueAt, consentId, position]);
    });
  }

  async #deliver(due: Due, lease: number): Promise<void> {
    const { db, clock, sender, key, count, log, random = anyFraction } = this.#parts;
    const { id: eventId, target } = due;
    const body = JSON.stringify(eventBody(due));
    const headers = await signedHeaders({ target, eventId, body }, await key(), clock.now());
    // Of a process that stood still another one has sent it by now, and what comes after it.
    const mayStart = (): boolean => clock.isRight() && clock.now() + ATTEMPT_MS <= lease;
    const { isDelivered, outcome, cause } = await sender.send(target, headers, body, mayStart);
    if (cause === NOT_STARTED) return;
    const now = clock.now();
    if (isDelivered) {
      count('delivered', due.clientId);
      await db.run(END, [now, outcome, eventId, target]);
      return;
    }
    const attempts = due.attempts + 1;
    const delay = retryDelay(attempts, random());
    // The path and the query may hold secrets of the receiver.
    const facts = {
      eventId,
      clientId: due.clientId,
      host: new URL(target).host,
      outcome: cause,
      attempts,
    };
    if (delay === undefined) {
      count('given up', due.clientId);
      log.error(facts, 'delivery given up');
      await db.run(END, [now, `given up: ${outcome}`, eventId, target]);
    } else {
      count('failed', due.clientId);
      log.warn(facts, 'delivery failed');
      await this.#postpone(due, lease, now + delay, outcome);
    }
  }
}
