/**
 * The tables of the demo bank, the demo third party and the test authority. A store from before 0.2.0 has them already.
 *
 * A transfer is one row that names the account it debits and the account it credits, so a booking cannot be unbalanced: there is no way
 * to write one side alone. Both accounts must have the currency of the transfer. Each side keeps its account's running figures after the
 * entry: its number, the balance, and what was paid out so far.
 */
export const tables = {
  id: 10_001,
  name: 'sandbox',
  compatibleFrom: 24,
  sql: `
create table if not exists demo_psus (
  id text primary key,
  username text not null unique,
  name text not null,
  password_hash text not null default '',
  failures bigint not null default 0,
  blocked_until bigint
);

create table if not exists demo_accounts (
  id text primary key,
  iban text,
  bban text,
  msisdn text,
  currency text not null,
  name text not null,
  product text not null,
  status text not null check (status in ('enabled', 'blocked', 'closed')),
  booked_minor bigint not null,
  pending_minor bigint not null check (pending_minor >= 0),
  credit_minor bigint not null check (credit_minor >= 0),
  role text not null default 'customer'
    check (role in ('customer', 'nostro', 'fees', 'interest', 'exchange')),
  type text not null default 'CACC',
  entries bigint not null default 0,
  paid_minor bigint not null default 0,
  paid_count bigint not null default 0,
  last_booked_on text,
  check (iban is not null or bban is not null)
);
create unique index if not exists demo_accounts_iban on demo_accounts (iban, currency);
create unique index if not exists demo_accounts_in_currency on demo_accounts (id, currency);

create table if not exists demo_holders (
  account_id text not null references demo_accounts (id),
  psu_id text not null references demo_psus (id),
  primary key (account_id, psu_id)
);

create table if not exists demo_challenges (
  id text primary key,
  psu_id text not null,
  context_hash text not null,
  code_hash text not null,
  attempts bigint not null,
  used_at bigint,
  expires_at bigint not null
);

create table if not exists demo_transfers (
  id text primary key,
  booking_id text not null,
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  debit_account text not null,
  credit_account text not null,
  booking_date text not null,
  value_date text not null,
  booked_at bigint not null,
  code text not null,
  debit_seq bigint not null check (debit_seq > 0),
  debit_balance bigint not null,
  debit_paid bigint not null,
  debit_paid_count bigint not null,
  credit_seq bigint not null check (credit_seq > 0),
  credit_balance bigint not null,
  credit_paid bigint not null,
  credit_paid_count bigint not null,
  debit_name text,
  debit_iban text,
  credit_name text,
  credit_iban text,
  remittance text,
  end_to_end_id text,
  exchange_currency text,
  exchange_minor bigint,
  exchange_micros bigint,
  check (debit_account <> credit_account),
  foreign key (debit_account, currency) references demo_accounts (id, currency),
  foreign key (credit_account, currency) references demo_accounts (id, currency)
);
create unique index if not exists demo_transfers_debits on demo_transfers (debit_account, booking_date, debit_seq);
create unique index if not exists demo_transfers_credits on demo_transfers (credit_account, booking_date, credit_seq);

create table if not exists demo_holds (
  id text primary key,
  account_id text not null,
  currency text not null,
  amount_minor bigint not null check (amount_minor > 0),
  entered_on text not null,
  entered_at bigint not null,
  code text not null,
  payee_name text,
  payee_iban text,
  remittance text,
  exchange_currency text,
  exchange_minor bigint,
  exchange_micros bigint,
  foreign key (account_id, currency) references demo_accounts (id, currency)
);
create index if not exists demo_holds_of_account on demo_holds (account_id, entered_at, id);

create table if not exists demo_payments (
  id text primary key,
  account_id text not null references demo_accounts (id),
  booked_on text not null,
  limit_minor bigint not null,
  settles_at bigint not null
);
create index if not exists demo_payments_of_day on demo_payments (account_id, booked_on);

create table if not exists demo_walks (
  id text primary key,
  browser_hash text not null,
  version bigint not null,
  state text not null,
  consent_id text,
  touched_at bigint not null
);
create index if not exists demo_walks_of_browser on demo_walks (browser_hash, touched_at);
create index if not exists demo_walks_of_consent on demo_walks (consent_id);
create index if not exists demo_walks_by_age on demo_walks (touched_at);

create table if not exists demo_webhooks (
  event_id text not null,
  is_verified bigint not null,
  consent_id text not null,
  message text not null,
  received_at bigint not null,
  primary key (event_id, is_verified)
);
create index if not exists demo_webhooks_of_consent on demo_webhooks (consent_id, received_at);
create index if not exists demo_webhooks_by_age on demo_webhooks (received_at);

create table if not exists sandbox_authority (
  name text primary key,
  sealed text not null
);

create table if not exists sandbox_certificates (
  serial text primary key,
  client_id text not null,
  use text not null,
  issued_at bigint not null,
  revoked_at bigint
);
`,
} as const;
