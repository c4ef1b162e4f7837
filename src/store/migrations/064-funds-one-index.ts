/**
 * PostgreSQL as the embedded engine since 63: of the indexes on funds records by person, application and permission the one by application is
 * left. Each costs every record a place in a large tree, and the lists need no other. A node of before reads them more slowly meanwhile.
 */
export const fundsOneIndex = {
  id: 64,
  name: 'funds-one-index',
  compatibleFrom: 24,
  sql: {
    sqlite: '',
    postgres: `
drop index funds_confirmations_of_psu;
drop index funds_confirmations_of_permission;
`,
  },
} as const;
