/**
 * On the embedded engine each index on funds records is one more page that a record writes. One is left, of the records of an application
 * about a person: the list of a person is merged from those of their applications, and that of a permission is a part of its application's.
 * They are found by age as before. PostgreSQL keeps its indexes.
 */
export const fundsByApplication = {
  id: 63,
  name: 'funds-by-application',
  compatibleFrom: 24,
  sql: {
    sqlite: `
drop index funds_confirmations_of_psu;
drop index funds_confirmations_of_app;
drop index funds_confirmations_of_permission;
create index funds_confirmations_of_app on funds_confirmations (psu_id, client_id, asked_at, consent_id);
`,
    postgres: '',
  },
} as const;
