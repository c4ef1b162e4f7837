/**
 * What lets people watch: the events of each application with their deliveries, every access to account data, and which
 * sessions have passed strong authentication.
 */
export const watching = {
  id: 6,
  name: 'watching',
  sql: `
create table event_positions (
  client_id text primary key references applications (client_id),
  last bigint not null
);

create table events (
  id text primary key,
  client_id text not null references applications (client_id),
  position bigint not null,
  kind text not null check (kind in ('consent', 'payment')),
  consent_id text not null,
  consent_kind text not null,
  payment_id text,
  status text not null,
  occurred_at bigint not null
);
create unique index events_of_application on events (client_id, position);
create index events_by_age on events (occurred_at);

create table deliveries (
  event_id text not null references events (id),
  target text not null,
  client_id text not null,
  position bigint not null,
  attempts bigint not null,
  due_at bigint,
  ended_at bigint,
  outcome text,
  primary key (event_id, target)
);
create index deliveries_due on deliveries (client_id, due_at, position) where due_at is not null;

create table data_accesses (
  id text primary key,
  consent_id text not null references consents (id),
  client_id text not null,
  psu_id text not null,
  account_id text,
  kind text not null,
  attended bigint not null,
  request_id text not null,
  accessed_at bigint not null
);
create index data_accesses_of_psu on data_accesses (psu_id, accessed_at);
create index data_accesses_of_consent on data_accesses (consent_id, kind, account_id, accessed_at);
create index data_accesses_by_age on data_accesses (accessed_at);
create index funds_confirmations_of_consent on funds_confirmations (consent_id, asked_at);
create index funds_confirmations_by_age on funds_confirmations (asked_at);
create index consents_of_psu on consents (psu_id, created_at);
create index consents_by_age on consents (created_at);

create table code_attempts (
  psu_id text primary key,
  attempts bigint not null,
  since bigint not null
);

alter table applications add column webhook_url text;
alter table consents add column notification_uri text;
alter table consents add column interaction_uid text;
create unique index consents_of_interaction on consents (interaction_uid) where interaction_uid is not null;
alter table psu_sessions add column sca_at bigint;
alter table signing_keys add column purpose text not null default 'token';
`,
} as const;
