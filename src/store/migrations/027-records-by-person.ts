/**
 * Funds records are found by person and by age, as on PostgreSQL since migration 15. In blocks of five hundred (migration 18) each was
 * cheaper to write, but only the demo bank was fast enough for that to show. The view stays for nodes of the version before.
 */
export const recordsByPerson = {
  id: 27,
  name: 'records-by-person',
  compatibleFrom: 24,
  sql: {
    sqlite: `
drop view funds_confirmations_by_psu;
drop index funds_confirmations_of_psu;
create index funds_confirmations_of_psu on funds_confirmations (psu_id, asked_at);
create index funds_confirmations_by_age on funds_confirmations (asked_at);
create view funds_confirmations_by_psu as select * from funds_confirmations;
`,
    postgres: '',
  },
} as const;
