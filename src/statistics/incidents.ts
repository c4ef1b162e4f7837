/** Incidents of the interface: when they began and ended, and what was written about them. */
import { randomUUID } from 'node:crypto';
import type { Queries } from '../store/db.js';

export interface Texts {
  readonly textEl: string;
  readonly textEn: string;
}

export interface Note extends Texts {
  readonly id: string;
  readonly at: number;
}

export interface Incident {
  readonly id: string;
  readonly startedAt: number;
  /** Null while it lasts. */
  readonly endedAt: number | null;
  /** Oldest first. */
  readonly notes: readonly Note[];
}

const INCIDENTS = `
  select id, started_at as "startedAt", ended_at as "endedAt" from incidents
  where ended_at is null or ended_at > ? order by started_at desc, id`;
const NOTES = `
  select n.id, n.incident_id as "incidentId", n.at, n.text_el as "textEl", n.text_en as "textEn"
  from incident_notes n join incidents i on i.id = n.incident_id
  where i.ended_at is null or i.ended_at > ? order by n.at, n.id`;

/** Those that last, and those that ended after a moment; newest first. */
export const incidentsAfter = async (db: Queries, at: number): Promise<readonly Incident[]> => {
  const rows = await db.all<Omit<Incident, 'notes'>>(INCIDENTS, [at]);
  const notes = await db.all<Note & { incidentId: string }>(NOTES, [at]);
  return rows.map((row) => ({
    ...row,
    notes: notes.flatMap(({ incidentId, ...note }) => (incidentId === row.id ? [note] : [])),
  }));
};

const NOTE = 'insert into incident_notes (id, incident_id, at, text_el, text_en) values (?, ?, ?, ?, ?)';

const addNote = async (
  db: Queries,
  incidentId: string,
  { textEl, textEn }: Texts,
  now: number,
): Promise<void> => {
  await db.run(NOTE, [randomUUID(), incidentId, now, textEl, textEn]);
};

export const openIncident = async (
  db: Queries,
  startedAt: number,
  texts: Texts,
  now: number,
): Promise<string> => {
  const id = randomUUID();
  await db.run('insert into incidents (id, started_at) values (?, ?)', [id, startedAt]);
  await addNote(db, id, texts, now);
  return id;
};

const TOUCH = `
  update incidents set started_at = started_at where id = ? and ended_at is null returning started_at as "startedAt"`;
const CLOSE = `
  update incidents set ended_at = ? where id = ? and ended_at is null returning started_at as "startedAt"`;

/** When it began; undefined if no such incident lasts. */
export const updateIncident = async (
  db: Queries,
  id: string,
  texts: Texts,
  now: number,
): Promise<number | undefined> => {
  const lasting = await db.one<Pick<Incident, 'startedAt'>>(TOUCH, [id]);
  if (lasting) await addNote(db, id, texts, now);
  return lasting?.startedAt;
};

export const closeIncident = async (
  db: Queries,
  id: string,
  texts: Texts,
  now: number,
): Promise<number | undefined> => {
  const ended = await db.one<Pick<Incident, 'startedAt'>>(CLOSE, [now, id]);
  if (ended) await addNote(db, id, texts, now);
  return ended?.startedAt;
};
