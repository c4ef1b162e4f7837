/** Incidents of the interface, with what was said about each. */
export const incidents = {
  id: 59,
  name: 'incidents',
  compatibleFrom: 24,
  sql: `
create table incidents (id text primary key, started_at bigint not null, ended_at bigint);
create table incident_notes (
  id text primary key, incident_id text not null, at bigint not null, text_el text not null, text_en text not null);
create index incident_notes_of on incident_notes (incident_id, at);
`,
} as const;
