/** Developers with a sandbox of their own, and who of them is logged in. What they do there is in the stores of those sandboxes. */
export const developers = {
  id: 10_004,
  name: 'developers',
  compatibleFrom: 24,
  sql: `
create table sandbox_developers (
  id text primary key,
  name text not null unique,
  place text not null unique,
  passphrase_hash text not null,
  tpp_id text not null default '',
  created_at bigint not null,
  used_at bigint not null
);
create table sandbox_developer_sessions (
  id_hash text primary key,
  developer_id text not null references sandbox_developers (id) on delete cascade,
  created_at bigint not null
);
create index sandbox_developer_sessions_by_age on sandbox_developer_sessions (created_at);
`,
} as const;
