/** What has reached its receivers and what has not, and a fresh start for it. */
import type { ClientId } from '../model/ids.js';
import type { Queries } from '../store/db.js';
import { ANNOUNCED, EVENT_COLUMNS, type StatusEvent } from './event.js';

export interface Backlog {
  readonly clientId: ClientId;
  readonly pending: number;
  readonly givenUp: number;
  /** Of the oldest event among them, bank time. */
  readonly oldest: number;
  /** Failed attempts of the one tried most often. */
  readonly attempts: number;
}

const BACKLOG = `
  select d.client_id as "clientId", sum(case when d.due_at is null then 0 else 1 end) as pending,
         sum(case when d.due_at is null then 1 else 0 end) as "givenUp", min(e.occurred_at) as oldest,
         max(d.attempts) as attempts
  from deliveries d join events e on e.id = d.event_id
  where d.due_at is not null or d.outcome like 'given up%'
  group by d.client_id order by d.client_id`;
const RETRY = `
  update deliveries set due_at = 0, ended_at = null, attempts = 0
  where client_id = ? and (due_at is not null or outcome like 'given up%')`;

export const listBacklog = (db: Queries): Promise<Backlog[]> => db.all<Backlog>(BACKLOG);

/** Everything of an application that has not arrived becomes due now, with a whole schedule before it. Returns how many. */
export const retryBacklog = (db: Queries, clientId: ClientId): Promise<number> => db.run(RETRY, [clientId]);

/** Members of the delivery are null if the event is in the feed alone. */
export interface DeliveryRow extends StatusEvent {
  readonly target: string | null;
  readonly attempts: number | null;
  /** When it is tried next; null if it has ended. */
  readonly dueAt: number | null;
  readonly outcome: string | null;
}

const DELIVERIES = `
  select d.target, d.attempts, d.due_at as "dueAt", d.outcome, ${EVENT_COLUMNS}
  from events e left join deliveries d on d.event_id = e.id ${ANNOUNCED}
  where e.client_id = ? order by e.position desc, d.target limit 25`;
/** To the address of now: the one of before may have been the fault. */
const REDELIVER = `
  insert into deliveries (event_id, target, client_id, position, attempts, due_at)
  select e.id, coalesce(c.notification_uri, a.webhook_url), a.client_id, e.position, 0, 0
  from events e join applications a on a.client_id = e.client_id
  left join consents c on c.id = e.consent_id and c.client_id = e.client_id
  where e.id = ? and e.client_id = ? and coalesce(c.notification_uri, a.webhook_url) is not null
  on conflict (event_id, target) do update set due_at = 0, ended_at = null, attempts = 0`;

/** The last events of an application, newest first. */
export const listDeliveries = (db: Queries, clientId: ClientId): Promise<DeliveryRow[]> =>
  db.all<DeliveryRow>(DELIVERIES, [clientId]);

export const redeliver = async (db: Queries, clientId: ClientId, eventId: string): Promise<boolean> =>
  (await db.run(REDELIVER, [eventId, clientId])) > 0;
