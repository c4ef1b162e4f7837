/** Account holders: how the demo bank knows them, their sessions on our pages, and their one-time codes. */
export const accountHolders = {
  id: 4,
  name: 'account-holders',
  sql: `
alter table demo_psus add column password_hash text not null default '';
alter table demo_psus add column failures bigint not null default 0;
alter table demo_psus add column blocked_until bigint;

create table demo_challenges (
  id text primary key,
  psu_id text not null,
  context_hash text not null,
  code_hash text not null,
  attempts bigint not null,
  used_at bigint,
  expires_at bigint not null
);

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
