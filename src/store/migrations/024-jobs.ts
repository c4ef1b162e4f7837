/**
 * Which node runs a job, when it is due again, and when it last succeeded; and undecided consents by their age, so that finding
 * the expired ones costs nothing for the others. Nodes of the version before run every job themselves, which is safe.
 */
export const jobs = {
  id: 24,
  name: 'jobs',
  compatibleFrom: 22,
  sql: `
create table jobs (
  name text primary key,
  due_at bigint not null,
  holder text,
  leased_until bigint not null,
  succeeded_at bigint
);
create index consents_undecided on consents (created_at) where status = 'Received';
`,
} as const;
