/** How far each node has counted in this store: what shows a node that the store has forgotten what it saw committed. */
export const storePulses = {
  id: 70,
  name: 'store-pulses',
  compatibleFrom: 24,
  sql: `
create table store_pulses (
  node text primary key,
  number bigint not null,
  beaten_at bigint not null
);
`,
} as const;
