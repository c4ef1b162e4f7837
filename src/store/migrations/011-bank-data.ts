/** What a bank's core wants to be reminded of with every question on a consent: an opaque text of its own. */
export const bankData = {
  id: 11,
  name: 'bank-data',
  sql: `
alter table consents add column bank_data text;
`,
} as const;
