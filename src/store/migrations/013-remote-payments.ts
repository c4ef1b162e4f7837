/**
 * Orders of a remote core: the instruction, whether it was sent, which node is querying it, and since when the outcome is
 * unknown. The history says who settled an order by hand.
 */
export const remotePayments = {
  id: 13,
  name: 'remote payments',
  sql: `
alter table payment_orders add column instruction text;
alter table payment_orders add column sent_at bigint;
alter table payment_orders add column claimed_until bigint;
alter table payment_orders add column attempts bigint not null default 0;
alter table payment_orders add column fault text;
alter table payment_orders add column unknown_since bigint;
alter table payment_orders add column unresolved_at bigint;
create index payment_orders_unresolved on payment_orders (unresolved_at) where unresolved_at is not null;

alter table payment_order_history add column changed_by text;
`,
} as const;
