/** In which way a person last chose to confirm, so that it comes first the next time. */
export const lastMethods = {
  id: 34,
  name: 'last-methods',
  compatibleFrom: 24,
  sql: `
create table last_methods (
  psu_id text primary key,
  method_id text not null,
  used_at bigint not null
);
create index last_methods_by_age on last_methods (used_at);
`,
} as const;
