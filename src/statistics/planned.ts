/** Planned downtimes: those that were announced before they began count apart. */
import { randomUUID } from 'node:crypto';
import type { Queries } from '../store/db.js';
import type { Span } from './spans.js';

const PLANNED = `
  select starts_at as "from", ends_at as "to" from planned_downtimes
  where ends_at > ? and starts_at < ? and announced_at <= starts_at and (cancelled_at is null or cancelled_at > starts_at)`;

export const readPlanned = (db: Queries, { from, to }: Span): Promise<Span[]> =>
  db.all<Span>(PLANNED, [from, to]);

export interface PlannedDowntime extends Span {
  readonly id: string;
  readonly textEl: string;
  readonly textEn: string;
  readonly announcedAt: number;
  readonly cancelledAt: number | null;
}

export type NewDowntime = Pick<PlannedDowntime, 'from' | 'to' | 'textEl' | 'textEn'>;

const ALL = `
  select id, starts_at as "from", ends_at as "to", text_el as "textEl", text_en as "textEn", announced_at as "announcedAt",
    cancelled_at as "cancelledAt" from planned_downtimes where ends_at > ? order by starts_at, id`;

export const plannedAfter = (db: Queries, at: number): Promise<PlannedDowntime[]> =>
  db.all<PlannedDowntime>(ALL, [at]);

const ANNOUNCE = `
  insert into planned_downtimes (id, starts_at, ends_at, text_el, text_en, announced_at) values (?, ?, ?, ?, ?, ?)`;

export const announceDowntime = async (
  db: Queries,
  { from, to, textEl, textEn }: NewDowntime,
  now: number,
): Promise<string> => {
  const id = randomUUID();
  await db.run(ANNOUNCE, [id, from, to, textEl, textEn, now]);
  return id;
};

const CANCEL = `
  update planned_downtimes set cancelled_at = ? where id = ? and cancelled_at is null and ends_at > ?
  returning starts_at as "from", ends_at as "to", text_el as "textEl", text_en as "textEn"`;

/** What was planned; undefined if no such downtime is to come. */
export const cancelDowntime = (db: Queries, id: string, now: number): Promise<NewDowntime | undefined> =>
  db.one<NewDowntime>(CANCEL, [now, id, now]);
