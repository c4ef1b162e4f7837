/** The accounts of a person are found without a look at those of all others. */
export const holders = {
  id: 10_007,
  name: 'accounts by person',
  compatibleFrom: 24,
  sql: 'create index demo_holders_by_psu on demo_holders (psu_id, account_id);',
};
