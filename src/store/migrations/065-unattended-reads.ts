/** How often a day one third party may read without the account holder; without a value, as the bank says for everybody. */
export const unattendedReads = {
  id: 65,
  name: 'unattended-reads',
  compatibleFrom: 24,
  sql: 'alter table tpps add column unattended_per_day bigint',
} as const;
