/** When a remote core was last asked about an order, in bank time. */
export const orderQuestions = {
  id: 45,
  name: 'order-questions',
  compatibleFrom: 24,
  sql: 'alter table payment_orders add column asked_at bigint;',
} as const;
