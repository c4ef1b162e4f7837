/** Account holders: their sessions on our pages, and what a consent needs of them. */
export const accountHolders = {
  id: 4,
  name: 'account-holders',
  sql: `
create table psu_sessions (
  id_hash text primary key,
  psu_id text,
  name text,
  created_at bigint not null,
  seen_at bigint not null
);
create index psu_sessions_by_age on psu_sessions (seen_at);

alter table consents add column redirect_uri text;
alter table consents add column nok_redirect_uri text;
alter table consents add column tpp_state text;
alter table consents add column approved_at bigint;
alter table consents add column code_attempts bigint not null default 0;
alter table consents add column recurring bigint not null default 0;
create index consents_by_expiry on consents (status, expires_at);

alter table request_ids add column outcome text;
`,
} as const;
