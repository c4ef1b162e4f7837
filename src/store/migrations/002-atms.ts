/** The published ATM lists: the current one has the highest version, a few earlier ones are kept behind it. */
export const atmsMigration = {
  id: 2,
  name: 'atms',
  sql: `create table atm_publications (
  version bigint primary key,
  etag text not null,
  modified_at bigint not null,
  atm_count bigint not null,
  body text not null
);`,
} as const;
