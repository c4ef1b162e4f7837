/** Trusted lists of ETSI TS 119 612 that were accepted: one for each territory, the list of the lists as that of the EU. */
export const trustedLists = {
  id: 51,
  name: 'trusted-lists',
  compatibleFrom: 24,
  sql: `
create table trust_lists (
  territory text primary key,
  source text not null,
  sequence bigint not null,
  issued_at bigint not null,
  next_update bigint not null,
  signer text not null,
  digest text not null,
  pointers text not null,
  imported_at bigint not null,
  fault text
);
create table trust_services (
  territory text not null references trust_lists (territory),
  fingerprint text not null,
  provider text not null,
  name text not null,
  uses text not null,
  hosts text not null,
  pem text not null,
  primary key (territory, fingerprint)
);
`,
} as const;
