/**
 * Payment orders: one for each consent at most, whatever is retried, and every step of its status. The demo bank keeps what it
 * has carried out by the order's id, for the daily limit and for the moment of settlement.
 */
export const payments = {
  id: 10,
  name: 'payments',
  sql: `
alter table consents add column submitted_at bigint;
alter table consents add column quote text;

create table payment_orders (
  id text primary key,
  consent_id text not null unique references consents (id),
  client_id text not null references applications (client_id),
  psu_id text not null,
  status text not null check (status in ('RCVD', 'PDNG', 'ACTC', 'ACSP', 'ACSC', 'RJCT', 'CANC')),
  reason_code text,
  reason_text text,
  created_at bigint not null,
  changed_at bigint not null,
  look_again_at bigint,
  check ((status in ('ACSC', 'RJCT', 'CANC')) = (look_again_at is null))
);
create index payment_orders_open on payment_orders (look_again_at) where look_again_at is not null;

create table payment_order_history (
  order_id text not null references payment_orders (id),
  position bigint not null,
  from_status text,
  to_status text not null,
  reason_code text,
  changed_at bigint not null,
  primary key (order_id, position)
);
`,
} as const;
