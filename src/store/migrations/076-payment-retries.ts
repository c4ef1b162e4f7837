/**
 * An operator has a payment of unknown outcome tried again: since when, and when it was sent again because of that. Its outcome stays unknown
 * until the core has answered. The index is for lists of a period.
 */
export const paymentRetries = {
  id: 76,
  name: 'payment-retries',
  compatibleFrom: 24,
  sql: `
alter table payment_orders add column retried_at bigint;
alter table payment_orders add column resent_at bigint;
create index payment_orders_by_time on payment_orders (created_at, id);
`,
} as const;
