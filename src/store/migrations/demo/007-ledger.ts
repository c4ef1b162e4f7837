/**
 * The demo bank's books. A transfer is one row that names the account it debits and the account it credits, so a booking
 * cannot be unbalanced: there is no way to write one side alone. Both accounts must have the currency of the transfer.
 * Each side keeps its account's running figures after the entry: its number, the balance, and what was paid out so far.
 */
export const ledger = {
  id: 7,
  name: 'ledger',
  sql: `
alter table demo_accounts add column role text not null default 'customer'
  check (role in ('customer', 'nostro', 'fees', 'interest', 'exchange'));
alter table demo_accounts add column type text not null default 'CACC';
alter table demo_accounts add column entries bigint not null default 0;
alter table demo_accounts add column paid_minor bigint not null default 0;
alter table demo_accounts add column paid_count bigint not null default 0;
alter table demo_accounts add column last_booked_on text;
create unique index demo_accounts_in_currency on demo_accounts (id, currency);

create table demo_transfers (
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
create unique index demo_transfers_debits on demo_transfers (debit_account, booking_date, debit_seq);
create unique index demo_transfers_credits on demo_transfers (credit_account, booking_date, credit_seq);

create table demo_holds (
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
create index demo_holds_of_account on demo_holds (account_id, entered_at, id);
`,
} as const;
