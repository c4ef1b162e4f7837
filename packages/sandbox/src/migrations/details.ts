/** What is known of an entry beyond its columns: the other account without IBAN, its bank, references. */
export const details = {
  id: 10_008,
  name: 'details of entries',
  compatibleFrom: 24,
  sql: `
alter table demo_transfers add column details text;
alter table demo_holds add column details text;
`,
};
