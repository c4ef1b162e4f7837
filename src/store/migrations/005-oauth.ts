/** The authorization server: its records, what it has revoked, and the public keys of applications that sign their requests. */
export const oauth = {
  id: 5,
  name: 'oauth',
  sql: `
create table oidc_records (
  kind text not null,
  id_hash text not null,
  payload text not null,
  grant_id text,
  expires_at bigint not null,
  consumed_at bigint,
  primary key (kind, id_hash)
);
create index oidc_records_of_grant on oidc_records (grant_id);
create index oidc_records_by_expiry on oidc_records (expires_at);

create table oauth_revocations (
  kind text not null check (kind in ('grant', 'token')),
  id text not null,
  expires_at bigint not null,
  primary key (kind, id)
);
create index oauth_revocations_by_expiry on oauth_revocations (expires_at);

alter table applications add column jwks text;
`,
} as const;
