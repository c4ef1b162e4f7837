/**
 * Books that go on. `id` of a transfer names the payer's entry, `credit_id` that of a payee who is a customer too; if it is absent, the
 * payee's entry is the only one that anybody sees. An account begins with an opening balance, which is no entry.
 */
export const living = {
  id: 10_002,
  name: 'living demo bank',
  compatibleFrom: 24,
  sql: `
alter table demo_accounts add column opening_minor bigint not null default 0;
alter table demo_accounts add column opened_on text;
alter table demo_accounts add column changed_at bigint not null default 0;
alter table demo_transfers add column credit_id text;
alter table demo_transfers add column payment_id text;
alter table demo_transfers add column mandate_id text;
alter table demo_transfers add column creditor_id text;
alter table demo_transfers add column merchant_category_code text;
alter table demo_holds add column payment_id text;
alter table demo_holds add column end_to_end_id text;
alter table demo_holds add column merchant_category_code text;
alter table demo_holds add column settles_on text;
alter table demo_holds add column settles_minor bigint;
alter table demo_payments add column legs text;
alter table demo_payments add column reject_reason text;
create unique index if not exists demo_transfers_credit_ids on demo_transfers (credit_id);
create index if not exists demo_transfers_payments on demo_transfers (payment_id) where payment_id is not null;
create index if not exists demo_holds_payments on demo_holds (payment_id) where payment_id is not null;
create index if not exists demo_payments_open on demo_payments (settles_at) where legs is not null;
update demo_accounts set
  opened_on = (
    select min(day) from (
      select min(booking_date) as day from demo_transfers where debit_account = demo_accounts.id
      union all select min(booking_date) as day from demo_transfers where credit_account = demo_accounts.id) as days),
  changed_at = coalesce((
    select max(at) from (
      select max(booked_at) as at from demo_transfers where debit_account = demo_accounts.id
      union all select max(booked_at) as at from demo_transfers where credit_account = demo_accounts.id) as moments), 0);
update demo_transfers set payment_id = booking_id
  where exists (select 1 from demo_payments p where p.id = booking_id and p.account_id = debit_account);
`,
} as const;
