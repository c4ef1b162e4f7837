/** What ties the tokens of an application to their sender, its security profile, and the proofs (RFC 9449) that were used. */
export const tokenBindings = {
  id: 17,
  name: 'bindings',
  sql: `
alter table applications add column token_binding text not null default 'none'
  check (token_binding in ('none', 'certificate', 'dpop'));
alter table applications add column profile text not null default 'none' check (profile in ('none', 'fapi2'));

create table dpop_proofs (
  id text primary key,
  expires_at bigint not null
);
create index dpop_proofs_by_expiry on dpop_proofs (expires_at);
`,
} as const;
