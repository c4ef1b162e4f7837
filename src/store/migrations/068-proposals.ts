/** Acts that need two people: proposed by one, confirmed or refused by another. */
export const proposals = {
  id: 68,
  name: 'proposals',
  compatibleFrom: 24,
  sql: `
create table proposals (
  id text primary key, act text not null, subject text not null, input text not null, reason text,
  proposed_by text not null, proposed_at bigint not null, decision text, decided_by text, decided_at bigint);
create index proposals_by_time on proposals (proposed_at);
`,
} as const;
