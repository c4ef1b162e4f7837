/**
 * What the core simulator keeps of each payment it was sent: what was asked, so that the same id with other content is noticed, and
 * what it answered at first, refusals included. The table stays empty everywhere else.
 */
export const simulator = {
  id: 12,
  name: 'simulator',
  sql: `
create table simulator_payments (
  id text primary key,
  request_hash text not null,
  progress text not null,
  received_at bigint not null
);
`,
} as const;
