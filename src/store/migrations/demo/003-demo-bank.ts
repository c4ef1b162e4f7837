/** The tables of the embedded demo bank. They stay empty in production. */
export const demoBank = {
  id: 3,
  name: 'demo-bank',
  sql: `
create table demo_psus (
  id text primary key,
  username text not null unique,
  name text not null
);

create table demo_accounts (
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
  check (iban is not null or bban is not null)
);
create unique index demo_accounts_iban on demo_accounts (iban, currency);

create table demo_holders (
  account_id text not null references demo_accounts (id),
  psu_id text not null references demo_psus (id),
  primary key (account_id, psu_id)
);
`,
} as const;
