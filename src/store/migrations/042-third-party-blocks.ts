/** Third parties whose requests a person does not want. `*` stands for all of them. */
export const thirdPartyBlocks = {
  id: 42,
  name: 'third-party-blocks',
  compatibleFrom: 24,
  sql: `
create table third_party_blocks (
  psu_id text not null,
  tpp_id text not null,
  blocked_at bigint not null,
  primary key (psu_id, tpp_id)
);
`,
} as const;
