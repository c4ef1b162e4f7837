/** Orders that keep a status that a test asked for, until they are settled. */
export const wishes = {
  id: 10_005,
  name: 'wished order statuses',
  compatibleFrom: 24,
  sql: 'alter table demo_payments add column open_status text;',
};
