/**
 * What the bank announces to all: an event of every active application, written in the transaction of the announcement itself. The number of
 * statements does not depend on the number of applications, and the text is stored once.
 */
import { randomInt } from 'node:crypto';
import { newId } from '../lib/id.js';
import type { Queries } from '../store/db.js';
import type { AnnouncementKind } from './event.js';
import { noteEvents } from './outbox.js';

export interface NewAnnouncement {
  readonly kind: AnnouncementKind;
  /** The planned downtime, or the incident. */
  readonly subjectId: string;
  readonly status: 'announced' | 'cancelled' | 'opened' | 'updated' | 'closed';
  readonly from: number;
  /** Null while its end is unknown. */
  readonly to: number | null;
  readonly textEl: string;
  readonly textEn: string;
  /** Bank time. */
  readonly at: number;
}

const INSERT_ANNOUNCEMENT = `
  insert into announcements (id, starts_at, ends_at, text_el, text_en) values (?, ?, ?, ?, ?)`;
/** Marks what it counts: an application that is opened meanwhile does not get an event without a position of its own. */
const NEXT_POSITIONS = `
  insert into event_positions (client_id, last, announcement_id)
  select a.client_id, 1, cast(? as text) from applications a join tpps t on t.id = a.tpp_id
  where a.status = 'active' and t.status = 'active' order by a.client_id
  on conflict (client_id) do update set last = event_positions.last + 1, announcement_id = excluded.announcement_id`;
const INSERT_EVENTS = `
  insert into events (id, client_id, position, kind, consent_id, consent_kind, status, occurred_at, announcement_id, bank_due_at)
  select cast(? as text) || cast(cast(? as bigint) + row_number() over (order by client_id) as text), client_id, last, cast(? as text),
    cast(? as text), '', cast(? as text), cast(? as bigint), announcement_id, null
  from event_positions where announcement_id = ?`;
const INSERT_DELIVERIES = `
  insert into deliveries (event_id, target, client_id, position, attempts, due_at)
  select e.id, a.webhook_url, e.client_id, e.position, 0, 0
  from event_positions p join events e on e.client_id = p.client_id and e.position = p.last
  join applications a on a.client_id = p.client_id
  where p.announcement_id = ? and a.webhook_url is not null`;

/** The last group of a UUID has twelve digits: the statement counts in it, from a number that says nothing about who else is there. */
const eventIds = () => ({ start: newId().slice(0, 24), from: randomInt(1e11, 2e11) + randomInt(7) * 1e11 });

/** Its events get their positions in one order on every node, so that two announcements do not wait for each other. */
export const writeAnnouncement = async (tx: Queries, given: NewAnnouncement): Promise<void> => {
  const { kind, subjectId, status, from, to, textEl, textEn, at } = given;
  const id = newId();
  const events = eventIds();
  await tx.run(INSERT_ANNOUNCEMENT, [id, from, to, textEl, textEn]);
  await tx.run(NEXT_POSITIONS, [id]);
  await tx.run(INSERT_EVENTS, [events.start, events.from, kind, subjectId, status, at, id]);
  await tx.run(INSERT_DELIVERIES, [id]);
  noteEvents(tx);
};
