/**
 * The first shape of the database. One text serves both engines: text ids, integers as bigint, times as epoch
 * milliseconds, JSON as text.
 */
export const foundation = {
  id: 1,
  name: 'foundation',
  sql: `
create table settings (
  name text primary key,
  value text not null
);

create table tpps (
  id text primary key,
  name text not null,
  registration text not null unique,
  roles text not null,
  status text not null check (status in ('active', 'suspended')),
  created_at bigint not null
);

create table applications (
  client_id text primary key,
  tpp_id text not null references tpps (id),
  name text not null,
  redirect_uris text not null,
  secret_hash text,
  status text not null check (status in ('active', 'suspended')),
  created_at bigint not null
);

create table subscriptions (
  id text primary key,
  client_id text not null references applications (client_id),
  products text not null,
  quota_per_minute bigint,
  quota_per_day bigint,
  created_at bigint not null
);

create table subscription_keys (
  id text primary key,
  subscription_id text not null references subscriptions (id),
  slot text not null check (slot in ('primary', 'secondary')),
  hash text not null unique,
  status text not null check (status in ('active', 'suspended')),
  created_at bigint not null,
  revoked_at bigint
);
create unique index subscription_keys_slot on subscription_keys (subscription_id, slot) where revoked_at is null;

create table signing_keys (
  kid text primary key,
  algorithm text not null,
  public_jwk text not null,
  private_jwk text not null,
  created_at bigint not null,
  active_from bigint not null,
  retired_at bigint
);

create table consents (
  id text primary key,
  kind text not null check (kind in ('AccountAccess', 'PaymentInitiation', 'ConfirmationOfFunds')),
  client_id text not null references applications (client_id),
  psu_id text not null,
  status text not null check (status in ('Received', 'Rejected', 'Valid', 'RevokedByPsu', 'Expired', 'TerminatedByTpp')),
  created_at bigint not null,
  expires_at bigint,
  card_hash text,
  card_last_four text,
  details text not null
);
create index consents_of_caller on consents (client_id, psu_id, kind, created_at);

create table consent_accounts (
  consent_id text not null references consents (id),
  position bigint not null,
  account_id text,
  iban text,
  bban text,
  msisdn text,
  currency text,
  primary key (consent_id, position)
);

create table consent_history (
  consent_id text not null references consents (id),
  position bigint not null,
  from_status text,
  to_status text not null,
  changed_by text not null,
  reason text,
  request_id text,
  changed_at bigint not null,
  primary key (consent_id, position)
);

create table request_ids (
  client_id text not null,
  request_id text not null,
  fingerprint text not null,
  used_at bigint not null,
  primary key (client_id, request_id)
);
create index request_ids_by_age on request_ids (used_at);

create table funds_confirmations (
  id text primary key,
  consent_id text not null references consents (id),
  client_id text not null,
  psu_id text not null,
  account_id text not null,
  payee text,
  amount text not null,
  currency text not null,
  available bigint not null,
  request_id text not null,
  session_consent_id text,
  asked_at bigint not null
);
create index funds_confirmations_of_psu on funds_confirmations (psu_id, asked_at);
`,
} as const;
