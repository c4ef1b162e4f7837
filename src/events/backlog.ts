/** What has not reached its receivers yet, as operators see it, and a fresh start for it. */
import type { ClientId } from '../model/ids.js';
import type { Queries } from '../store/db.js';

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
