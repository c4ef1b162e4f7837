/** The last snapshot of the EBA's register that an operator has applied: what third parties are authorised to do in the bank's country. */
export const ebaRegister = {
  id: 57,
  name: 'eba-register',
  compatibleFrom: 24,
  sql: `
create table register_entities (
  country text not null, reference text not null, authority text not null, type text not null, names text not null, roles text not null,
  authorised integer not null, changed_on text not null, primary key (country, reference, authority, type));
`,
} as const;
