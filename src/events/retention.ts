/** How events and their deliveries leave the store. */
import type { ConsentId } from '../model/ids.js';
import type { Db, Queries } from '../store/db.js';

/** What is still to be delivered is not old, however far the bank's time was moved. */
const OLD_EVENTS = `
  select e.id, e.occurred_at as "at" from events e
  where e.occurred_at <= ? and not exists (select 1 from deliveries d where d.event_id = e.id and d.due_at is not null)
  order by e.occurred_at, e.id limit ?`;

const APPLICATIONS_OF = 'select client_id from applications where tpp_id = ?';

export const findOldEvents = (
  db: Db,
  until: number,
  limit: number,
): Promise<{ readonly id: string; readonly at: number }[]> => db.all(OLD_EVENTS, [until, limit]);

export const removeEvent = async (tx: Queries, id: string): Promise<void> => {
  await tx.run('delete from deliveries where event_id = ?', [id]);
  await tx.run('delete from events where id = ?', [id]);
};

export const removeEventsOfConsent = async (tx: Queries, consentId: ConsentId): Promise<void> => {
  await tx.run('delete from deliveries where event_id in (select id from events where consent_id = ?)', [
    consentId,
  ]);
  await tx.run('delete from events where consent_id = ?', [consentId]);
};

/** For applications that leave with all that is theirs. */
export const removeEventsOfTpp = async (tx: Queries, tppId: string): Promise<void> => {
  await tx.run(`delete from deliveries where client_id in (${APPLICATIONS_OF})`, [tppId]);
  await tx.run(`delete from events where client_id in (${APPLICATIONS_OF})`, [tppId]);
  await tx.run(`delete from event_positions where client_id in (${APPLICATIONS_OF})`, [tppId]);
};

export const clearEvents = async (tx: Queries): Promise<void> => {
  await tx.run('delete from deliveries');
  await tx.run('delete from events');
  await tx.run('delete from event_positions');
  await tx.run('delete from announcements');
};
